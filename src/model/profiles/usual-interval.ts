// The usual time from one profile of a series to the next, as one number.
import type { ProfileDigest } from './profile-digest.ts';
import type { ProfileColumns } from './profile-columns.ts';

/** Spacings of one class. */
interface SpacingClass {
  count: number;
  sum: number;
}

/** Classes are a quarter of an octave wide, and 10 s, the commonest spacing, is in the middle. */
const classesPerOctave = 4;
const middleNanos = 1e10;

/**
 * Spacings of one series in classes of about equal ones. Adding them one by one or by digests gives
 * the same, so that it does not matter how profiles are split.
 */
export class IntervalClasses {
  readonly #classes = new Map<number, SpacingClass>();

  /** Adds one spacing in nanoseconds; 0 does not count. */
  add(spacing: number): void {
    if (spacing > 0) this.#addToClass(classOf(spacing), 1, spacing);
  }

  /** Adds those between the profiles of a digest; false when it does not tell their classes. */
  addDigest(digest: ProfileDigest): boolean {
    const { profileCount, spacingMinNanos, spacingMaxNanos } = digest;
    if (profileCount < 2 || spacingMaxNanos === 0) return true;
    if (spacingMinNanos === 0 || classOf(spacingMinNanos) !== classOf(spacingMaxNanos)) {
      return false;
    }
    const sum = Number(digest.lastNanos - digest.firstNanos);
    this.#addToClass(classOf(spacingMinNanos), profileCount - 1, sum);
    return true;
  }

  /** Adds those between the given profiles. */
  addTimes({ profileCount, timeNanos }: ProfileColumns): void {
    const words = new Int32Array(timeNanos.buffer, timeNanos.byteOffset, profileCount * 2);
    for (let i = 2; i < words.length; i += 2) {
      const high = words[i + 1] - words[i - 1];
      this.add(high * 0x1_0000_0000 + ((words[i] >>> 0) - (words[i - 2] >>> 0)));
    }
  }

  /** The mean of the class that holds the (lower) median; 0 when there is none. */
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

function classOf(spacing: number): number {
  return Math.round(Math.log2(spacing / middleNanos) * classesPerOctave);
}
