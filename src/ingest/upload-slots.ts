// Shared memory for uploads while a worker decodes them; it is reused, so that there is no garbage.
import { decodeSlotBytes, decodeSlotsMax } from './limits.ts';

/** Bytes in the shared memory. */
export interface SlottedBytes {
  readonly offset: number;
  readonly length: number;
}

/**
 * Slots of one worker. The slot that was used last is reused first, so that slots which are not
 * needed take no memory.
 */
export class UploadSlots {
  readonly memory = new SharedArrayBuffer(decodeSlotBytes * decodeSlotsMax);
  readonly #bytes = new Uint8Array(this.memory);
  readonly #freeOffsets = Array.from(
    { length: decodeSlotsMax },
    (_, slot) => slot * decodeSlotBytes,
  );

  /** Copies an upload; undefined if it is too large or no slot is free. */
  put(upload: Uint8Array): SlottedBytes | undefined {
    const { length } = upload;
    if (length > decodeSlotBytes) return undefined;
    const offset = this.#freeOffsets.pop();
    if (offset === undefined) return undefined;
    this.#bytes.set(upload, offset);
    return { offset, length };
  }

  release({ offset }: SlottedBytes): void {
    this.#freeOffsets.push(offset);
  }
}
