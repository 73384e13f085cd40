// The text that a TextSource stands for.
import type { Files } from '../base/files.ts';
import type { TextSource } from './config.ts';

/**
 * The text itself, or what is in the file now. Files usually end in a newline that does not belong
 * to a secret.
 *
 * Errors: AppErrors of the disk.
 */
export async function readTextSource(
  source: TextSource,
  files: Pick<Files, 'read'>,
): Promise<string> {
  if (source.kind === 'inline') return source.text;
  return new TextDecoder().decode(await files.read(source.path)).trim();
}
