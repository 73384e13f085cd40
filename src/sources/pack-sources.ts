// Packs an uploaded archive of sources, which is a tar archive, optionally compressed by gzip or
// zstd. No member is unpacked to a path on the disk, so names that lead out of the folder are
// harmless.
import { pipeline } from 'node:stream/promises';
import type { ReadEntry } from 'tar';
import { Parser } from 'tar/parse';
import { AppError, errorMessage } from '../base/errors.ts';
import type { File, Files } from '../base/files.ts';
import {
  sourceArchiveBytesMax,
  sourceArchiveMembersMax,
  sourceListsBytesMax,
  sourceNameLengthMax,
} from './limits.ts';
import { sourceFileBytesMax } from '../base/limits.ts';
import { createGunzip, createZstdDecompress } from '../base/threads/zlib.ts';
import { PackedWriter } from './packed-file.ts';
import { plainName } from './source-name.ts';

/** Limits of an archive. In production, they come from limits.ts. */
export interface ArchiveLimits {
  readonly bytesMax: number;
  readonly membersMax: number;
  readonly fileBytesMax: number;
}

/** Result of packing. */
export interface PackedSources {
  readonly fileCount: number;
  /** Size of the packed file. */
  readonly bytes: number;
  /** Sentence about omitted members; "" if there are none. */
  readonly leftOut: string;
}

const usualLimits: ArchiveLimits = {
  bytesMax: sourceArchiveBytesMax,
  membersMax: sourceArchiveMembersMax,
  fileBytesMax: sourceFileBytesMax,
};

const chunkBytes = 256 * 1024;
/** The first bytes of formats that people may send, and their names. */
const formats: readonly { readonly magic: readonly number[]; readonly name: string }[] = [
  { magic: [0x1f, 0x8b], name: 'gzip' },
  { magic: [0x28, 0xb5, 0x2f, 0xfd], name: 'zstd' },
  { magic: [0x50, 0x4b, 0x03, 0x04], name: 'zip' },
  { magic: [0xfd, 0x37, 0x7a, 0x58], name: 'xz' },
  { magic: [0x42, 0x5a, 0x68], name: 'bzip2' },
];

/**
 * Reads the archive `from` and writes the new file `to`, which is durable when it resolves.
 *
 * Errors: AppError 'invalid-argument' with the reason why the archive cannot be kept; the reason of
 * `signal` as soon as it is aborted.
 */
export async function packSources(
  files: Files,
  from: string,
  to: string,
  signal: AbortSignal,
  limits: ArchiveLimits = usualLimits,
): Promise<PackedSources> {
  const source = await files.open(from, { create: false });
  const target = await files.open(to, { create: true });
  try {
    const packer = new Packer(new PackedWriter(target), limits, signal);
    await unpackInto(source, packer, signal);
    return await packer.finish();
  } finally {
    await source.close();
    await target.close();
  }
}

async function unpackInto(source: File, packer: Packer, signal: AbortSignal): Promise<void> {
  const start = new Uint8Array(4);
  await source.read(start, 0);
  const format = detectFormat(start);
  const take = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of chunks) await packer.take(chunk);
  };
  try {
    if (format === undefined) await take(readChunks(source));
    else if (format === 'gzip')
      await pipeline(readChunks(source), createGunzip(), take, { signal });
    else if (format === 'zstd') await takeFrames(source, take, signal);
    else throw unreadable(`it is ${format}; pack it by tar, with gzip or zstd`);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof AppError ? error : unreadable(errorMessage(error), error);
  }
}

/**
 * Calls `take` with the content of each zstd frame. Node's stream cannot be used, because it ends
 * after the first frame, and pzstd writes many frames.
 */
async function takeFrames(
  source: File,
  take: (chunks: AsyncIterable<Uint8Array>) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const size = await source.size();
  for (let offset = 0; offset < size;) {
    const frame = createZstdDecompress();
    await pipeline(readChunks(source, offset), frame, take, { signal });
    if (frame.bytesWritten === 0) throw unreadable('it has an empty zstd frame');
    offset += frame.bytesWritten;
  }
}

async function* readChunks(file: File, from = 0): AsyncGenerator<Uint8Array> {
  for (let offset = from; ;) {
    const chunk = new Uint8Array(chunkBytes);
    const bytes = await file.read(chunk, offset);
    if (bytes === 0) return;
    yield chunk.subarray(0, bytes);
    offset += bytes;
  }
}

function detectFormat(start: Uint8Array): string | undefined {
  return formats.find(({ magic }) => magic.every((byte, i) => start[i] === byte))?.name;
}

