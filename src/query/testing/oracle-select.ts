// A naive evaluation of what is selected, and of what filters and stages leave of it.
import type { FrameCriteria, NumberCondition, TextCondition } from '../../report/frame-criteria.ts';
import { labelOf } from './plain-data.ts';
import type {
  PlainFrame,
  PlainMatcher,
  PlainProfile,
  PlainSelector,
  PlainStep,
} from './plain-data.ts';

/** The profiles of series that have rows that belong, each with just these. */
export function oracleSelect(
  profiles: readonly PlainProfile[],
  { type, matchers, from, to }: PlainSelector,
): PlainProfile[] {
  const selected = profiles
    .filter((one) => one.type === type && one.timeNanos >= from && one.timeNanos <= to)
    .map((one) => ({
      ...one,
      rows: one.rows.filter((row) =>
        matchers.every((matcher) => isMatch(labelOf(matcher.name, one, row), matcher)),
      ),
    }));
  const seriesOf = ({ labels }: PlainProfile): string => JSON.stringify(labels);
  const found = new Set(selected.filter(({ rows }) => rows.length > 0).map(seriesOf));
  return selected.filter((one) => found.has(seriesOf(one)));
}

function isMatch(own: string, { operator, value }: PlainMatcher): boolean {
  if (operator === '=') return own === value;
  if (operator === '!=') return own !== value;
  return new RegExp(`^(?:${value})$`, 's').test(own) === (operator === '=~');
}

type Frames = readonly PlainFrame[];

/** Each step sees what the one before it left; undefined: the stack is dropped. */
export function oracleSteps(frames: Frames, steps: readonly PlainStep[]): Frames | undefined {
  return steps.reduce<Frames | undefined>((left, step) => left && takeStep(left, step), frames);
}

function takeStep(frames: Frames, step: PlainStep): Frames | undefined {
  if (step.kind === 'invert') return frames.toReversed();
  if (step.kind === 'sandwich') {
    const at = frames.findLastIndex(({ name }) => name === step.name);
    return at === -1 ? undefined : frames.slice(at);
  }
  const dropsEmpty = step.criteria.anyName !== undefined;
  const answers = frames.map((frame) => answersOf(frame, step.criteria));
  if (step.kind === 'frame') {
    const kept = frames.filter((_, i) =>
      answers[i].every(({ isNegated, holds }) => holds === undefined || holds !== isNegated),
    );
    return dropsEmpty && kept.length === 0 ? undefined : kept;
  }
  if (frames.length === 0) return dropsEmpty ? undefined : frames;
  // One frame is all that is asked for, and none is what must not be.
  const isExcluded = answers.flat().some(({ isNegated, holds }) => isNegated && holds === true);
  const isFound = answers.some((all) => all.every((one) => one.isNegated || one.holds === true));
  return isFound && !isExcluded ? frames : undefined;
}

/** `holds` is of the condition before negation; undefined: the frame has nothing to compare. */
function answersOf(
  { name, systemName, fileName, line, address, binary }: PlainFrame,
  criteria: FrameCriteria,
): { isNegated: boolean; holds: boolean | undefined }[] {
  const ofLine = <T>(...facts: T[]): T[] | undefined => (name === '' ? undefined : facts);
  const path = binary && [binary.path];
  const facts: Record<keyof FrameCriteria, readonly (string | bigint)[] | undefined> = {
    ...{ functionName: ofLine(name), systemName: ofLine(systemName), fileName: ofLine(fileName) },
    ...{ binary: path?.map((text) => text.replace(/.*[/]/, '')), address: [address] },
    ...{
      lineNumber: ofLine(BigInt(line)),
      anyName: [ofLine(name, fileName), path].flat().filter((one) => one !== undefined),
    },
  };
  return (Object.keys(criteria) as (keyof FrameCriteria)[]).flatMap((field) => {
    const condition = criteria[field];
    if (condition === undefined) return [];
    const holds = facts[field]?.some((fact) => isAsked(fact, condition));
    return [{ isNegated: condition.isNegated, holds }];
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
