// Makes a single HTML file of the page and the visible data, which can be opened from disk.
import { offlineId, offlineName } from './offline-data.ts';
import { isDiff, profileTypeOfQuery } from '../language/query-text.ts';
import type { Span } from '../rpc/api.ts';
import { printUrl, type UrlState } from '../url/url-state.ts';
import { exportBytes, saveFile } from './export-files.ts';

interface OfflineView {
  readonly base: string;
  readonly query: string;
  readonly span: Span;
  readonly state: UrlState;
}

/** Position of the data in the page of the server. */
const place = '<!-- data -->';

/** Saves the page. Errors: those of the export; Error for a comparison, or without the page. */
export async function saveOfflinePage({ base, query, span, state }: OfflineView): Promise<void> {
  if (isDiff(query)) throw new Error('an offline page holds one side: open one side first');
  const [bytes, page] = await Promise.all([
    exportBytes(base, query, span, 'pprof'),
    fetch(new URL('offline.html', document.baseURI)),
  ]);
  if (!page.ok) throw new Error('the server has no offline page');
  // Stages are already applied to the data, so the view has only the rest.
  const seen = { ...state, query: `${profileTypeOfQuery(query)}{file="${offlineName}"}` };
  const data =
    `<script type="text/plain" id="${offlineId}" data-view="${escaped(printUrl(seen))}" ` +
    `data-query="${escaped(query)}">${encodeBase64(bytes)}</script>`;
  const text = await page.text();
  // The script after that position contains these words, too.
  const at = text.indexOf(place);
  const parts = [text.slice(0, at), data, text.slice(at + place.length)];
  saveFile('profile.html', new Blob(parts, { type: 'text/html' }));
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
