// Shared memory that holds uploads while a worker decodes them. It is reused, so that no garbage is
// left.
import { decodeSlotBytes, decodeSlotsMax } from './limits.ts';

/** Range of bytes in the shared memory. */
export interface SlottedBytes {
  readonly offset: number;
  readonly length: number;
}

/**
 * Slots in the shared memory of one worker. The slot that was released last is used first, so that
 * slots that are never needed take no memory.
 */
export class UploadSlots {
  readonly memory = new SharedArrayBuffer(decodeSlotBytes * decodeSlotsMax);
  readonly #bytes = new Uint8Array(this.memory);
  readonly #freeOffsets = Array.from(
    { length: decodeSlotsMax },
    (_, slot) => slot * decodeSlotBytes,
  );

  /** Copies an upload into a slot; undefined if it is too large, or if no slot is free. */
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
