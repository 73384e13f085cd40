// Synchronizes the address bar with the page's state, and adds entries to the history.
import { type ParsedUrl, parseUrl, printUrl, type UrlState } from './url-state.ts';

/** A page with its state. */
export interface Place extends ParsedUrl {
  readonly route: string;
  /** Number of steps that Back can undo without leaving the page. */
  readonly steps: number;
}

/**
 * Kind of change: `step` adds a history entry; `adjust` replaces the current entry (typing,
 * scrolling, refresh).
 */
export type ChangeKind = 'step' | 'adjust';

/** Reads and writes the address bar, and notifies its listeners. */
export class UrlStore {
  readonly #base: string;
  readonly #listeners = new Set<() => void>();
  #place: Place;

  /** The only page; undefined if there are several. */
  readonly onlyRoute: string | undefined;

  constructor(base: string, onlyRoute?: string) {
    this.#base = base;
    this.onlyRoute = onlyRoute;
    this.#place = this.#read();
    addEventListener('popstate', () => this.#changed());
  }

  readonly get = (): Place => this.#place;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Changes a part of the page's state. */
  readonly change = (patch: Partial<UrlState>, kind: ChangeKind): void => {
    const state = { ...this.#place.state, ...patch };
    const search = printUrl(state, this.#place.unknown);
    if (search === printUrl(this.#place.state, this.#place.unknown)) return;
    this.#write(location.pathname + search, kind);
  };

  /** Undoes the last step, like the browser's Back button. */
  readonly undo = (): void => history.back();

  /** Navigates to another page of this server. */
  readonly goTo = (href: string, kind: ChangeKind = 'step'): void => {
    this.#write(href, kind);
  };

  /** Returns the URL of a page of this server, with `state` if given. */
  formatHref(route: string, state?: UrlState): string {
    const { pathname } = this.onlyRoute === undefined ? new URL(route, this.#base) : location;
    return pathname + (state === undefined ? '' : printUrl(state));
  }

  #write(href: string, kind: ChangeKind): void {
    const { steps } = this.#place;
    if (kind === 'step') history.pushState(steps + 1, '', href);
    else history.replaceState(steps, '', href);
    this.#changed();
  }

  #changed(): void {
    this.#place = this.#read();
    for (const listener of this.#listeners) listener();
  }

  #read(): Place {
    const steps = typeof history.state === 'number' ? history.state : 0;
    const route = this.onlyRoute ?? findRoute(location.pathname, this.#base);
    return { ...parseUrl(location.search), route, steps };
  }
}

/** Returns the URL of the server, ending in "/". */
export function serverBase(documentBase: string): string {
  return new URL('.', documentBase).href;
}

/** Returns the page's path below the server's URL: "", "services", "explore", "targets". */
function findRoute(pathname: string, base: string): string {
  const prefix = new URL(base).pathname;
  const rest = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : pathname;
  return rest.replace(/^\/+|\/+$/g, '');
}
