// Opens dropped files, and goes to the page that shows them.
import type { AppParts } from '../page/app-context.ts';
import { firstView } from './file-view.ts';
import { addFiles } from './open-files.ts';

/** Shows one file, or compares the first two; names those that cannot be read. */
export async function openDropped(
  files: readonly File[],
  { url, trees }: Pick<AppParts, 'url' | 'trees'>,
): Promise<void> {
  const opened = await addFiles(files, trees);
  url.goTo(url.formatHref('file', opened.length === 0 ? undefined : firstView(opened)));
}
