// Copy of a profile that is stored on the server and opened like a file.
import type { OpenedFile } from '../../file-engine/messages.ts';
import type { AppParts } from '../page/app-context.ts';
import { addFiles, failFile } from './open-files.ts';

/**
 * Opens the copy. Returns undefined if that fails; the page then shows an error next to the copy's
 * name.
 */
export async function openSharedCopy(
  id: string,
  { base, trees }: Pick<AppParts, 'base' | 'trees'>,
): Promise<OpenedFile | undefined> {
  const name = `copy ${id.slice(0, 8)}`;
  try {
    const response = await fetch(`${base}api/v1/shares/${encodeURIComponent(id)}/profile.pb.gz`);
    if (!response.ok) throw new Error('the server has no such copy, or does not show it to you');
    const [opened] = await addFiles([new File([await response.blob()], name)], trees);
    return opened;
  } catch (error) {
    failFile(name, error);
    return undefined;
  }
}
