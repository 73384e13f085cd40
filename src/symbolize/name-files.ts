// Names of addresses on disk, so that a server has them right after it starts.
//
// There is a file <key>.names for each build id; the key is a hash of it. A line is the CRC-32C of
// a JSON string, a space and the string. The first line is a header, each of the others a batch of
// addresses. Lines are appended without a sync: a file with a damaged line is dropped completely.
import { ByteWriter } from '../base/bytes.ts';
import type { Clock } from '../base/clock.ts';
import { crc32c } from '../base/crc32c.ts';
import { AppError, errorMessage } from '../base/errors.ts';
import type { File, Files } from '../base/files.ts';
import { debuginfoFreeDiskBytesMin } from '../base/limits.ts';
import { symbolizerNameFileBytesMax } from './limits.ts';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import { finishPausing, Pacer, type Steps } from '../base/pacer.ts';
import type { BuildNames, SavedNames, SourceFrame, Verdict } from './interface.ts';

export interface NameFilesOptions {
  /** Folder that only this class uses; created when there are names to save. */
  readonly path: string;
  readonly files: Files;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Digest of a string as hex, for file names. */
  readonly digest: (text: string) => string;
  /**
   * Describes everything that names depend on apart from their file: demangling, and the program
   * that reads DWARF.
   */
  readonly tag: string;
  readonly bytesMax?: number;
}

/** First line of a file. */
interface Header {
  readonly tag: string;
  readonly buildId: string;
  readonly generation: number;
  readonly savedAtMillis: number;
}

/** A batch of addresses. */
interface Batch {
  readonly addresses: readonly number[];
  readonly texts: readonly string[];
  /** Six numbers for each call, the innermost first: three strings, line, start line, column. */
  readonly calls: readonly (readonly number[])[];
  readonly notes: readonly string[];
  /** Undefined as long as no file has failed. */
  readonly failed?: readonly number[];
  readonly reason?: string;
}

/** A file on the disk. */
interface SavedFile {
  readonly generation: number;
  bytes: number;
  /** Content that nobody has requested yet. */
  content: Uint8Array | undefined;
}

const suffix = '.names';
const numbersPerCall = 6;
/** Calls in a line, including addresses; printing them takes some milliseconds. */
const callsPerLine = 4_096;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Keeps a file for each build id, up to a total size; the file that was written longest ago is
 * removed first.
 */
export class NameFiles implements SavedNames {
  readonly #options: NameFilesOptions;
  readonly #bytesMax: number;
  #tag: string;
  /** Files by key, in the order of their last batch. */
  readonly #saved = new Map<string, SavedFile>();
  /** The last change: changes are made one at a time. */
  #lastChange: Promise<void> = Promise.resolve();

  private constructor(options: NameFilesOptions) {
    this.#options = options;
    this.#tag = options.tag;
    this.#bytesMax = options.bytesMax ?? symbolizerNameFileBytesMax;
    options.metrics.observedGauge(
      'parca_symbolizer_saved_bytes',
      'Bytes of names of addresses on the disk.',
      () => this.#bytes(),
    );
  }

  /** Reads the folder; files of other versions and damaged ones are removed. Errors: the disk's. */
  static async open(options: NameFilesOptions): Promise<NameFiles> {
    const { files, path, tag, digest } = options;
    const names = new NameFiles(options);
    const found: { key: string; header: Header; content: Uint8Array }[] = [];
    for (const name of await files.listFiles(path)) {
      const content = await files.read(`${path}/${name}`);
      const header = parseHeader(content);
      const key = name.slice(0, -suffix.length);
      if (header?.tag === tag && digest(header.buildId) === key) {
        found.push({ key, header, content });
      } else {
        await files.remove(`${path}/${name}`);
      }
    }
    found.sort((a, b) => a.header.savedAtMillis - b.header.savedAtMillis);
    for (const { key, header, content } of found) {
      const { generation } = header;
      names.#saved.set(key, { generation, bytes: content.length, content });
    }
    await names.#makeRoom();
    return names;
  }

