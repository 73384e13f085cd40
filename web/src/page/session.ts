// The reader's session: requests that were refused for want of one are repeated after a login.
import { Store, useStore } from './store.ts';

const isOut = new Store(false);
const waiting = new Set<() => void>();

/** Notes that a request needs a login, and repeats it afterwards, unless `signal` comes first. */
export function waitForLogin(repeat: () => void, signal?: AbortSignal): void {
  isOut.set(true);
  waiting.add(repeat);
  signal?.addEventListener('abort', () => waiting.delete(repeat), { once: true });
}

/** Repeats the requests that waited. */
export function noteLogin(): void {
  isOut.set(false);
  for (const repeat of waiting) {
    waiting.delete(repeat);
    repeat();
  }
}

/** Returns true from the first refused request until the reader is logged in. */
export function useLoggedOut(): boolean {
  return useStore(isOut);
}
