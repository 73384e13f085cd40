// A second, naive evaluation of views of stacks: filters by function name, sandwich, inversion.
import type { FrameCriteria, TextCondition } from '../../report/frame-criteria.ts';
import type { StackView } from '../../report/stack-view.ts';
import type { OracleStack } from './oracle.ts';

/** What a view leaves of text stacks, and the sum of what it drops. */
export function oracleView(
  stacks: readonly OracleStack[],
  view: StackView,
): { stacks: OracleStack[]; filtered: bigint } {
  const kept: OracleStack[] = [];
  let filtered = 0n;
  for (const { frames, value } of stacks) {
    const viewed = passesAll(frames, view.stackFilters) ? cut(frames, view) : undefined;
    if (viewed === undefined) filtered += value;
    else kept.push({ frames: arrange(viewed, view), value });
  }
  return { stacks: kept, filtered };
}

function passesAll(frames: readonly string[], filters: readonly FrameCriteria[]): boolean {
  if (frames.length === 0) return true;
  return filters.every(({ functionName }) => {
    if (functionName === undefined) return true;
    const matches = frames.some((frame) => holds(frame, functionName));
    return functionName.isNegated ? !matches : matches;
  });
}

function cut(frames: readonly string[], view: StackView): readonly string[] | undefined {
  if (view.sandwich === '') return frames;
  const at = view.isInverted ? frames.indexOf(view.sandwich) : frames.lastIndexOf(view.sandwich);
  if (at === -1) return undefined;
  return view.isInverted ? frames.slice(0, at + 1) : frames.slice(at);
}

function arrange(frames: readonly string[], view: StackView): readonly string[] {
  const kept = frames.filter((frame) =>
    view.frameFilters.every(({ functionName }) => {
      // A frame without a name is not asked for one.
      if (functionName === undefined || isNameless(frame)) return true;
      return holds(frame, functionName) !== functionName.isNegated;
    }),
  );
  return view.isInverted ? kept.toReversed() : kept;
}

function isNameless(frame: string): boolean {
  return frame.startsWith('0x');
}

/** Whether a frame's name is what a condition names, before negation. */
function holds(frame: string, { operator, texts }: TextCondition): boolean {
  if (isNameless(frame)) return false;
  const name = frame.toLowerCase();
  return texts.some((text) => {
    const wanted = text.toLowerCase();
    if (operator === 'equal') return name === wanted;
    return operator === 'contains' ? name.includes(wanted) : name.startsWith(wanted);
  });
}
