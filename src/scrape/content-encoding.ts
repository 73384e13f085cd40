// Decompresses a target's response if its encoding can be seen only in the header, but not in the
// bytes.
import { errorMessage } from '../base/errors.ts';
import {
  inflatedBytesMax,
  inputLimits,
  inputLimitTable,
  limitOfOutput,
} from '../base/input-limits.ts';
import {
  brotliDecompress,
  gunzip,
  inflate,
  inflateRaw,
  zstdDecompress,
} from '../base/threads/zlib.ts';
import { ScrapeError } from './scrape-error.ts';

type Decompress = (
  bytes: Uint8Array,
  options: { readonly maxOutputLength: number },
) => Promise<Uint8Array>;

const readers: ReadonlyMap<string, Decompress> = new Map<string, Decompress>([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['zstd', zstdDecompress],
  // Some targets leave out the zlib header of "deflate".
  ['deflate', (bytes, options) => ((bytes[0] & 0x0f) === 8 ? inflate : inflateRaw)(bytes, options)],
  ['br', brotliDecompress],
]);

/** Encodings that readers of profiles recognize by the first bytes, whatever the header says. */
const shown: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'zstd', 'lz4', 'identity', '']);
const encodingsMax = 3;

/**
 * Returns `body` without the encodings that `header` names. If the bytes show how they are
 * compressed, returns `body` itself. `take` is called before bytes are kept in memory.
 *
 * Errors: ScrapeError 'encoding' for an unknown encoding and for broken data, 'too-large'.
 */
export async function undoEncodings(
  body: Uint8Array,
  header: string,
  take?: (bytes: number) => void,
): Promise<Uint8Array> {
  const names = header.split(',').map((name) => name.trim().toLowerCase());
  if (names.every((name) => shown.has(name))) return body;
  const bytesMax = inputLimits.profileBytes;
  const maxOutputLength = Math.min(bytesMax, inflatedBytesMax(body.length));
  let content = body;
  for (const name of names.slice(0, encodingsMax).reverse()) {
    if (name === '' || name === 'identity') continue;
    const decompress = readers.get(name);
    if (decompress === undefined || names.length > encodingsMax) {
      const known = [...readers.keys()].join(', ');
      throw new ScrapeError('encoding', `it answers in the encoding ${name}; ${known} are read`);
    }
    try {
      content = await decompress(content, { maxOutputLength });
    } catch (error) {
      if (error instanceof RangeError) {
        const why = `it answers more than the limit of ${maxOutputLength} bytes, decompressed`;
        const limit = limitOfOutput(maxOutputLength, bytesMax, inputLimitTable.profileBytes.flag);
        throw new ScrapeError('too-large', why, { cause: error, limit });
      }
      const why = `it does not answer in the encoding ${name} that it names: ${errorMessage(error)}`;
      throw new ScrapeError('encoding', why, { cause: error });
    }
  }
  take?.(content.length);
  return content;
}
