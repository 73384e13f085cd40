// View of files: a query for the files, and a range that contains all their profiles.
import type { OpenedFile } from '../../file-engine/messages.ts';
import { bestProfileType } from '../format/profile-type.ts';
import { fixedRange } from '../url/time-range.ts';
import { parseUrl, type UrlState } from '../url/url-state.ts';

/** Time added before and after the profiles of a file, so that a range is never empty. */
const marginMillis = 60_000;
/** Largest time of int64 nanoseconds. */
const latestMillis = 9_223_372_036_854;

/** Returns the page state for a file, or for comparing the first of two files with the second. */
export function firstView(files: readonly OpenedFile[]): UrlState {
  const [first, second] = files;
  const range = findRange(files);
  const shared = first.types
    .map(({ type }) => type)
    .filter((type) => second === undefined || second.types.some((other) => other.type === type));
  const isDiff = second !== undefined && shared.length > 0;
  const type = bestProfileType(shared) ?? first.types[0]?.type ?? '';
  return {
    ...parseUrl('').state,
    ...range,
    query: isDiff ? `diff(${ofFile(type, first)}, ${ofFile(type, second)})` : ofFile(type, first),
    refresh: 0,
  };
}

function ofFile(type: string, { name }: OpenedFile): string {
  return `${type}{file=${JSON.stringify(name)}}`;
}

function findRange(files: readonly OpenedFile[]) {
  const types = files.flatMap((file) => file.types);
  const from = Math.min(...types.map(({ fromMillis }) => fromMillis));
  const to = Math.max(...types.map(({ toMillis }) => toMillis));
  return fixedRange(Math.max(0, from - marginMillis), Math.min(to + marginMillis, latestMillis));
}
