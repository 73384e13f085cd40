// Reloads the page after a module could not be loaded.
import { waitForLogin } from './session.ts';

/** Shortest time between two reloads, in milliseconds. */
const reloadMillisMin = 60_000;
const tryMillis = 1_000;
const key = 'reloaded';
const httpUnauthorized = 401;

let isWaiting = false;

/**
 * Reloads the page as soon as the server responds. It is called when a module could not be loaded,
 * because the server was unavailable, or has a new version with other file names. The view is in
 * the URL.
 */
export async function reloadWhenBack(): Promise<void> {
  if (isWaiting || Date.now() - Number(sessionStorage.getItem(key)) < reloadMillisMin) return;
  isWaiting = true;
  let isBack = false;
  while (!isBack) {
    await new Promise((resolve) => void setTimeout(resolve, tryMillis));
    const status = await fetch(document.baseURI, { cache: 'no-store' }).then(
      (answer) => answer.status,
      () => 0,
    );
    isBack = status === 200;
    // Without a session, the server refuses the page's files.
    if (status === httpUnauthorized) await new Promise<void>((resolve) => waitForLogin(resolve));
  }
  sessionStorage.setItem(key, String(Date.now()));
  location.reload();
}
