// Reloads the page after a module could not be loaded.

/** Shortest time between two reloads. */
const reloadMillisMin = 60_000;
const tryMillis = 1_000;
const key = 'reloaded';

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
    isBack = await fetch(document.baseURI, { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    );
  }
  sessionStorage.setItem(key, String(Date.now()));
  location.reload();
}
