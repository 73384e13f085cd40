// Encodes postings: a sorted list of streams for each value of a label.
import type { ByteWriter } from '../../../base/bytes.ts';
import { AppError } from '../../../base/errors.ts';
import { lowerBound } from '../../series/postings.ts';
import { readVarints } from '../bytes/varints.ts';

/**
 * Approximate memory in bytes of a PostingLists, apart from its refs but with its entry in a cache.
 */
const listsBytes = 400;

/** Decoded postings: several sorted lists of refs in one column. */
export class PostingLists {
  readonly byteLength: number;
  readonly #starts: Uint32Array;
  readonly #refs: Uint32Array;

  /**
   * Decodes the lists. Errors: AppError 'data-loss' when the bytes are not `count` lists of refs
   * below `refEnd`.
   */
  constructor(encoded: Uint8Array, count: number, refEnd: number) {
    this.#starts = new Uint32Array(count + 1);
    const lengths = this.#starts.subarray(1);
    const at = readVarints(encoded, 0, lengths);
    for (let i = 0; i < count; i += 1) lengths[i] += this.#starts[i];
    const total = this.#starts[count];
    // A ref is in each list at most once, and takes at least a byte.
    if (total > encoded.length - at) throw badPostings();
    this.#refs = new Uint32Array(total);
    if (readVarints(encoded, at, this.#refs) !== encoded.length) throw badPostings();
    this.byteLength = total * 4 + count * 4 + listsBytes;
    for (let list = 0; list < count; list += 1) this.#sumUp(list, refEnd);
  }

  list(row: number): Uint32Array {
    return this.#refs.subarray(this.#starts[row], this.#starts[row + 1]);
  }

  #sumUp(list: number, refEnd: number): void {
    let ref = 0;
    for (let i = this.#starts[list]; i < this.#starts[list + 1]; i += 1) {
      ref += this.#refs[i];
      if (ref >= refEnd) throw badPostings();
      this.#refs[i] = ref;
    }
  }
}

/**
 * Writes lists of ascending refs: first the lengths of the lists, then the differences of refs, for
 * which `bytes` is reused as memory.
 */
export async function encodePostings(
  writer: ByteWriter,
  lists: Iterable<Uint32Array>,
  bytes: ByteWriter,
  pause: () => Promise<void>,
): Promise<void> {
  bytes.length = 0;
  let written = 0;
  for (const list of lists) {
    writer.varint(list.length);
    let before = 0;
    for (const ref of list) {
      bytes.varint(ref - before);
      before = ref;
      written += 1;
      if (written % 8192 === 0) await pause();
    }
  }
  writer.raw(bytes.bytes.subarray(0, bytes.length));
}

/** Returns every ref below `count`. */
export function allRefs(count: number): Uint32Array {
  const refs = new Uint32Array(count);
  for (let ref = 0; ref < count; ref += 1) refs[ref] = ref;
  return refs;
}

/** Returns true if a sorted list contains a ref. */
export function includesRef(set: Uint32Array, ref: number): boolean {
  return set[lowerBound(set, ref, 0)] === ref;
}

/** Returns true if two sorted lists share a ref. */
export function intersects(a: Uint32Array, b: Uint32Array): boolean {
  const [few, many] = a.length < b.length ? [a, b] : [b, a];
  return few.some((ref) => includesRef(many, ref));
}

function badPostings(): AppError {
  return new AppError('data-loss', 'cannot read postings: they are not as written');
}