  load(buildId: string, generation: number): BuildNames {
    const names: BuildNames = { frames: new Map(), notes: new Set() };
    const saved = this.#saved.get(this.#options.digest(buildId));
    if (saved?.content === undefined) return names;
    const { content } = saved;
    saved.content = undefined;
    if (saved.generation !== generation) return names;
    try {
      for (const line of splitLines(content).slice(1)) addBatch(parseLine(line) as Batch, names);
      return names;
    } catch (error) {
      this.#options.logger.warn('saved names are dropped', { buildId, error: errorMessage(error) });
      this.#change(buildId, (key) => this.#remove(key));
      return { frames: new Map(), notes: new Set() };
    }
  }

  add(
    buildId: string,
    generation: number,
    addresses: readonly number[],
    frames: readonly (readonly SourceFrame[])[],
    notes: ReadonlySet<string>,
    verdict?: Verdict,
  ): void {
    const failed = verdict && { failed: [...verdict.failed], reason: verdict.reason };
    const about = { addresses, frames, notes: [...notes], failed };
    this.#change(buildId, async (key) => {
      const { files, path, clock } = this.#options;
      await files.makeDirectory(path);
      if ((await files.freeBytes(path)) < debuginfoFreeDiskBytesMin) return;
      if (this.#saved.get(key)?.generation !== generation) await this.#remove(key);
      const before = this.#saved.get(key);
      const header: Header = {
        tag: this.#tag,
        buildId,
        generation,
        savedAtMillis: clock.nowMillis(),
      };
      const bytes = await finishPausing(
        printLines(before === undefined ? header : undefined, about),
        new Pacer(clock),
      );
      await this.#append(key, bytes);
      this.#saved.delete(key);
      const saved = { content: undefined, ...before, generation };
      this.#saved.set(key, { ...saved, bytes: (before?.bytes ?? 0) + bytes.length });
      await this.#makeRoom();
    });
  }

  /** Drops all saved names, because names are from now on read in another way. */
  changeTag(tag: string): void {
    this.#tag = tag;
    for (const saved of this.#saved.values()) saved.content = undefined;
    const removeAll = async (): Promise<void> => {
      for (const key of this.#saved.keys()) await this.#remove(key);
    };
    this.#lastChange = this.#lastChange.then(removeAll).catch((error: unknown) => {
      this.#options.logger.warn('cannot remove names', { error: errorMessage(error) });
    });
  }

  /** Resolves when all added names have been written. */
  async stop(): Promise<void> {
    await this.#lastChange;
  }

  /** Makes a change after the earlier ones; a file that cannot be changed is removed. */
  #change(buildId: string, change: (key: string) => Promise<void>): void {
    const { digest, logger } = this.#options;
    const key = digest(buildId);
    this.#lastChange = this.#lastChange
      .then(() => change(key))
      .catch(async (error: unknown) => {
        logger.warn('cannot save names', { buildId, error: errorMessage(error) });
        this.#saved.delete(key);
        await this.#options.files.remove(this.#filePath(key)).catch(() => undefined);
      });
  }

  async #append(key: string, bytes: Uint8Array): Promise<void> {
    const file: File = await this.#options.files.open(this.#filePath(key), { create: true });
    try {
      await file.append(bytes);
    } finally {
      await file.close();
    }
  }

  async #makeRoom(): Promise<void> {
    for (const key of this.#saved.keys()) {
      if (this.#bytes() <= this.#bytesMax) return;
      await this.#remove(key);
    }
  }

  async #remove(key: string): Promise<void> {
    if (this.#saved.delete(key)) await this.#options.files.remove(this.#filePath(key));
  }

  #filePath(key: string): string {
    return `${this.#options.path}/${key}${suffix}`;
  }

  #bytes(): number {
    let sum = 0;
    for (const { bytes } of this.#saved.values()) sum += bytes;
    return sum;
  }
}

