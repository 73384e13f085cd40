// Explains to operators why a server cannot listen on an address.
import { errorMessage } from './errors.ts';

const reasons: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'the address is already in use'],
  ['EADDRNOTAVAIL', 'this host does not have the address'],
  ['ENOTFOUND', 'the name of the host is unknown'],
  ['EACCES', 'the user of this process may not use the port'],
]);

/** Returns the reason in an error that a `node:net` server emits instead of listening. */
export function whyNotListening(error: Error): string {
  const code = 'code' in error ? String(error.code) : '';
  return reasons.get(code) ?? errorMessage(error);
}
