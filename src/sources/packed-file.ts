// Format of packed sources: each file can be read without the others.
//
// frames    each file as a zstd frame, one after the other
// index     a zstd frame of JSON rows [name, offset of the frame, its bytes, bytes of the file]
// footer    16 bytes, little-endian: bytes of the index's frame (4), its content's (4), magic (8)
import { asBytes } from '../base/owned.ts';
import { AppError, errorMessage } from '../base/errors.ts';
import type { File, Files } from '../base/files.ts';
import { sourceArchiveMembersMax, sourceListsBytesMax } from './limits.ts';
import { jsonPieceLength, sourceFileBytesMax } from '../base/limits.ts';
import type { Pacer } from '../base/pacer.ts';
import { splitJsonList } from '../base/text/json.ts';
import { constants, zstdCompress, zstdDecompress } from '../base/threads/zlib.ts';

/** One source file: its name and its frame. */
export type PackedRow = readonly [
  name: string,
  offset: number,
  bytes: number,
  contentBytes: number,
];

const magic = 0x3143_5253_4b43_4150n; // "PACKSRC1"
const footerBytes = 16;
/** Maximum size of the index. A row has a name, which JSON may escape, and three numbers. */
const indexBytesMax = 2 * sourceListsBytesMax + 64 * sourceArchiveMembersMax;
const params = { [constants.ZSTD_c_checksumFlag]: 1 };

/** Writes a packed file, one source file at a time. */
export class PackedWriter {
  readonly #file: File;
  readonly #rows = new Map<string, PackedRow>();
  #bytes = 0;

  constructor(file: File) {
    this.#file = file;
  }

  get fileCount(): number {
    return this.#rows.size;
  }

  has(name: string): boolean {
    return this.#rows.has(name);
  }

  /** Adds a file, which replaces an earlier file with the same name. */
  async add(name: string, content: Uint8Array): Promise<void> {
    const frame = await zstdCompress(content, { params });
    await this.#file.append(frame);
    this.#rows.set(name, [name, this.#bytes, frame.length, content.length]);
    this.#bytes += frame.length;
  }

  /** Writes the index, and makes the file durable. Returns its size. */
  async finish(): Promise<number> {
    const index = new TextEncoder().encode(JSON.stringify([...this.#rows.values()]));
    const frame = await zstdCompress(index, { params });
    const footer = new DataView(new ArrayBuffer(footerBytes));
    footer.setUint32(0, frame.length, true);
    footer.setUint32(4, index.length, true);
    footer.setBigUint64(8, magic, true);
    await this.#file.append(frame);
    await this.#file.append(new Uint8Array(footer.buffer));
    await this.#file.sync();
    return this.#bytes + frame.length + footerBytes;
  }
}

/**
 * Reads the index, and passes on a few hundred rows at a time, so that the index of 250,000 files
 * is parsed in slices. `pacer` pauses between slices.
 *
 * Errors: AppError 'data-loss' for a file of another format; errors of `pacer`.
 */
export async function readPackedRows(
  files: Files,
  path: string,
  pacer: Pick<Pacer, 'pause'>,
  take: (rows: readonly PackedRow[]) => void,
): Promise<void> {
  const index = await withFile(files, path, async (file) => {
    const size = await file.size();
    const footer = new DataView((await readAt(file, size - footerBytes, footerBytes)).buffer);
    if (footer.getBigUint64(8, true) !== magic) throw new Error('it is not a packed file');
    const frameBytes = footer.getUint32(0, true);
    const frame = await readAt(file, size - footerBytes - frameBytes, frameBytes);
    return decompress(frame, footer.getUint32(4, true), indexBytesMax);
  });
  const decoder = new TextDecoder();
  for (const piece of splitJsonList(index, jsonPieceLength)) {
    take(parseRows(path, decoder.decode(piece)));
    await pacer.pause();
  }
}

function parseRows(path: string, text: string): PackedRow[] {
  try {
    const rows: unknown = JSON.parse(`[${text}]`);
    if (Array.isArray(rows) && rows.every(isRow)) return rows;
    throw new Error('its index has other rows');
  } catch (error) {
    throw damaged(path, error);
  }
}

function damaged(path: string, error: unknown): AppError {
  const message = `cannot read packed sources ${path}: ${errorMessage(error)}`;
  return new AppError('data-loss', message, { cause: error });
}

/** Reads one source file. Errors: AppError 'data-loss'. */
export function readPacked(files: Files, path: string, row: PackedRow): Promise<Uint8Array> {
  const [, offset, bytes, contentBytes] = row;
  return withFile(files, path, async (file) =>
    decompress(await readAt(file, offset, bytes), contentBytes, sourceFileBytesMax),
  );
}

async function withFile<T>(
  files: Files,
  path: string,
  read: (file: File) => Promise<T>,
): Promise<T> {
  const file = await files.open(path, { create: false });
  try {
    return await read(file);
  } catch (error) {
    throw damaged(path, error);
  } finally {
    await file.close();
  }
}

async function readAt(file: File, offset: number, bytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (offset < 0) throw new Error('it is too short');
  const into = new Uint8Array(bytes);
  if ((await file.read(into, offset)) !== bytes) throw new Error('it is too short');
  return into;
}

async function decompress(
  frame: Uint8Array,
  bytes: number,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes > bytesMax) throw new Error(`${bytes} bytes are over the limit of ${bytesMax}`);
  const content = await zstdDecompress(frame, { maxOutputLength: Math.max(bytes, 1) });
  if (content.length !== bytes) throw new Error(`${content.length} bytes came of ${bytes}`);
  return asBytes(content);
}

function isRow(row: unknown): row is PackedRow {
  return (
    Array.isArray(row) &&
    row.length === 4 &&
    typeof row[0] === 'string' &&
    row.slice(1).every((number) => Number.isSafeInteger(number) && number >= 0)
  );
}
