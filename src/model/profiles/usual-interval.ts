// The usual time from one profile of a series to the next.
import type { ProfileDigest } from './profile-digest.ts';
import type { ProfileColumns } from './profile-columns.ts';

/** The intervals in one class. */
interface SpacingClass {
  count: number;
  sum: number;
}

/**
 * Number of classes for each doubling of the interval. The most common interval, 10 s, is in the
 * middle of a class.
 */
const classesPerOctave = 4;
const middleNanos = 1e10;

/**
 * Intervals of one series, in classes of nearly equal intervals. Intervals added one by one or by
 * digests give the same result, so the result does not depend on how the profiles are split.
 */
export class IntervalClasses {
  readonly #classes = new Map<number, SpacingClass>();

  /** Adds one interval, in nanoseconds; 0 is ignored. */
  add(spacing: number): void {
    if (spacing > 0) this.#addToClass(spacingClass(spacing), 1, spacing);
  }

  /**
   * Adds the intervals between the profiles of a digest; returns false if the digest does not
   * determine their classes.
   */
  addDigest(digest: ProfileDigest): boolean {
    const { profileCount, spacingMinNanos, spacingMaxNanos } = digest;
    if (profileCount < 2 || spacingMaxNanos === 0) return true;
    if (spacingMinNanos === 0 || spacingClass(spacingMinNanos) !== spacingClass(spacingMaxNanos)) {
      return false;
    }
    const sum = Number(digest.lastNanos - digest.firstNanos);
    this.#addToClass(spacingClass(spacingMinNanos), profileCount - 1, sum);
    return true;
  }

  /** Adds the intervals between the given profiles. */
  addTimes({ profileCount, timeNanos }: ProfileColumns): void {
    const words = new Int32Array(timeNanos.buffer, timeNanos.byteOffset, profileCount * 2);
    for (let i = 2; i < words.length; i += 2) {
      const high = words[i + 1] - words[i - 1];
      this.add(high * 0x1_0000_0000 + ((words[i] >>> 0) - (words[i - 2] >>> 0)));
    }
  }

  /** Returns the mean of the class that contains the (lower) median; 0 without intervals. */
  usual(): number {
    let total = 0;
    for (const { count } of this.#classes.values()) total += count;
    let before = 0;
    for (const [, { count, sum }] of [...this.#classes].sort(([a], [b]) => a - b)) {
      before += count;
      if (before * 2 >= total) return sum / count;
    }
    return 0;
  }

  #addToClass(number: number, count: number, sum: number): void {
    const known = this.#classes.get(number);
    if (known === undefined) {
      this.#classes.set(number, { count, sum });
      return;
    }
    known.count += count;
    known.sum += sum;
  }
}

function spacingClass(spacing: number): number {
  return Math.round(Math.log2(spacing / middleNanos) * classesPerOctave);
}
