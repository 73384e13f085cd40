// Shows the profile in an offline page.
import type { AppParts } from '../page/app-context.ts';
import { parseUrl } from '../url/url-state.ts';
import { firstView } from './file-view.ts';
import { readOfflineData } from '../share/offline-data.ts';
import { addFiles } from './open-files.ts';

/** Opens the data as a file, in the saved view. */
export async function openOffline({ url, trees }: AppParts): Promise<void> {
  const data = readOfflineData();
  if (data === undefined) return;
  const opened = await addFiles(data.files, trees);
  // After a link within the page or a reload, the URL contains a newer view.
  if (opened.length === 0 || location.search !== '') return;
  const { query, from, to, refresh } = firstView(opened);
  const state = { ...parseUrl(data.view).state, query, from, to, refresh };
  url.goTo(url.formatHref('file', state), 'adjust');
}
