import { Activity, ChartColumn, FolderGit2, Inbox, Settings, type LucideIcon } from "lucide-react";

export interface NavLink {
  href: string;
  /** What the address of every page below it begins with. */
  prefix: string;
  label: string;
  icon: LucideIcon;
  /** The keys that lead there. */
  keys: string;
  isForAdmins: boolean;
}

export const navLinks: readonly NavLink[] = [
  { href: "/", prefix: "/", label: "Home", icon: Inbox, keys: "g h", isForAdmins: false },
  {
    href: "/sandboxes",
    prefix: "/sandboxes",
    label: "Sandboxes",
    icon: Activity,
    keys: "g s",
    isForAdmins: false,
  },
  {
    href: "/projects",
    prefix: "/projects",
    label: "Projects",
    icon: FolderGit2,
    keys: "g p",
    isForAdmins: false,
  },
  { href: "/usage", prefix: "/usage", label: "Usage", icon: ChartColumn, keys: "g u", isForAdmins: false },
  {
    href: "/settings/general",
    prefix: "/settings",
    label: "Settings",
    icon: Settings,
    keys: "g e",
    isForAdmins: true,
  },
];

export function isCurrent(link: NavLink, pathname: string): boolean {
  if (link.prefix === "/") return pathname === "/";
  return pathname === link.prefix || pathname.startsWith(`${link.prefix}/`);
}
