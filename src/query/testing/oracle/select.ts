// Naive evaluation of selections, and of their filters and stages.
import type {
  FrameCriteria,
  NumberCondition,
  TextCondition,
} from '../../../report/stacks/frame-criteria.ts';
import { findKind } from '../../../model/function-kind.ts';
import { packageName } from '../../../model/package-name.ts';
import type { TimeRange } from '../../../storage/interface.ts';
import { oracleIncrease, withStart } from './increase.ts';
import {
  readLabel,
  type PlainFrame,
  type PlainMatcher,
  type PlainProfile,
  type PlainRow,
  type PlainSelector,
  type PlainStep,
} from './plain-data.ts';
import { ascending } from './text-sums.ts';

/**
 * Returns the profiles with matching rows, without their other rows. For an increase, returns its
 * steps.
 */
export function oracleSelect(
  profiles: readonly PlainProfile[],
  selector: PlainSelector,
): PlainProfile[] {
  if (!selector.isIncrease) return oracleStored(profiles, selector);
  const [from = selector.from] = listEnds(selector);
  const read = readForSteps(profiles, selector);
  return oracleIncrease(read, profiles, from).filter(({ timeNanos, durationNanos }) =>
    isSelected(timeNanos + durationNanos, selector),
  );
}

/** Returns the stored profiles from which the steps of a selector are made. */
export function readForSteps(
  profiles: readonly PlainProfile[],
  selector: PlainSelector,
): PlainProfile[] {
  const [from, to] = listEnds(selector);
  if (from === undefined || to === undefined) return [];
  const range = { from: withStart(from), to };
  return oracleStored(profiles, { ...selector, ...range, within: undefined, except: undefined });
}

/** Returns the selected profiles as they are stored. */
export function oracleStored(
  profiles: readonly PlainProfile[],
  selector: PlainSelector,
): PlainProfile[] {
  // A series is matched separately on each side of the excluded time.
  const { except } = selector;
  const isSelectedOn = (side: 'before' | 'after') => (profile: PlainProfile) => {
    const isBefore = except === undefined || profile.timeNanos < except.from;
    return isSelected(profile.timeNanos, selector) && isBefore === (side === 'before');
  };
  return (['before', 'after'] as const).flatMap((side) =>
    withRowsThatBelong(profiles.filter(isSelectedOn(side)), selector),
  );
}

/** Returns true if a time is in the range and not excluded. */
export function isSelected(
  time: bigint,
  { from, to, within, except }: Pick<PlainSelector, 'from' | 'to' | 'within' | 'except'>,
): boolean {
  const isIn = (range: TimeRange): boolean => time >= range.from && time <= range.to;
  const isLeft = except === undefined || !isIn(except);
  return isIn({ from, to }) && (within === undefined || isIn(within)) && isLeft;
}

/** Returns the first and the last selected time; undefined if there is none. */
export function listEnds(
  selector: Pick<PlainSelector, 'from' | 'to' | 'within' | 'except'>,
): bigint[] {
  const { within, except, ...whole } = selector;
  const ends = [whole, within, except].flatMap((one) => (one ? [one.from, one.to] : []));
  const around = except === undefined ? [] : [except.from - 1n, except.to + 1n];
  const selected = ascending([...ends, ...around].filter((time) => isSelected(time, selector)));
  return selected.length === 0 ? [] : [selected[0], selected[selected.length - 1]];
}

function withRowsThatBelong(
  profiles: readonly PlainProfile[],
  { type, matchers }: PlainSelector,
): PlainProfile[] {
  const belongs = (profile: PlainProfile) => (row: PlainRow) =>
    matchers.every((matcher) => isMatch(readLabel(matcher.name, profile, row), matcher));
  const selected = profiles
    .filter((one) => one.type === type)
    .map((one) => ({ ...one, rows: one.rows.filter(belongs(one)) }));
  const seriesKey = ({ labels }: PlainProfile): string => JSON.stringify(labels);
  const found = new Set(selected.filter(({ rows }) => rows.length > 0).map(seriesKey));
  return selected.filter((one) => found.has(seriesKey(one)));
}

function isMatch(own: string, { operator, value }: PlainMatcher): boolean {
  if (operator === '=') return own === value;
  if (operator === '!=') return own !== value;
  return new RegExp(`^(?:${value})$`, 's').test(own) === (operator === '=~');
}

type Frames = readonly PlainFrame[];

/** Applies steps one after another; undefined if the stack is dropped. */
export function oracleSteps(frames: Frames, steps: readonly PlainStep[]): Frames | undefined {
  return steps.reduce<Frames | undefined>((left, step) => left && takeStep(left, step), frames);
}

