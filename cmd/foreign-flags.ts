// Flags of Parca and Parca Agent that have no equivalent here. They are either accepted or refused.
import { AppError } from '../src/base/errors.ts';
import { parseGoDuration } from '../src/base/text/duration.ts';

/** A flag of Parca that is accepted, so that command lines for Parca work. */
export interface ForeignFlag {
  readonly name: string;
  /** 'needless' if the flag is unnecessary here, 'missing' if the feature does not exist. */
  readonly kind: 'needless' | 'missing';
  /** Parca's default value; "true" or "false" for switches. */
  readonly initial: string;
  /** Other values that turn the missing feature off. */
  readonly off?: readonly string[];
  /** Reason why the flag has no effect, or an alternative to the feature. */
  readonly why: string;
}

/** Creates flags that have no effect. */
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

/** Creates a flag for a missing feature. */
export function missing(
  name: string,
  initial: string,
  why: string,
  off: readonly string[] = [],
): ForeignFlag {
  return { name, kind: 'missing', initial, why, off };
}

/** Returns true for a flag that can be given without a value. */
export function isSwitch({ initial }: ForeignFlag): boolean {
  return initial === 'true' || initial === 'false';
}

/**
 * Returns a log line with the reason why a flag has no effect; undefined for the default value.
 *
 * Errors: AppError 'unimplemented' for a value that turns on a missing feature.
 */
export function foreignNotice(flag: ForeignFlag, value: string): string | undefined {
  const { name, kind, initial, off = [], why } = flag;
  if ([initial, ...off].some((one) => isSame(one, value))) return undefined;
  if (kind === 'needless') return `--${name} has no effect: ${why}`;
  const accepted = initial === '' ? 'without a value' : `as --${name}=${initial}`;
  const message = `--${name} is a flag of Parca that is not supported yet`;
  throw new AppError('unimplemented', `${message}, only ${accepted}: ${why}`);
}

/**
 * Returns true if two values are equal as strings, numbers or durations: `0` equals `0.0`, and `1m`
 * equals `60s`.
 */
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
