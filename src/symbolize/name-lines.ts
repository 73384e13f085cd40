// Reads and prints the lines of a file of saved names.
//
// A line consists of the CRC-32C of a JSON string, a space and the string. The first line is a
// header. Every other line is a batch of addresses.
import { ByteWriter } from '../base/bytes.ts';
import { crc32c } from '../base/crc32c.ts';
import { AppError } from '../base/errors.ts';
import type { Steps } from '../base/pacer.ts';
import type { BuildNames, SourceFrame } from './interface.ts';

/** First line of a file. */
export interface Header {
  readonly tag: string;
  readonly buildId: string;
  readonly generation: number;
  readonly savedAtMillis: number;
}

/** A batch of addresses. */
interface Batch {
  readonly addresses: readonly number[];
  readonly texts: readonly string[];
  /**
   * Six numbers for each call, the innermost call first: three numbers of strings, the line, the
   * start line and the column.
   */
  readonly calls: readonly (readonly number[])[];
  readonly notes: readonly string[];
  /** Undefined as long as no file has failed. */
  readonly failed?: readonly number[];
  readonly reason?: string;
}

const numbersPerCall = 6;
/** Number of calls and addresses in a line. Printing a line takes a few milliseconds. */
const callsPerLine = 4_096;
/** Byte at the end of a line. */
const lineEnd = 10;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Names to save. */
export interface AddedNames {
  readonly addresses: readonly number[];
  readonly frames: readonly (readonly SourceFrame[])[];
  readonly notes: readonly string[];
  readonly failed: Pick<Batch, 'failed' | 'reason'> | undefined;
}

/**
 * Reads the names of a file, one line per step. A step takes a millisecond or two.
 *
 * Errors: AppError 'data-loss' if a line is damaged, or if the last line has no line end.
 */
export function* readNames(content: Uint8Array): Steps<BuildNames> {
  if (content.at(-1) !== lineEnd) throw damaged();
  const names: BuildNames = { frames: new Map(), notes: new Set() };
  for (let start = content.indexOf(lineEnd) + 1; start < content.length;) {
    const end = content.indexOf(lineEnd, start);
    addBatch(parseLine(content.subarray(start, end)) as Batch, names);
    start = end + 1;
    yield;
  }
  return names;
}

/** Formats lines, one line per step. The last line has the verdict. */
export function* printLines(
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

/** Returns the index after the last address of a line that begins at the address `from`. */
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

/** Returns the first line; undefined if it is damaged. */
export function parseHeader(content: Uint8Array): Header | undefined {
  try {
    return parseLine(content.subarray(0, content.indexOf(lineEnd))) as Header;
  } catch {
    return undefined;
  }
}

function damaged(): AppError {
  return new AppError('data-loss', 'cannot read saved names: a line is damaged');
}
