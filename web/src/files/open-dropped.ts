// Opens dropped files, and navigates to the page for them.
import type { AppParts } from '../page/app-context.ts';
import { firstView } from './file-view.ts';
import { addFiles } from './open-files.ts';

/** Opens a file, or compares the first two; reports files that cannot be read. */
export async function openDropped(
  files: readonly File[],
  { url, trees }: Pick<AppParts, 'url' | 'trees'>,
): Promise<void> {
  const opened = await addFiles(files, trees);
  url.goTo(url.formatHref('file', opened.length === 0 ? undefined : firstView(opened)));
}
