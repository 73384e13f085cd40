// The address of what is shown, as saved views have it.
import type { UrlStore } from '../url/url-store.ts';

/** Returns the page and its state, relative to the server: `explore?q=...`. */
export function currentAddress(url: UrlStore): string {
  const { route } = url.get();
  return `${route === '' ? 'services' : route}${location.search}`;
}
