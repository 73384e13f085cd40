// Compressed messages and bodies, undone with the size of the result clamped.
import { AppError, errorMessage } from '../../base/errors.ts';
import { gunzip } from '../../base/threads/zlib.ts';
import { TooLargeError } from '../call/too-large-error.ts';

/**
 * Undoes `encoding` ("identity" or "gzip") of a message.
 *
 * Errors: TooLargeError when the result passes `bytesMax` (decompression stops
 * there), AppError 'invalid-argument' for broken data, 'unimplemented' for other encodings.
 */
export async function decodeMessage(
  bytes: Uint8Array,
  encoding: string,
  bytesMax: number,
): Promise<Uint8Array> {
  if (encoding === 'identity' || encoding === '') return bytes;
  if (encoding !== 'gzip') {
    throw new AppError(
      'unimplemented',
      `cannot decompress message: encoding ${JSON.stringify(encoding)}, only identity and gzip`,
    );
  }
  try {
    return await gunzip(bytes, { maxOutputLength: bytesMax });
  } catch (error) {
    if (error instanceof RangeError) {
      throw new TooLargeError(
        `received message larger than max (${bytesMax} after decompression)`,
        { cause: error },
      );
    }
    throw new AppError('invalid-argument', `cannot decompress message: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}
