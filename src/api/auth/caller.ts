// An accepted caller, with its scopes.
import { AppError } from '../../base/errors.ts';
import type { Scope } from '../../config/web/web-config.ts';
import { type Need, listScopes } from './scopes.ts';

/** An accepted caller. */
export interface Caller {
  /** Name for people: `token "ci"`. */
  readonly name: string;
  readonly scopes: ReadonlySet<Scope> | 'all';
}

/** Caller of every request if no credentials are required. */
export const anybody: Caller = { name: 'anybody', scopes: 'all' };

/**
 * Returns a caller's name and address for the log, or only the address if the caller is unknown.
 */
export function whoIs(caller: Caller | undefined, address: string): string {
  return caller === undefined || caller === anybody ? address : `${caller.name} at ${address}`;
}

/** Refuses a caller that lacks a scope. Errors: AppError 'permission-denied'. */
export function checkScope({ name, scopes }: Caller, need: Need, what: string): void {
  if (need === 'any' || scopes === 'all') return;
  const lacking = listScopes(need).find((scope) => !scopes.has(scope));
  if (lacking === undefined) return;
  const why = `${name} does not have the scope ${lacking}`;
  throw new AppError('permission-denied', `cannot use ${what}: ${why}`);
}
