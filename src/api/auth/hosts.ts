// Host names that cannot belong to another site.
import { isIP } from 'node:net';

/** Returns true if only programs on the same machine can reach a listening address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** Suffixes of names that cannot be registered. */
const privateEnds: ReadonlySet<string> = new Set(
  'localhost local internal test example invalid home corp lan svc home.arpa'.split(' '),
);

/**
 * Returns true if a `Host` is an address, a name without a dot, a private name, or an allowed name:
 * nobody else can register such a name for the address of this server.
 */
export function isSafeHost(host: string, allowed: readonly string[]): boolean {
  const name = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(host)?.[1].toLowerCase().replace(/\.$/, '');
  if (name === undefined) return false;
  if (isIP(name.replace(/^\[|\]$/g, '')) !== 0) return true;
  if (!name.includes('.') || allowed.includes(name)) return true;
  const parts = name.split('.');
  return privateEnds.has(parts.at(-1) ?? '') || privateEnds.has(parts.slice(-2).join('.'));
}
