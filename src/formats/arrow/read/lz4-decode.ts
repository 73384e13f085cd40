// Decompresses an LZ4 frame into memory of the right size, and computes the size of a frame's
// content.
//
// Source: https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md and lz4_Block_format.md
import { badStream } from './bad-stream.ts';
import { xxh32 } from './xxh32.ts';

const magic = 0x184d_2204;
/** Bits of the flags in the frame's header. */
const independentBlocks = 0x20;
const blockChecksums = 0x10;
const contentSize = 0x08;
const contentChecksum = 0x04;
const dictionaryId = 0x01;
/** Marks a block that is not compressed. */
const storedBit = 0x8000_0000;
/** Smallest length in bytes for which calling a copy function is faster than a loop. */
const longCopyBytes = 32;

/**
 * Decodes a frame, whose content must fill `output` exactly. Checksums of the frame must be
 * correct.
 *
 * Errors: as in badStream. The lengths of the frame and of `output` limit the work.
 */
export function decodeLz4Frame(frame: Uint8Array, output: Uint8Array): void {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const { flags, blockBytesMax, start } = readHeader(frame, view, output.length);
  let at = start;
  let to = 0;
  for (;;) {
    requireBytes(frame, at, 4);
    const word = view.getUint32(at, true);
    at += 4;
    if (word === 0) break;
    const isStored = word >= storedBit;
    const length = isStored ? word - storedBit : word;
    if (length > blockBytesMax) throw badFrame(`a block of ${length} bytes`, at);
    const checksumBytes = (flags & blockChecksums) === 0 ? 0 : 4;
    requireBytes(frame, at, length + checksumBytes);
    const end = at + length;
    if (checksumBytes > 0 && xxh32(frame.subarray(at, end)) !== view.getUint32(end, true)) {
      throw badFrame('a block with a wrong checksum', at);
    }
    const first = (flags & independentBlocks) === 0 ? 0 : to;
    if (isStored) {
      if (length > output.length - to) throw tooLong(output);
      output.set(frame.subarray(at, end), to);
      to += length;
    } else {
      to = decodeBlock(frame, at, end, output, first, to);
    }
    at = end + checksumBytes;
  }
  if (to !== output.length) {
    throw badStream(`an LZ4 frame has ${to} bytes, not the ${output.length} that it should`);
  }
  if ((flags & contentChecksum) !== 0) {
    requireBytes(frame, at, 4);
    if (xxh32(output) !== view.getUint32(at, true)) throw badFrame('a wrong checksum', at);
    at += 4;
  }
  if (at !== frame.length) throw badFrame(`${frame.length - at} bytes after its end`, at);
}

/**
 * Returns the size of a frame's content in bytes without decoding it; or a number above `bytesMax`
 * if the size exceeds it.
 *
 * Errors: as in badStream.
 */
export function lz4ContentBytes(frame: Uint8Array, bytesMax: number): number {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const { flags, start } = readHeader(frame, view, undefined);
  const checksumBytes = (flags & blockChecksums) === 0 ? 0 : 4;
  let total = 0;
  for (let at = start; total <= bytesMax;) {
    requireBytes(frame, at, 4);
    const word = view.getUint32(at, true);
    if (word === 0) break;
    const length = word >= storedBit ? word - storedBit : word;
    requireBytes(frame, at + 4, length + checksumBytes);
    const end = at + 4 + length;
    total += word >= storedBit ? length : blockBytes(frame, at + 4, end);
    at = end + checksumBytes;
  }
  return total;
}

/** Returns the size of a block after decompression, in bytes. */
function blockBytes(input: Uint8Array, from: number, end: number): number {
  let at = from;
  let total = 0;
  const readLength = (first: number): number => {
    let length = first;
    for (let more = first === 15 ? 255 : 0; more === 255; at += 1) {
      if (at >= end) throw badFrame('a block that ends within a length', at);
      more = input[at];
      length += more;
    }
    return length;
  };
  while (at < end) {
    const token = input[at];
    at += 1;
    const literals = readLength(token >> 4);
    at += literals;
    total += literals;
    if (at >= end) break;
    at += 2;
    total += readLength(token & 15) + 4;
  }
  return total;
}

