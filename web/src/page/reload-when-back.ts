// A reload of the page after a part of it could not be loaded.

/** Milliseconds after a reload in which there is no other. */
const reloadMillisMin = 60_000;
const tryMillis = 1_000;
const key = 'reloaded';

let isWaiting = false;

/**
 * Reloads the page as soon as the server answers. A part could not be loaded: the server was away,
 * or has another version now, whose parts have other names. The address holds what is shown.
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
