/** Next calls this once in the server's process, before the first request. */
export async function register(): Promise<void> {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return;
  const { startWeb } = await import("./server/entry/web");
  // The pages answer while the database is still coming up, and say so.
  void startWeb();
}
