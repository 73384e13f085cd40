// Commands of the palette: pages, times, services, and a search for the typed text.
import type { Command } from '../page/commands.ts';
import type { UrlStore } from '../url/url-store.ts';
import { lastMillis, presets } from '../url/time-range.ts';

/** A service that can be opened: its name and the query about it. */
export interface ServiceCommand {
  /** `Service`, or `Memory of`. */
  readonly kind: string;
  readonly name: string;
  readonly query: string;
}

/** Maximum number of visible commands. */
const commandsMax = 30;

/** Returns the commands that do not depend on the typed text. */
export function listCommands(
  url: UrlStore,
  pages: readonly (readonly [route: string, title: string])[],
  services: readonly ServiceCommand[],
  actions: readonly Command[],
): Command[] {
  const { state } = url.get();
  const explore = (patch: Partial<typeof state>) => () =>
    url.goTo(url.formatHref('explore', { ...state, selection: undefined, ...patch }));
  return [
    ...pages.map(([route, title]) => {
      return { kind: 'Go to', title, run: () => url.goTo(url.formatHref(route)) };
    }),
    ...services.map(({ kind, name, query }) => {
      return { kind, title: name, run: explore({ query, zoom: '', search: '' }) };
    }),
    ...presets.map(({ label, millis }) => {
      return { kind: 'Time', title: `Last ${label}`, run: explore(lastMillis(millis)) };
    }),
    ...actions,
  ];
}

/**
 * Returns the commands that contain all typed words; commands that start with the typed text come
 * first.
 */
export function matchingCommands(all: readonly Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const searchText = ({ kind, title }: Command): string => `${kind} ${title}`.toLowerCase();
  const found = all.filter((one) => words.every((word) => searchText(one).includes(word)));
  const begins = ({ title }: Command): number =>
    Number(!title.toLowerCase().startsWith(words[0] ?? ''));
  // Sorting keeps the order of equal commands.
  return found.sort((a, b) => begins(a) - begins(b)).slice(0, commandsMax);
}
