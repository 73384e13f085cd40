// Networks of callers that share fate: who has one address of a network often has all of it.

/**
 * Returns the network of a caller that is known by its address: 256 addresses of IPv4, or 65,536
 * networks of 64 bits of IPv6, as providers rent them out. Other callers are their own network.
 */
export function networkOf(caller: string): string {
  const four = /^(\d+\.\d+\.\d+)\.\d+$/.exec(caller);
  if (four !== null) return `${four[1]}.0/24`;
  const six = /^((?:[\da-f]+:){3})[\da-f]+::\/64$/i.exec(caller);
  return six === null ? caller : `${six[1]}:/48`;
}
