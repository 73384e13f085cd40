// Decompresses files with the functions of the browser.
import { AppError, errorMessage } from '../../src/base/errors.ts';
import { inputLimits } from '../../src/base/input-limits.ts';
import { decodeLz4Frame, lz4ContentBytes } from '../../src/formats/arrow/read/lz4-decode.ts';
import { type Packing, packingLayersMax, detectPacking } from '../../src/formats/packing.ts';

/** Names of compression formats in the browser's streams; some browsers do not support zstd yet. */
const streamNames: Readonly<Record<string, string>> = {
  gzip: 'gzip',
  zlib: 'deflate',
  zstd: 'zstd',
};

/** Decompresses bytes; returns uncompressed bytes unchanged. Errors: AppError. */
export async function unpackInBrowser(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  let content = bytes;
  for (let layers = 0; ; layers += 1) {
    const kind = detectPacking(content);
    if (kind === undefined) return content;
    if ('why' in kind) throw invalid(kind.why);
    if (layers === packingLayersMax) {
      throw invalid(`it is compressed more than ${packingLayersMax} times`);
    }
    content = await undo(kind.packing, content, inputLimits.profileBytes);
  }
}

async function undo(
  packing: Packing,
  bytes: Uint8Array<ArrayBuffer>,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (packing === 'skippable') throw invalid('it begins with a frame without content');
  if (packing !== 'lz4') return throughStream(packing, bytes, bytesMax);
  const length = lz4ContentBytes(bytes, bytesMax);
  if (length > bytesMax) throw tooLarge(bytesMax);
  const content = new Uint8Array(length);
  decodeLz4Frame(bytes, content);
  return content;
}

async function throughStream(
  packing: Packing,
  bytes: Uint8Array<ArrayBuffer>,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const stream = decompressor(packing);
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      pieces.push(next.value);
      length += next.value.length;
      if (length > bytesMax) {
        await reader.cancel();
        break;
      }
    }
  } catch (error) {
    const why = `cannot read profile: cannot decompress it: ${errorMessage(error)}`;
    throw new AppError('invalid-argument', why, { cause: error });
  }
  if (length > bytesMax) throw tooLarge(bytesMax);
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

function decompressor(packing: Packing): DecompressionStream {
  try {
    return new DecompressionStream(streamNames[packing] as CompressionFormat);
  } catch {
    const why = `cannot read profile: this browser does not open ${packing}; decompress it first`;
    throw new AppError('unimplemented', why);
  }
}

function invalid(why: string): AppError {
  return new AppError('invalid-argument', `cannot read profile: ${why}`);
}

function tooLarge(bytesMax: number): AppError {
  const why = `cannot read profile: decompressed it is larger than the limit of ${bytesMax} bytes`;
  return new AppError('resource-exhausted', why);
}
