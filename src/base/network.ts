// Groups callers into networks. Whoever has one address of a network often has all addresses of it.

/**
 * Returns the network of a caller. For a caller known by its address, this is a group of addresses
 * such as providers rent out: 256 IPv4 addresses, or 65,536 IPv6 networks of 64 bits. Each other
 * caller is a separate network.
 */
export function networkOf(caller: string): string {
  const four = /^(\d+\.\d+\.\d+)\.\d+$/.exec(caller);
  if (four !== null) return `${four[1]}.0/24`;
  const six = /^((?:[\da-f]+:){3})[\da-f]+::\/64$/i.exec(caller);
  return six === null ? caller : `${six[1]}:/48`;
}
