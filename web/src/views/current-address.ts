// URL of the current view, in the form that saved views use.
import type { UrlStore } from '../url/url-store.ts';

/** Returns the page and its state as a URL relative to the server: `explore?q=...`. */
export function currentAddress(url: UrlStore): string {
  const { route } = url.get();
  return `${route === '' ? 'services' : route}${location.search}`;
}
