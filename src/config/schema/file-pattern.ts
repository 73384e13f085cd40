// Paths whose last name may contain one `*`, for lists of targets and of jobs.
import { basename, dirname, join, resolve } from 'node:path';
import type { Files } from '../../base/files.ts';
import { nonEmptyText, refine, refuse, type Reader } from './read.ts';

/** Reads a pattern of file names, which must end in one of `endings`. */
export function filePattern(endings: readonly ('json' | 'yml' | 'yaml')[]): Reader<string> {
  const form = new RegExp(`\\.(${endings.join('|')})$`, 'i');
  return refine(nonEmptyText, (pattern, place) => {
    const countStars = (value: string): number => value.split('*').length - 1;
    const isGood =
      countStars(pattern) <= 1 && countStars(pattern) === countStars(basename(pattern));
    if (isGood && form.test(pattern)) return resolve(dirname(place.source.file), pattern);
    const [last, ...others] = endings.toReversed();
    const list = `${others
      .reverse()
      .map((ending) => `.${ending}`)
      .join(', ')} or .${last}`;
    return refuse(
      place,
      `a path that ends in ${list}, with at most one * in its name before that, such as targets/*.${endings.includes('json') ? 'json' : 'yml'}`,
    );
  });
}

/**
 * Returns the files that match a pattern, sorted by name. A path without a star is returned even if
 * the file does not exist.
 *
 * Errors: AppErrors of listing its folder.
 */
export async function matchingFiles(
  pattern: string,
  files: Pick<Files, 'list'>,
): Promise<readonly string[]> {
  const [start, end] = basename(pattern).split('*');
  if (end === undefined) return [pattern];
  const folder = dirname(pattern);
  const names = await files.list(folder);
  return names
    .filter((name) => {
      const isLong = name.length >= start.length + end.length;
      return isLong && name.startsWith(start) && name.endsWith(end);
    })
    .sort()
    .map((name) => join(folder, name));
}
