// The deletions of a block: which profiles are still in its file but no longer shown.
//
// They are listed in a file next to the block; docs/format/deleted.md shows its format. Reads leave
// out deleted profiles, and the next compaction drops them.
import { ByteReader, ByteWriter } from '../../base/bytes.ts';
import { crc32c } from '../../base/crc32c.ts';
import { AppError, errorCode, errorMessage } from '../../base/errors.ts';
import type { Files } from '../../base/files.ts';
import { labelValue, profileNameLabel } from '../../model/labels.ts';
import { createMatcher, type LabelMatcher, type MatchOperator } from '../../model/matcher.ts';
import { formatProfileType } from '../../model/profile-type.ts';
import { deletedPath } from './block-names.ts';
import type { TimeRange } from '../interface.ts';
import { replaceFile } from '../../base/durable-files.ts';
import { listProfileTypes, type StreamKey } from '../series/stream-key.ts';

/** A deletion: all profiles of the matching streams in a time range. */
export interface Deletion {
  /** Matchers of series labels and of `__name__`; a missing label has the value "". */
  readonly matchers: readonly LabelMatcher[];
  /** Profile type that a stream must have, as a string; undefined = any type. */
  readonly profileType: string | undefined;
  readonly range: TimeRange;
}

/** Deletion of every profile of a block. */
const deletionOfAll: Deletion = {
  matchers: [],
  profileType: undefined,
  range: { from: -(2n ** 63n), to: 2n ** 63n - 1n },
};

const magic = 0x4c45_4450; // "PDEL"
const version = 1;
/** Operators, in the order of their numbers in the file. */
const operators: readonly MatchOperator[] = ['=', '!=', '=~', '!~'];

/** Returns the time ranges in which the profiles of a stream are deleted. */
export function deletedRanges(deletions: readonly Deletion[], key: StreamKey): TimeRange[] {
  return deletions.filter((deletion) => selectsStream(deletion, key)).map(({ range }) => range);
}

function selectsStream({ matchers, profileType }: Deletion, key: StreamKey): boolean {
  const readValue = (name: string): string =>
    name === profileNameLabel ? key.name : labelValue(key.labels, name);
  if (!matchers.every((matcher) => matcher.matches(readValue(matcher.name)))) return false;
  if (profileType === undefined) return true;
  return listProfileTypes(key).some((type) => formatProfileType(type) === profileType);
}

/**
 * Reads the deletions of a block; none if there is no file.
 *
 * Errors: AppError 'data-loss' when the file is damaged. In this case the block must not be read,
 * because its deletions are unknown.
 */
export async function readDeletions(files: Files, blockPath: string): Promise<Deletion[]> {
  const path = deletedPath(blockPath);
  if (!(await files.exists(path))) return [];
  const bytes = await files.read(path);
  try {
    return decodeDeletions(bytes);
  } catch (error) {
    throw new AppError('data-loss', `cannot read deletions ${path}: ${errorMessage(error)}`);
  }
}

/**
 * Writes all deletions of a block, durably. After a crash there is either the old file or the new
 * file.
 */
export async function writeDeletions(
  files: Files,
  blockPath: string,
  deletions: readonly Deletion[],
): Promise<void> {
  await replaceFile(files, deletedPath(blockPath), (file) =>
    file.append(encodeDeletions(deletions)),
  );
}

/**
 * Adds a deletion of every profile of a block, durably. The block itself may no longer exist: after
 * a crash, the file tells the store to remove the block from its bucket.
 *
 * Errors: I/O errors.
 */
export async function writeDeletionOfAll(files: Files, blockPath: string): Promise<void> {
  let deletions: readonly Deletion[] = [];
  try {
    deletions = await readDeletions(files, blockPath);
  } catch (error) {
    // A damaged file may be replaced, because the whole block is deleted anyway.
    if (errorCode(error) !== 'data-loss') throw error;
  }
  if (deletions.some(isOfAll)) return;
  await writeDeletions(files, blockPath, [...deletions, deletionOfAll]);
}

/** Returns true if the bytes are a file of deletions that deletes every profile of a block. */
export function deletesAll(bytes: Uint8Array): boolean {
  try {
    return decodeDeletions(bytes).some(isOfAll);
  } catch (error) {
    if (errorCode(error) === 'data-loss') return false;
    throw error;
  }
}

function isOfAll({ matchers, profileType, range }: Deletion): boolean {
  const { from, to } = deletionOfAll.range;
  return (
    matchers.length === 0 && profileType === undefined && range.from === from && range.to === to
  );
}

export function encodeDeletions(deletions: readonly Deletion[]): Uint8Array {
  const writer = new ByteWriter();
  writer.u32(magic);
  writer.u32(version);
  writer.varint(deletions.length);
  for (const { matchers, profileType, range } of deletions) {
    writer.i64(range.from);
    writer.i64(range.to);
    writer.text(profileType ?? '');
    writer.varint(matchers.length);
    for (const { name, operator, value } of matchers) {
      writer.u8(operators.indexOf(operator));
      writer.text(name);
      writer.text(value);
    }
  }
  writer.u32(crc32c(writer.bytes, 0, writer.length));
  return writer.copy();
}

/** Decodes deletions. Errors: AppError 'data-loss' when the bytes are damaged. */
export function decodeDeletions(bytes: Uint8Array): Deletion[] {
  const end = bytes.length - 4;
  if (end < 8 || new ByteReader(bytes, end).u32() !== crc32c(bytes, 0, end)) {
    throw new AppError('data-loss', 'its checksum is wrong');
  }
  const reader = new ByteReader(bytes, 0, end);
  if (reader.u32() !== magic) throw new AppError('data-loss', 'it is not a file of deletions');
  const found = reader.u32();
  if (found !== version) {
    throw new AppError('data-loss', `it is of version ${found}, this server reads ${version}`);
  }
  const deletions: Deletion[] = [];
  for (let left = reader.varint(); left > 0; left -= 1) deletions.push(decodeDeletion(reader));
  return deletions;
}

function decodeDeletion(reader: ByteReader): Deletion {
  const range = { from: reader.i64(), to: reader.i64() };
  const profileType = reader.text();
  const matchers: LabelMatcher[] = [];
  for (let left = reader.varint(); left > 0; left -= 1) {
    const operator = operators.at(reader.u8());
    if (operator === undefined) throw new AppError('data-loss', 'it has an unknown operator');
    const name = reader.text();
    matchers.push(createMatcher(name, operator, reader.text()));
  }
  return { matchers, profileType: profileType === '' ? undefined : profileType, range };
}
