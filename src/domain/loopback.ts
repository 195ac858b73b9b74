/** Whether an address is on this machine. What needs no machine at all, such as `data:` and `blob:`, is. */
export function isLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  if (!/^(?:https?|wss?):$/.test(protocol)) return true;
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
