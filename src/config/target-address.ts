// Checks addresses of targets, both in the config file and after relabeling.
import { hostPort } from '../base/text/host-port.ts';

const portMax = 65_535;

/** Returns why an address (`host`, `host:port`) cannot be scraped; undefined if it can. */
export function addressMistake(address: string): string | undefined {
  // The part before the @ may be a user name, which must not be logged.
  const at = address.lastIndexOf('@');
  const quoted = JSON.stringify(address.slice(at + 1));
  if (at !== -1) return `target ${quoted} has a user name: put it into basic_auth of the job`;
  if (/[/\\?#%\s]/.test(address) || address === '') {
    return `target ${quoted} is not a valid hostname, expected host:port`;
  }
  const port = readPort(address);
  if (port !== undefined && (port < 1 || port > portMax)) {
    return `target ${quoted} has port ${port}, expected 1 to ${portMax}`;
  }
  if (!URL.canParse(`http://${withPort(address, 80)}`)) {
    return `target ${quoted} is not a valid address, expected host:port`;
  }
  return undefined;
}

/** Returns the address, with `defaultPort` added if it has no port. */
export function withPort(address: string, defaultPort: number): string {
  if (readPort(address) !== undefined) return address;
  return address.startsWith('[') ? `${address}:${defaultPort}` : hostPort(address, defaultPort);
}

/** Reads the port of an address. In an IPv6 address, the port is after the brackets. */
function readPort(address: string): number | undefined {
  const digits = /(?:^[^:]*|\]):(\d+)$/.exec(address)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
