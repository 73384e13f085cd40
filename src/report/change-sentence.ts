// Summarizes a comparison in a sentence: how much more one side uses, and why. The sentence is
// never more certain than the intervals of its numbers.
import type { ProfileType, ValueType } from '../model/profile-type.ts';
import { type Quantity, quantityOf } from './quantity.ts';

/** Part of a sentence: the name of a side, a function, a package, or other text. */
export interface SentencePart {
  readonly kind: 'compared' | 'base' | 'function' | 'package' | 'text';
  /** Text of the part; for a side, the client may choose another text. */
  readonly text: string;
}

/** Totals of one side. */
export interface SentenceSide {
  readonly total: bigint;
  readonly sampleCount: bigint;
  readonly durationNanos: bigint;
  readonly snapshots: number;
  readonly profileCount: number;
}

/** Cause of a difference, with functions given by name; see ChangeCause. */
export interface NamedCause {
  readonly name: string;
  /** Name of the source file; "" = unknown. */
  readonly file: string;
  /** First line of the function; 0 = unknown. */
  readonly line: number;
  readonly caller: string;
  readonly isCall: boolean;
  readonly package: string | undefined;
  readonly difference: number;
  readonly halfWidth: number;
  readonly collected: number;
}

/** Data for the sentence. */
export interface SentenceInput {
  readonly compared: SentenceSide;
  readonly base: SentenceSide;
  readonly profileType: Pick<ProfileType, 'sample'>;
  readonly valueType: ValueType;
  readonly cause: NamedCause | undefined;
  /** Function that grew, if the cause is a function that shrank. */
  readonly rise?: NamedCause | undefined;
  /** Load of the compared side relative to the base, and the relative error of this ratio. */
  readonly load: { readonly ratio: number; readonly relativeError: number } | undefined;
}

/** Number of standard deviations around the mean that contain 95 % of a normal distribution. */
const deviations = 1.96;
/**
 * Smallest difference in load that is mentioned: in standard errors, and as a share of the base.
 */
const [loadErrors, loadShareMin] = [3, 0.03];
/**
 * Limits for two phrases. A cause is "all" of the difference if its share is from `allMin` to
 * `allMax` and the interval of its share begins at `allLow` or above. It is "most" if that interval
 * begins above `mostMin`.
 */
const [allMin, allMax, allLow] = [0.85, 1.2, 0.6];
const mostMin = 0.5;

const text = (words: string): SentencePart => ({ kind: 'text', text: words });
const comparedSide: SentencePart = { kind: 'compared', text: '' };
const baseSide: SentencePart = { kind: 'base', text: '' };

/** Returns the parts of the sentence; empty if a side has no profiles. */
export function changeSentence(input: SentenceInput): readonly SentencePart[] {
  const { compared, base, cause, rise } = input;
  if (compared.profileCount === 0 || base.profileCount === 0) return [];
  const quantity = quantityOf(input.profileType, input.valueType, compared);
  const total = compareTotals(compared, base, quantity);
  if (cause !== undefined) {
    const found = [...totalParts(total, quantity), ...causeParts(total, cause, quantity, rise)];
    return rise === undefined ? found : [...found, ...riseParts(rise, quantity)];
  }
  if (!total.isCertain) return [text(`Nothing changed beyond chance in ${countSamples(input)}`)];
  return [...totalParts(total, quantity), text(spreadText(total, input))];
}

/** Totals of both sides, per second or snapshot of the compared side. */
interface Totals {
  readonly difference: number;
  readonly base: number;
  /** Half the width of the 95 % interval of the difference, as a share of the base. */
  readonly shareHalfWidth: number;
  /** True if the interval does not contain 0. */
  readonly isCertain: boolean;
}

function compareTotals(compared: SentenceSide, base: SentenceSide, quantity: Quantity): Totals {
  const [own, other] = [compared, base].map((side) => {
    const value = Number(side.total) / quantity.divisorOf(side);
    // Consecutive snapshots contain the same samples.
    const samples = Number(side.sampleCount) / Math.max(1, side.snapshots);
    return { value, relativeError: 1 / Math.sqrt(Math.max(1, samples)) };
  });
  const difference = own.value - other.value;
  const quotient = other.value === 0 ? 0 : Math.abs(own.value / other.value);
  const relativeError = Math.hypot(own.relativeError, other.relativeError);
  const error = Math.hypot(own.value * own.relativeError, other.value * other.relativeError);
  return {
    difference,
    base: other.value,
    shareHalfWidth: deviations * quotient * relativeError,
    isCertain: Math.abs(difference) > deviations * error,
  };
}

