// Marks in a JSON file, which persists across restarts.
import { AppError } from '../base/errors.ts';
import type { Files } from '../base/files.ts';
import { openKeptJson } from '../base/kept-json.ts';
import type { Logger } from '../base/logger.ts';
import { type Random, randomHex } from '../base/random.ts';
import type { StoredMark, StoredMarks } from './interface.ts';
import { storedMarksLengthMax, storedMarksMax } from './limits.ts';

/** Dependencies of the marks. */
export interface MarksOptions {
  /** Folder of the file; created with the first mark. */
  readonly folder: string;
  readonly files: Files;
  readonly logger: Logger;
  readonly random: Random;
}

/** Opens the marks. A damaged file is renamed and logged. */
export async function openMarks(options: MarksOptions): Promise<StoredMarks> {
  const { files, folder, logger, random } = options;
  const kept = await openKeptJson<readonly StoredMark[]>({
    files,
    folder,
    name: 'marks.json',
    first: [],
    parse: parseMarks,
    logDamage: (fields) => logger.warn('cannot read the marks of times', fields),
  });
  return {
    list: () => kept.value,
    add: async ({ timeMillis, text, link, labels }) => {
      const added = { id: randomHex(random, 2), timeMillis, text, link, labels };
      await kept.change((marks) => withMark(marks, added));
      return added;
    },
    remove: (id) => kept.change((marks) => without(marks, id)),
  };
}

function withMark(marks: readonly StoredMark[], added: StoredMark): readonly StoredMark[] {
  const kept = newest([...marks, added].toSorted((a, b) => a.timeMillis - b.timeMillis));
  if (kept.includes(added)) return kept;
  const why = 'there are too many, and each is later than this one';
  throw new AppError('resource-exhausted', `cannot add a mark: ${why}`);
}

function without(marks: readonly StoredMark[], id: string): readonly StoredMark[] {
  const left = marks.filter((mark) => mark.id !== id);
  if (left.length < marks.length) return left;
  throw new AppError('not-found', `cannot remove mark ${JSON.stringify(id)}: there is none`);
}

/** Returns the latest marks within the limits, at least one. */
function newest(marks: readonly StoredMark[]): readonly StoredMark[] {
  let length = 0;
  let from = marks.length;
  while (from > 0 && marks.length - from < storedMarksMax) {
    length += JSON.stringify(marks[from - 1]).length;
    if (length > storedMarksLengthMax) break;
    from -= 1;
  }
  return marks.slice(from);
}

function parseMarks(all: unknown): StoredMark[] {
  if (Array.isArray(all) && all.every(isMark)) return all;
  throw new AppError('data-loss', 'it is no list of marks');
}

function isMark(value: unknown): value is StoredMark {
  if (typeof value !== 'object' || value === null) return false;
  const { id, timeMillis, text, link, labels }: Record<string, unknown> = Object(value);
  return (
    typeof id === 'string' &&
    typeof timeMillis === 'number' &&
    typeof text === 'string' &&
    typeof link === 'string' &&
    typeof labels === 'object' &&
    labels !== null &&
    Object.values(labels).every((label) => typeof label === 'string')
  );
}
