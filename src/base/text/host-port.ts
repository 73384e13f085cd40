// Writes addresses of hosts with ports.

/** Returns `host:port`, with brackets around an IPv6 address, which comes without them. */
export function hostPort(host: string, port: number | string): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
