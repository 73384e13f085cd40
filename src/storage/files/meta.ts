// The `meta` file: the format version and the seeds of a store. docs/format/meta.md shows its
// format.
import { ByteReader, ByteWriter } from '../../base/bytes.ts';
import { crc32c } from '../../base/crc32c.ts';
import { AppError } from '../../base/errors.ts';
import type { Files } from '../../base/files.ts';
import { replaceFile } from '../../base/durable-files.ts';
import type { Seeds } from '../../model/dictionary.ts';

export const metaName = 'meta';
/** Version of a storage directory. A server refuses a directory with a newer version. */
export const formatVersion = 1;
const magic = 0x5441_4d50; // "PMAT"
const metaBytes = 40;

interface Meta {
  readonly version: number;
  readonly seeds: Seeds;
  readonly createdNanos: bigint;
}

/**
 * Reads the meta file of a directory; undefined when it is missing or damaged.
 *
 * Errors: AppError 'failed-precondition' when a newer program wrote it.
 */
export async function readMeta(files: Files, path: string): Promise<Meta | undefined> {
  const file = `${path}/${metaName}`;
  if (!(await files.exists(file))) return undefined;
  const bytes = await files.read(file);
  // Files of every version end with a checksum. So a file of a newer version can be told from a
  // damaged file.
  const checked = bytes.length - 4;
  if (checked < 8 || new ByteReader(bytes, checked).u32() !== crc32c(bytes, 0, checked)) {
    return undefined;
  }
  const reader = new ByteReader(bytes);
  if (reader.u32() !== magic) return undefined;
  const version = reader.u32();
  if (version > formatVersion) {
    throw new AppError(
      'failed-precondition',
      `cannot open storage path ${path}: its format is version ${version}, ` +
        `this server reads up to ${formatVersion}`,
    );
  }
  const seeds: Seeds = [reader.u32() | 0, reader.u32() | 0, reader.u32() | 0];
  reader.skip(4);
  return { version, seeds, createdNanos: reader.i64() };
}

/** Writes the meta file. After a crash there is either the old file or the new file. */
export async function writeMeta(files: Files, path: string, meta: Meta): Promise<void> {
  const writer = new ByteWriter(metaBytes);
  writer.u32(magic);
  writer.u32(meta.version);
  for (const seed of meta.seeds) writer.u32(seed);
  writer.u32(0);
  writer.i64(meta.createdNanos);
  writer.u32(0);
  writer.u32(crc32c(writer.bytes, 0, writer.length));
  await replaceFile(files, `${path}/${metaName}`, (file) => file.append(writer.copy()));
}
