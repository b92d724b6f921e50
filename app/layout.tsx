import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { ApiProvider } from "./_client/api-provider";
import { parseScheme, schemeCookie } from "./_client/color-scheme";
import { UiProvider } from "./_ui/ui-provider";
import "./theme.css";

// Each page carries a nonce of its own, so none can be made ahead, the one for unknown addresses included.
export const dynamic = "force-dynamic";

export const metadata: Metadata = {
  title: { default: "Rhumbatron", template: "%s · Rhumbatron" },
  description: "Isolated workspaces for coding agents, what they cost, and a desk for what they propose.",
};

export const viewport: Viewport = { colorScheme: "light dark", width: "device-width", initialScale: 1 };

export default async function RootLayout({ children }: { children: ReactNode }) {
  const scheme = parseScheme((await cookies()).get(schemeCookie)?.value);
  return (
    <html
      lang="en"
      data-scheme={scheme === "system" ? undefined : scheme}
      className={`${GeistSans.variable} ${GeistMono.variable}`}
    >
      <body className="min-h-dvh font-sans">
        <ApiProvider>
          <UiProvider>{children}</UiProvider>
        </ApiProvider>
      </body>
    </html>
  );
}