/** Packs the files of a tar archive. */
class Packer {
  readonly #writer: PackedWriter;
  readonly #limits: ArchiveLimits;
  readonly #signal: AbortSignal;
  readonly #parser: Parser;
  readonly #leftOut = new Map<string, { count: number; readonly first: string }>();
  /** Files whose content has arrived. */
  #ready: { readonly name: string; readonly content: Uint8Array }[] = [];
  #failure: AppError | undefined;
  #bytes = 0;
  #memberCount = 0;
  #nameBytes = 0;
  #isAtEnd = false;

  constructor(writer: PackedWriter, limits: ArchiveLimits, signal: AbortSignal) {
    this.#writer = writer;
    this.#signal = signal;
    this.#limits = limits;
    this.#parser = new Parser({
      onReadEntry: (entry) => this.#begin(entry),
      onwarn: (code, message) => {
        // TAR_ENTRY_INFO is only about unpacking members to the disk.
        if (code !== 'TAR_ENTRY_INFO') this.#failure ??= unreadable(errorMessage(message));
      },
    });
    // Bytes after the end of the archive are not passed to the parser, where they would accumulate.
    this.#parser.on('eof', () => (this.#isAtEnd = true));
    this.#parser.on('ignoredEntry', (entry: ReadEntry) => {
      if (entry.meta) this.#failure ??= unreadable(`a header has ${entry.size} bytes`);
      else this.#leaveOut(`of type ${entry.type}`, entry.path);
    });
  }

  async take(chunk: Uint8Array): Promise<void> {
    if (this.#bytes === 0 && detectFormat(chunk) !== undefined) {
      throw unreadable(`its content is ${detectFormat(chunk)}, not tar`);
    }
    this.#bytes += chunk.length;
    const { bytesMax, membersMax } = this.#limits;
    if (this.#bytes > bytesMax) throw unreadable(`it has more than ${bytesMax} bytes`);
    if (!this.#isAtEnd)
      this.#parser.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
    if (this.#memberCount > membersMax) throw unreadable(`it has more than ${membersMax} members`);
    if (this.#nameBytes > sourceListsBytesMax) {
      throw unreadable(`its names have more than ${sourceListsBytesMax} characters`);
    }
    if (this.#failure !== undefined) throw this.#failure;
    const ready = this.#ready;
    this.#ready = [];
    for (const { name, content } of ready) {
      this.#signal.throwIfAborted();
      await this.#pack(name, content);
    }
  }

  async finish(): Promise<PackedSources> {
    this.#parser.end();
    if (this.#failure !== undefined) throw this.#failure;
    const { fileCount } = this.#writer;
    const leftOut = this.#leftOutSentence();
    if (fileCount === 0) throw unreadable(`it has no source file${leftOut && `: ${leftOut}`}`);
    return { fileCount, leftOut, bytes: await this.#writer.finish() };
  }

  #begin(entry: ReadEntry): void {
    this.#memberCount += 1;
    this.#nameBytes += entry.path.length;
    const name = this.#nameToPack(entry);
    if (name === undefined) {
      entry.resume();
      return;
    }
    const chunks: Uint8Array[] = [];
    entry.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    entry.on('end', () => this.#ready.push({ name, content: Buffer.concat(chunks) }));
  }

  /** Returns the name under which a member is packed; undefined if it is omitted. */
  #nameToPack({ type, path, size }: ReadEntry): string | undefined {
    if (type === 'Directory' || type === 'GNUDumpDir') return undefined;
    if (type === 'SymbolicLink' || type === 'Link') return this.#leaveOut('links', path);
    if (type !== 'File' && type !== 'OldFile' && type !== 'ContiguousFile') {
      return this.#leaveOut(`of type ${type}`, path);
    }
    const { fileBytesMax } = this.#limits;
    if (size > fileBytesMax) return this.#leaveOut(`larger than ${fileBytesMax} bytes`, path);
    if (path.length > sourceNameLengthMax) return this.#leaveOut('with too long names', path);
    const name = plainName(path);
    if (!name) return this.#leaveOut('with names that lead out of the archive', path);
    return name;
  }

  async #pack(name: string, content: Uint8Array): Promise<void> {
    if (content.subarray(0, 8192).includes(0)) {
      this.#leaveOut('not text', name);
      return;
    }
    if (this.#writer.has(name)) this.#leaveOut('replaced by a later one of the same name', name);
    await this.#writer.add(name, content);
  }

  #leaveOut(why: string, path: string): undefined {
    const known = this.#leftOut.get(why);
    if (known === undefined) this.#leftOut.set(why, { count: 1, first: path.slice(0, 200) });
    else known.count += 1;
    return undefined;
  }

  #leftOutSentence(): string {
    return [...this.#leftOut]
      .map(([why, { count, first }]) => `${count} ${why} (${JSON.stringify(first)} first)`)
      .join(', ');
  }
}

function unreadable(why: string, cause?: unknown): AppError {
  return new AppError('invalid-argument', `cannot read the archive of sources: ${why}`, { cause });
}
