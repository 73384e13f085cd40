// Writes addresses of hosts with ports.

/** Returns `host:port`; adds brackets to an IPv6 address. */
export function hostPort(host: string, port: number | string): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
