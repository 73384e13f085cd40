// A decoder without a thread, for tests. Its replies arrive in a later turn of the event loop, in
// order.
import type { DecoderEvents, DecoderThread } from '../decode-thread.ts';
import type { Seeds } from '../../model/dictionary.ts';
import { UploadDecoder } from '../upload-decoder.ts';

/**
 * Starts a decoder that can replace the one of startDecoderThread. `symbolBytesMax` is as in
 * UploadDecoder.
 */
export function startDecoderInPlace(
  seeds: Seeds,
  events: DecoderEvents,
  symbolBytesMax?: number,
): DecoderThread {
  const decoder = new UploadDecoder(seeds, symbolBytesMax);
  let isClosed = false;
  return {
    send({ isNewHead, uploads }) {
      const copies = uploads.map((upload) => ({
        ...upload,
        profile: new Uint8Array(upload.profile),
      }));
      queueMicrotask(() => {
        if (!isClosed) events.onReply(decoder.decode({ isNewHead, uploads: copies }));
      });
    },
    async close() {
      isClosed = true;
      events.onDeath('it was closed', 'unavailable');
    },
  };
}
