// Flags of Parca and Parca Agent without a meaning of their own here: what is read, and what is
// refused.
import { AppError } from '../src/base/errors.ts';
import { parseGoDuration } from '../src/base/text/duration.ts';

/** Flag of Parca that a program here reads so that command lines written for Parca start it. */
export interface ForeignFlag {
  readonly name: string;
  /** Either 'needless' for what the design makes needless, or 'missing' for what is not there. */
  readonly kind: 'needless' | 'missing';
  /** Value that Parca has without the flag: "true" and "false" are those of switches. */
  readonly initial: string;
  /** Values, other than the initial one, by which a missing feature is off. */
  readonly off?: readonly string[];
  /** Reason for which the flag has no effect, or what is there instead of the feature. */
  readonly why: string;
}

/** Makes flags that have no effect. */
export function needless(
  why: string,
  initials: Readonly<Record<string, string>>,
): readonly ForeignFlag[] {
  return Object.entries(initials).map(([name, initial]) => ({
    name,
    kind: 'needless',
    initial,
    why,
  }));
}

/** Makes a flag of a feature that is missing. */
export function missing(
  name: string,
  initial: string,
  why: string,
  off: readonly string[] = [],
): ForeignFlag {
  return { name, kind: 'missing', initial, why, off };
}

/** Returns true for a flag that may be given without a value. */
export function isSwitch({ initial }: ForeignFlag): boolean {
  return initial === 'true' || initial === 'false';
}

/**
 * Returns a line for a log that says why a flag has no effect; undefined if the value is the usual
 * one.
 *
 * Errors: AppError 'unimplemented' for a value that turns a missing feature on.
 */
export function foreignNotice(flag: ForeignFlag, value: string): string | undefined {
  const { name, kind, initial, off = [], why } = flag;
  if ([initial, ...off].some((one) => isSame(one, value))) return undefined;
  if (kind === 'needless') return `--${name} has no effect: ${why}`;
  const accepted = initial === '' ? 'without a value' : `as --${name}=${initial}`;
  const message = `--${name} is a flag of Parca that is not supported yet`;
  throw new AppError('unimplemented', `${message}, only ${accepted}: ${why}`);
}

/** Returns true for equal texts, numbers and durations: `0` is `0.0`, `1m` is `60s`. */
function isSame(one: string, other: string): boolean {
  if (one === other) return true;
  if (one === '' || other === '') return false;
  if (Number(one) === Number(other)) return true;
  const [first, second] = [one, other].map(parseDuration);
  return first !== undefined && first === second;
}

function parseDuration(text: string): number | undefined {
  try {
    return parseGoDuration(text);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