function totalParts(
  { difference, base, shareHalfWidth, isCertain }: Totals,
  quantity: Quantity,
): SentencePart[] {
  const change = base === 0 ? '' : ` (${shareText(difference / base, shareHalfWidth)})`;
  if (!isCertain) {
    return [
      comparedSide,
      text(` ${quantity.verb} as much as `),
      baseSide,
      text(` within chance${change}`),
    ];
  }
  return [
    comparedSide,
    text(` ${quantity.verb} ${quantity.format(Math.abs(difference))} ${word(difference)}${change}`),
  ];
}

function causeParts(
  total: Totals,
  cause: NamedCause,
  quantity: Quantity,
  rise: NamedCause | undefined,
): SentencePart[] {
  const [difference, halfWidth, collected] = [
    cause.difference,
    cause.halfWidth,
    cause.collected,
  ].map((value) => value / quantity.divisorOf());
  const size = Math.abs(difference);
  const named = nameParts(cause);
  const inside = cause.isCall || cause.package !== undefined ? 'in ' : '';
  const size95 = quantity.format(size, halfWidth);
  if (!total.isCertain || difference * total.difference < 0) {
    return [text(`, but ${size95} ${word(difference)} in `), ...named];
  }
  const all = Math.abs(total.difference);
  const share = (size + Math.abs(collected)) / all;
  const low = (size + Math.abs(collected) - halfWidth) / all;
  const rest = collected === 0 ? [] : [text(', with the garbage collection that it causes')];
  if (share > allMax) {
    // If a rise is named, it says what grew elsewhere.
    const elsewhere = rise === undefined ? [text(`, and ${word(-difference)} elsewhere`)] : [];
    return [text(`: ${size95} ${word(difference)} in `), ...named, ...rest, ...elsewhere];
  }
  if (share >= allMin && low >= allLow) return [text(`, all of it ${inside}`), ...named, ...rest];
  if (low > mostMin) return [text(`, most of it ${inside}`), ...named, ...rest];
  return [text(`, ${size95} of it ${inside}`), ...named, ...rest];
}

/** Names the function that grew although others shrank more. */
function riseParts(rise: NamedCause, quantity: Quantity): SentencePart[] {
  const [more, halfWidth] = [rise.difference, rise.halfWidth].map(
    (value) => value / quantity.divisorOf(),
  );
  return [text(`; ${quantity.format(more, halfWidth)} more in `), ...nameParts(rise)];
}

/** Names the functions of a cause: "loadTable (pricing.go:67), called from Quote". */
function nameParts(cause: NamedCause): SentencePart[] {
  const { name, file, line, caller, isCall } = cause;
  const place = file === '' ? '' : ` (${file}${line > 0 ? `:${line}` : ''})`;
  const named: SentencePart = { kind: 'function', text: name };
  if (cause.package !== undefined) {
    return [{ kind: 'package', text: cause.package }, text(', most in '), named];
  }
  if (caller === '') return place === '' ? [named] : [named, text(place)];
  const from: SentencePart = { kind: 'function', text: caller };
  if (isCall) return [text('calls of '), named, text(`${place} by `), from];
  return [named, text(`${place}, called from `), from];
}

function spreadText(
  { difference, base, shareHalfWidth }: Totals,
  { load, compared, base: other }: SentenceInput,
): string {
  const time = timeOf(compared) / timeOf(other);
  const change = load === undefined || !(time > 0) ? 0 : load.ratio / time - 1;
  const isLoad =
    load !== undefined &&
    Math.abs(change) > Math.max(loadShareMin, loadErrors * load.relativeError) &&
    change * difference > 0 &&
    Math.abs(change - difference / base) < shareHalfWidth + loadErrors * load.relativeError;
  return isLoad
    ? `, spread over all functions, as with ${word(difference)} load`
    : ', but no single function stands out';
}

function timeOf({ durationNanos, snapshots }: SentenceSide): number {
  return snapshots > 0 ? snapshots : Number(durationNanos);
}

function word(difference: number): string {
  return difference > 0 ? 'more' : 'less';
}

/** Formats "+24 % ± 3", with a decimal if the interval is narrower than a percent. */
function shareText(share: number, halfWidth: number): string {
  const digits = halfWidth < 0.01 ? 1 : 0;
  const sign = share < 0 ? '\u2212' : '+';
  return `${sign}${(Math.abs(share) * 100).toFixed(digits)}\u202f% ± ${(halfWidth * 100).toFixed(digits)}`;
}

function countSamples({ compared, base }: SentenceInput): string {
  const count = Number(compared.sampleCount) + Number(base.sampleCount);
  return `${count < 1_000 ? count : `${Number((count / 1_000).toPrecision(2))}\u202fk`} samples`;
}