/** Names to save. */
interface AddedNames {
  readonly addresses: readonly number[];
  readonly frames: readonly (readonly SourceFrame[])[];
  readonly notes: readonly string[];
  readonly failed: Pick<Batch, 'failed' | 'reason'> | undefined;
}

/** Formats lines, the last of which has the verdict, in steps of some addresses. */
function* printLines(
  header: Header | undefined,
  { addresses, frames, notes, failed }: AddedNames,
): Steps<Uint8Array> {
  const writer = new ByteWriter();
  if (header !== undefined) writer.raw(printLine(header));
  let from = 0;
  do {
    const end = endOfLine(frames, from);
    const batch = toBatch(addresses.slice(from, end), frames.slice(from, end), notes);
    writer.raw(printLine(end < addresses.length ? batch : { ...batch, ...failed }));
    from = end;
    yield;
  } while (from < addresses.length);
  return writer.copy();
}

/** Returns the address after the last one of a line, which has at least one if there are any. */
function endOfLine(frames: readonly (readonly SourceFrame[])[], from: number): number {
  let end = from;
  for (let left = callsPerLine; left > 0 && end < frames.length; end += 1) {
    left -= 1 + frames[end].length;
  }
  return end;
}

function toBatch(
  addresses: readonly number[],
  frames: readonly (readonly SourceFrame[])[],
  notes: readonly string[],
): Batch {
  const rows = new Map<string, number>();
  const intern = (text: string): number => {
    const row = rows.get(text) ?? rows.size;
    rows.set(text, row);
    return row;
  };
  const calls = frames.map((ofAddress) =>
    ofAddress.flatMap(({ functionName, systemName, fileName, line, startLine, column }) => [
      intern(functionName),
      intern(systemName),
      intern(fileName),
      line,
      startLine,
      column,
    ]),
  );
  return { addresses, texts: [...rows.keys()], calls, notes };
}

function addBatch(batch: Batch, names: BuildNames): void {
  const { addresses, texts, calls, notes, failed, reason = '' } = batch;
  addresses.forEach((address, i) => {
    const numbers = calls[i];
    const frames: SourceFrame[] = [];
    for (let at = 0; at < numbers.length; at += numbersPerCall) {
      const [functionName, systemName, fileName, line, startLine, column] = numbers.slice(at);
      frames.push({
        functionName: texts[functionName],
        systemName: texts[systemName],
        fileName: texts[fileName],
        line,
        startLine,
        column,
      });
    }
    names.frames.set(address, frames);
  });
  for (const note of notes) names.notes.add(note);
  if (failed !== undefined) names.verdict = { failed: new Set(failed), reason };
}

function printLine(value: object): Uint8Array {
  const text = JSON.stringify(value);
  return encoder.encode(`${checksum(encoder.encode(text))} ${text}\n`);
}

function checksum(bytes: Uint8Array): string {
  return crc32c(bytes).toString(16).padStart(8, '0');
}

/** Parses a line. Errors: AppError 'data-loss' for a damaged line. */
function parseLine(line: Uint8Array): unknown {
  const text = line.subarray(9);
  if (decoder.decode(line.subarray(0, 9)) !== `${checksum(text)} `) throw damaged();
  return JSON.parse(decoder.decode(text));
}

/** Splits a file at the ends of lines; the last line must have its end, too. */
function splitLines(content: Uint8Array): Uint8Array[] {
  if (content.at(-1) !== 10) throw damaged();
  const lines: Uint8Array[] = [];
  for (let start = 0; start < content.length;) {
    const end = content.indexOf(10, start);
    lines.push(content.subarray(start, end));
    start = end + 1;
  }
  return lines;
}

/** Returns the first line; undefined when it is damaged. */
function parseHeader(content: Uint8Array): Header | undefined {
  try {
    return parseLine(content.subarray(0, content.indexOf(10))) as Header;
  } catch {
    return undefined;
  }
}

function damaged(): AppError {
  return new AppError('data-loss', 'cannot read saved names: a line is damaged');
}