function takeStep(frames: Frames, step: PlainStep): Frames | undefined {
  if (step.kind === 'invert') return frames.toReversed();
  if (step.kind === 'sandwich') {
    const at = frames.findLastIndex(({ name }) => name === step.name);
    return at === -1 ? undefined : frames.slice(at);
  }
  if (step.kind === 'root') {
    const at = frames.findIndex(({ name }) => name === step.name);
    return at === -1 ? undefined : frames.slice(at);
  }
  if (step.kind === 'recursion') return withoutRecursion(frames);
  if (step.kind === 'run') {
    const isFound = frames.map((one) => checkFrame(one, step.criteria)[0].holds === true);
    return frames.filter((_, i) => !(isFound[i] && isFound[i - 1]));
  }
  if (step.kind === 'leaf') return takeLeaf(frames, step.criteria);
  const answers = frames.map((frame) => checkFrame(frame, step.criteria));
  const isKept = (i: number): boolean =>
    answers[i].every(({ isNegated, holds }) => holds === undefined || holds !== isNegated);
  const left = step.kind === 'frame' ? frames.filter((_, i) => isKept(i)) : frames;
  if (left.length === 0) return step.criteria.anyName === undefined ? left : undefined;
  if (step.kind === 'frame') return left;
  // One frame must satisfy all conditions. Negated conditions must hold for every frame.
  const isExcluded = answers.flat().some(({ isNegated, holds }) => isNegated && holds === true);
  const isFound = answers.some((all) => all.every((one) => one.isNegated || one.holds === true));
  return isFound && !isExcluded ? frames : undefined;
}

/** Keeps the stack if its innermost frame satisfies every condition. */
function takeLeaf(frames: Frames, criteria: FrameCriteria): Frames | undefined {
  const leaf = frames.at(-1);
  const answers = leaf === undefined ? [] : checkFrame(leaf, criteria);
  if (leaf === undefined) {
    return Object.values(criteria).every(({ isNegated }) => isNegated) ? frames : undefined;
  }
  return answers.every(({ isNegated, holds }) => (holds === true) !== isNegated)
    ? frames
    : undefined;
}

/**
 * Removes the frames between two calls of the same function, until no function occurs twice.
 */
function withoutRecursion(frames: Frames): Frames {
  const last = frames.findIndex(({ name }, i) => {
    return Boolean(name) && frames.findIndex((one) => one.name === name) < i;
  });
  if (last === -1) return frames;
  const first = frames.findIndex(({ name }) => name === frames[last].name);
  return withoutRecursion([...frames.slice(0, first + 1), ...frames.slice(last + 1)]);
}

/**
 * Checks the conditions on a frame. `holds` is a condition before negation; undefined if the frame
 * has no value to compare.
 */
function checkFrame(
  { name, systemName, fileName, line, address, binary }: PlainFrame,
  criteria: FrameCriteria,
): { isNegated: boolean; holds: boolean | undefined }[] {
  const ofLine = name && { functionName: name, systemName, fileName, lineNumber: BigInt(line) };
  const ofBinary = binary && { path: binary.path, binary: binary.path.replace(/.*[/]/, '') };
  const named = [name ?? '', name ? fileName : '', binary?.path ?? ''] as const;
  const derived = { package: packageName(...named), kind: findKind(...named) };
  const facts: Record<string, string | bigint | undefined> = {
    address,
    ...derived,
    ...ofBinary,
    ...ofLine,
  };
  return Object.entries(criteria).map(([field, condition]) => {
    // A condition on any name only checks names that the frame has.
    const asked = field === 'anyName' ? ['functionName', 'fileName', 'path'] : [field];
    const known = asked.flatMap((one) => facts[one] ?? []);
    const isAbsent = known.length === 0 && field !== 'anyName';
    const holds = isAbsent ? undefined : known.some((fact) => isAsked(fact, condition));
    return { isNegated: condition.isNegated, holds };
  });
}

function isAsked(fact: string | bigint, condition: TextCondition | NumberCondition): boolean {
  if ('value' in condition) return fact === condition.value;
  const [own, text] = [String(fact), String(fact).toLowerCase()];
  return condition.texts.some((one) => {
    if (condition.operator === 'matches') return new RegExp(one, 's').test(own);
    if (condition.operator === 'equal') return text === one.toLowerCase();
    const at = text.indexOf(one.toLowerCase());
    return condition.operator === 'contains' ? at !== -1 : at === 0;
  });
}
