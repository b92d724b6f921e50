/**
 * The proxy settings of a Run's own commands: the Sandbox's, with the Run's id as user name, so that egress's decisions
 * say which Run asked. The name grants nothing, and the password is a word because some clients send no name without one.
 */
export function proxyEnvironment(runId: string): Record<string, string> {
  const proxy = `http://${runId}:run@egress:3128`;
  return { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, http_proxy: proxy, https_proxy: proxy };
}
