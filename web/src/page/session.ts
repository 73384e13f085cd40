// Keeps requests that were refused without a session, and repeats them after a login.
import { Store, useStore } from './store.ts';

const isOut = new Store(false);
const waiting = new Set<() => void>();

/**
 * Records that a request needs a login, and repeats it after the login, unless `signal` is aborted
 * first.
 */
export function waitForLogin(repeat: () => void, signal?: AbortSignal): void {
  isOut.set(true);
  waiting.add(repeat);
  signal?.addEventListener('abort', () => waiting.delete(repeat), { once: true });
}

/** Repeats the waiting requests. */
export function noteLogin(): void {
  isOut.set(false);
  for (const repeat of waiting) {
    waiting.delete(repeat);
    repeat();
  }
}

/** Returns true from the first refused request until the user is logged in. */
export function useLoggedOut(): boolean {
  return useStore(isOut);
}
