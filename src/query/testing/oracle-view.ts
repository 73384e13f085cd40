// A second, naive evaluation of views of stacks: filters, sandwich, inversion.
import type { FrameCriteria, TextCondition } from '../../report/frame-criteria.ts';
import type { StackView } from '../../report/stack-view.ts';
import type { FrameStack, OracleFrame } from './oracle-frames.ts';

/** What a view leaves of stacks, and the sum of what it drops. */
export function oracleView(
  stacks: readonly FrameStack[],
  view: StackView,
): { stacks: FrameStack[]; filtered: bigint } {
  const kept: FrameStack[] = [];
  let filtered = 0n;
  for (const { frames, value } of stacks) {
    const passes = view.stackFilters.every((criteria) => passesFilter(frames, criteria));
    const shown = passes ? cut(frames, view) : undefined;
    if (shown === undefined) filtered += value;
    else kept.push({ frames: arrange(shown, view), value });
  }
  return { stacks: kept, filtered };
}

/** One frame is all that is asked for, and none is what must not be. */
function passesFilter(frames: readonly OracleFrame[], criteria: FrameCriteria): boolean {
  if (frames.length === 0) return true;
  const answers = frames.map((frame) => answersOf(frame, criteria));
  const isExcluded = answers.flat().some(({ isNegated, holds }) => isNegated && holds === true);
  const positive = answers.map((all) => all.filter(({ isNegated }) => !isNegated));
  return !isExcluded && positive.some((all) => all.every(({ holds }) => holds === true));
}

function cut(frames: readonly OracleFrame[], view: StackView): readonly OracleFrame[] | undefined {
  if (view.sandwich === '') return frames;
  const isIt = ({ name }: OracleFrame): boolean => name === view.sandwich;
  const at = view.isInverted ? frames.findIndex(isIt) : frames.findLastIndex(isIt);
  if (at === -1) return undefined;
  return view.isInverted ? frames.slice(0, at + 1) : frames.slice(at);
}

function arrange(frames: readonly OracleFrame[], view: StackView): readonly OracleFrame[] {
  const kept = frames.filter((frame) =>
    view.frameFilters
      .flatMap((criteria) => answersOf(frame, criteria))
      .every(({ isNegated, holds }) => holds === undefined || holds !== isNegated),
  );
  return view.isInverted ? kept.toReversed() : kept;
}

interface Answer {
  readonly isNegated: boolean;
  /** Before negation; undefined: the frame has nothing to compare. */
  readonly holds: boolean | undefined;
}

function answersOf(frame: OracleFrame, criteria: FrameCriteria): Answer[] {
  const ofLine = <T>(value: T): T | undefined => (frame.name === '' ? undefined : value);
  const answers: Answer[] = [];
  const text = (condition: TextCondition | undefined, own: string | undefined): void => {
    if (condition === undefined) return;
    const holds = own === undefined ? undefined : textHolds(own, condition);
    answers.push({ isNegated: condition.isNegated, holds });
  };
  text(criteria.functionName, ofLine(frame.name));
  text(criteria.systemName, ofLine(frame.systemName));
  text(criteria.fileName, ofLine(frame.fileName));
  text(criteria.binary, frame.binary?.path.split('/').at(-1));
  const { address, lineNumber } = criteria;
  if (address !== undefined) {
    const { isNegated, value } = address;
    answers.push({ isNegated, holds: frame.address === value });
  }
  if (lineNumber !== undefined) {
    const { isNegated, value } = lineNumber;
    answers.push({ isNegated, holds: ofLine(BigInt(frame.line) === value) });
  }
  return answers;
}

function textHolds(own: string, { operator, texts }: TextCondition): boolean {
  const text = own.toLowerCase();
  return texts.some((one) => {
    const wanted = one.toLowerCase();
    if (operator === 'equal') return text === wanted;
    return operator === 'contains' ? text.includes(wanted) : text.startsWith(wanted);
  });
}
