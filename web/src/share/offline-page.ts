// Saves the page with the visible data as a single HTML file that can be opened from disk.
import type { Explore } from '../answers/use-explore.ts';
import { isDiff, profileTypeOfQuery } from '../language/query-text.ts';
import type { SideWords } from '../language/side-letters.ts';
import type { Api } from '../rpc/api.ts';
import { printUrl, type UrlState } from '../url/url-state.ts';
import { exportBytes, saveFile } from './export-files.ts';
import { offlineClass, type OfflineFacts, offlineId } from './offline-data.ts';

interface OfflineView {
  readonly base: string;
  readonly api: Api;
  readonly explore: Explore;
  readonly state: UrlState;
  readonly sides: SideWords;
  readonly facts: Omit<OfflineFacts, 'lines'>;
  /** Name of the file without its extension. */
  readonly name: string;
}

/** Placeholder for the data in the server's page. */
const place = '<!-- data -->';

/** One profile of the page. */
interface Part {
  /** File name; the view selects the profile by this name. */
  readonly name: string;
  readonly query: string;
}

/** Saves the page. Errors: those of the exports; Error if the page cannot be loaded. */
export async function saveOfflinePage(view: OfflineView): Promise<void> {
  const { base, api, explore, state, facts, name } = view;
  const { query, selectedSpan: span } = explore;
  // This module is loaded on demand, because it loads the grammar, too.
  const { describeLines } = await import('./offline-lines.ts');
  const parts = await listParts(query, view);
  const [page, lines, ...files] = await Promise.all([
    fetch(new URL('offline.html', document.baseURI)),
    describeLines(api, base, explore, parts),
    ...parts.map((part) => exportBytes(base, part.query, span, 'pprof')),
  ]);
  if (!page.ok) throw new Error('the server has no offline page');
  // Stages are already applied to the data, so the saved view contains only the rest of the query.
  const type = profileTypeOfQuery(query);
  const [one, other] = parts.map((part) => `${type}{file=${JSON.stringify(part.name)}}`);
  const seen = { ...state, query: other === undefined ? one : `diff(${one}, ${other})` };
  const about = { view: printUrl(seen), query, facts: JSON.stringify({ ...facts, lines }) };
  const data = files.map((bytes, i) => dataElement(parts[i].name, bytes, i === 0 ? about : {}));
  const text = await page.text();
  // The scripts after this position contain the placeholder, too.
  const at = text.indexOf(place);
  const pieces = [text.slice(0, at), ...data, text.slice(at + place.length)];
  saveFile(`${name}.html`, new Blob(pieces, { type: 'text/html' }));
}

async function listParts(query: string, { sides, name }: OfflineView): Promise<Part[]> {
  if (!isDiff(query)) return [{ name: `${name}.pb.gz`, query }];
  const { sideQuery } = await import('../language/comparison.ts');
  const isSame = sides.before === sides.now;
  return (['before', 'now'] as const).map((side) => ({
    name: isSame ? `${side} ${sides[side]}` : sides[side],
    query: sideQuery(query, side),
  }));
}

function dataElement(
  name: string,
  bytes: Uint8Array,
  about: Readonly<Record<string, string>>,
): string {
  const id = about['view'] === undefined ? '' : ` id="${offlineId}"`;
  const facts = Object.entries({ name, ...about }).map(
    ([key, value]) => ` data-${key}="${escaped(value)}"`,
  );
  return `<script type="text/plain" class="${offlineClass}"${id}${facts.join('')}>${encodeBase64(bytes)}</script>`;
}

function encodeBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  const pieceBytes = 0x8000;
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + pieceBytes)));
  }
  return btoa(pieces.join(''));
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
