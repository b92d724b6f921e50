import type { ReactNode } from "react";
import { PageHeader } from "@/app/_ui/page-header";
import { AdminsOnly } from "./_components/admins-only";
import { SettingsTabs } from "./_components/settings-tabs";

/** What admins see to. */
export default function SettingsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <PageHeader title="Settings" />
      <AdminsOnly>
        <SettingsTabs />
        <div className="flex flex-col gap-6 pt-4">{children}</div>
      </AdminsOnly>
    </>
  );
}