/** Reads the header; if the header states the content size, it must be `outputBytes`. */
function readHeader(
  frame: Uint8Array,
  view: DataView,
  outputBytes: number | undefined,
): { readonly flags: number; readonly blockBytesMax: number; readonly start: number } {
  requireBytes(frame, 0, 7);
  if (view.getUint32(0, true) !== magic) throw badFrame('a wrong magic number', 0);
  const flags = frame[4];
  if (flags >> 6 !== 1) throw badFrame(`version ${flags >> 6}`, 4);
  if ((flags & dictionaryId) !== 0) throw badFrame('a dictionary', 4);
  const sizeCode = (frame[5] >> 4) & 7;
  if (sizeCode < 4) throw badFrame(`blocks of size code ${sizeCode}`, 5);
  let at = 6;
  if ((flags & contentSize) !== 0) {
    requireBytes(frame, at, 9);
    const size = view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
    if (outputBytes !== undefined && size !== outputBytes)
      throw badFrame(`a size of ${size}, not ${outputBytes}`, at);
    at += 8;
  }
  const checksum = (xxh32(frame.subarray(4, at)) >>> 8) & 0xff;
  if (frame[at] !== checksum) throw badFrame('a header with a wrong checksum', at);
  return { flags, blockBytesMax: 1 << (8 + 2 * sizeCode), start: at + 1 };
}

/** Decodes a block and returns the end of the output. Matches may refer back as far as `first`. */
function decodeBlock(
  input: Uint8Array,
  from: number,
  end: number,
  output: Uint8Array,
  first: number,
  outputAt: number,
): number {
  let at = from;
  let to = outputAt;
  while (at < end) {
    const token = input[at];
    at += 1;
    let literals = token >> 4;
    if (literals === 15) {
      let more = 255;
      while (more === 255) {
        if (at >= end) throw badFrame('a block that ends within a length', at);
        more = input[at];
        at += 1;
        literals += more;
      }
    }
    if (literals > end - at) throw badFrame('a block that ends within literals', at);
    if (literals > output.length - to) throw tooLong(output);
    if (literals >= longCopyBytes) output.set(input.subarray(at, at + literals), to);
    else for (let i = 0; i < literals; i += 1) output[to + i] = input[at + i];
    at += literals;
    to += literals;
    // A block ends with literals only.
    if (at === end) return to;
    if (end - at < 2) throw badFrame('a block that ends within an offset', at);
    const offset = input[at] | (input[at + 1] << 8);
    at += 2;
    if (offset === 0 || offset > to - first) {
      throw badFrame(`an offset of ${offset} at byte ${to} of the output`, at);
    }
    let length = token & 15;
    if (length === 15) {
      let more = 255;
      while (more === 255) {
        if (at >= end) throw badFrame('a block that ends within a length', at);
        more = input[at];
        at += 1;
        length += more;
      }
    }
    length += 4;
    if (length > output.length - to) throw tooLong(output);
    copyMatch(output, to, offset, length);
    to += length;
  }
  return to;
}

/** Copies bytes within the output. Source and target may overlap, which repeats the bytes. */
function copyMatch(output: Uint8Array, to: number, offset: number, length: number): void {
  if (length < longCopyBytes) {
    for (let i = 0; i < length; i += 1) output[to + i] = output[to + i - offset];
    return;
  }
  // The length that can be copied in one call grows with each copy.
  let done = 0;
  let period = offset;
  while (done < length) {
    const count = Math.min(period, length - done);
    output.copyWithin(to + done, to + done - period, to + done - period + count);
    done += count;
    period += count;
  }
}

function requireBytes(frame: Uint8Array, at: number, bytes: number): void {
  if (bytes > frame.length - at) throw badFrame('too few bytes', frame.length);
}

function badFrame(what: string, at: number): Error {
  return badStream(`an LZ4 frame has ${what}, at its byte ${at}`);
}

function tooLong(output: Uint8Array): Error {
  return badStream(`an LZ4 frame has more than the ${output.length} bytes that it should`);
}
