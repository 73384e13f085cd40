// A second, naive evaluation of whole questions: what a report is to say.
import type { StackView } from '../../report/stack-view.ts';
import { named, wholeText } from './oracle-frames.ts';
import { isCountOfSamples, oracleGroups, oracleSelect } from './oracle-select.ts';
import type { OracleProfile, OracleSelector } from './oracle-select.ts';
import { oracleView } from './oracle-view.ts';
import { oracleDiff, oracleTree, oracleTrim, sumOf } from './oracle.ts';
import type { OracleNode, OracleRatio, OracleStack } from './oracle.ts';

export interface OracleQuestion {
  readonly selector: OracleSelector;
  /** Of a diff: what `selector` is compared with. */
  readonly base: OracleSelector | undefined;
  readonly baseScale: 'none' | 'total';
  /** Whether counts of samples become what each stands for. */
  readonly scales: boolean;
  readonly labelNames: readonly string[];
  readonly frameFields: readonly string[];
  readonly view: StackView;
}

interface Side {
  readonly profiles: readonly OracleProfile[];
  readonly total: bigint;
  readonly filtered: bigint;
  /** Frames from the root; those of labels first, where there are any. */
  readonly stacks: readonly OracleStack[];
  /** Values by labels and stacks as lists of frames with all that is known of them. */
  readonly exported: ReadonlyMap<string, bigint>;
}

/** What a question selects, viewed, and by which ratio a base is scaled. */
export function oracleSides(
  all: readonly OracleProfile[],
  question: OracleQuestion,
): { own: Side; base: Side | undefined; ratio: OracleRatio } {
  const own = sideOf(all, question.selector, question);
  const base = question.base && sideOf(all, question.base, question);
  const isScaled =
    question.baseScale === 'total' && base !== undefined && own.total * base.total > 0n;
  const ratio = isScaled
    ? { numerator: own.total, denominator: base.total }
    : { numerator: 1n, denominator: 1n };
  return { own, base, ratio };
}

function sideOf(all: readonly OracleProfile[], of: OracleSelector, asked: OracleQuestion): Side {
  const profiles = oracleSelect(all, of);
  const isScaled = asked.scales && isCountOfSamples(of.type);
  const stacks: OracleStack[] = [];
  const exported = new Map<string, bigint>();
  let [total, filtered] = [0n, 0n];
  for (const [labels, group] of oracleGroups(profiles, asked.labelNames, isScaled)) {
    const viewed = oracleView(group, asked.view);
    total += sumOf(group);
    filtered += viewed.filtered;
    for (const { frames, value } of named(viewed.stacks, asked.frameFields)) {
      stacks.push({ frames: labels === '' ? frames : [labels, ...frames], value });
    }
    for (const { frames, value } of viewed.stacks) {
      const key = `${labels} ${frames.map(wholeText).join(';')}`;
      exported.set(key, (exported.get(key) ?? 0n) + value);
    }
  }
  return { profiles, total, filtered, stacks, exported };
}

/** The tree of a flame graph, the sum of what was cut, and its height before that. */
export function oracleGraph(
  { own, base, ratio }: ReturnType<typeof oracleSides>,
  trim: { readonly nodeTrimFraction: number; readonly rootTrimFraction: number },
): { root: OracleNode; trimmed: bigint; height: number } {
  const root = oracleTree(own.stacks, base?.stacks);
  const depths = [...own.stacks, ...(base?.stacks ?? [])].map(({ frames }) => frames.length);
  const trimmed = oracleTrim(root, trim.nodeTrimFraction, trim.rootTrimFraction);
  if (base !== undefined) oracleDiff(root, ratio);
  return { root, trimmed, height: Math.max(0, ...depths) + 1 };
}
