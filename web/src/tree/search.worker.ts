// Worker that matches names; it is terminated if an expression takes too long.
import { createNameMatcher, matchNames, type SearchMode } from './search.ts';
import { unpackStrings } from './strings.ts';
import type { Strings } from './tree.ts';

export type ToSearchWorker =
  | { readonly kind: 'names'; readonly names: Strings }
  | { readonly kind: 'search'; readonly text: string; readonly mode: SearchMode };

export type FromSearchWorker =
  | { readonly ok: true; readonly hit: Uint8Array<ArrayBuffer> }
  | { readonly ok: false; readonly message: string };

let names: readonly string[] = [];

self.addEventListener('message', (event: MessageEvent<ToSearchWorker>) => {
  const { data } = event;
  if (data.kind === 'names') {
    names = unpackStrings(data.names);
    return;
  }
  const matcher = createNameMatcher(data.text, data.mode);
  const answer: FromSearchWorker = matcher.ok
    ? { ok: true, hit: Uint8Array.from(matchNames(names, matcher.matches)) }
    : matcher;
  self.postMessage(answer);
});
