// Random filters and stages of queries, in the forms of the engine and of the naive evaluation.
import type {
  FrameCriteria,
  NumberCondition,
  TextCondition,
} from '../../../report/stacks/frame-criteria.ts';
import type { StackView } from '../../../report/stacks/stack-view.ts';
import type { PlainStep } from './plain-data.ts';
import { randomList, pick, type RandomBelow } from '../random-rows.ts';

/** Stages that follow a query. */
export interface RandomStages {
  /** The stages as a string, each with a leading bar. */
  readonly text: string;
  readonly steps: readonly PlainStep[];
}

/** Returns up to three stages that change stacks; usually none. */
export function randomStages(random: RandomBelow): RandomStages {
  const stages = random(3) === 0 ? randomList(random, 3, () => randomStage(random)) : [];
  const text = stages.map((stage) => ` | ${stage.text}`).join('');
  return { text, steps: stages.map(({ step }) => step) };
}

/** Returns the steps of a request's view, in the order in which they apply. */
export function stepsOfView(view: StackView): PlainStep[] {
  return [
    ...view.stackFilters.map((criteria) => ({ kind: 'stack', criteria }) as const),
    ...(view.isInverted ? [{ kind: 'invert' } as const] : []),
    ...(view.sandwich === '' ? [] : [{ kind: 'sandwich', name: view.sandwich } as const]),
    ...view.frameFilters.map((criteria) => ({ kind: 'frame', criteria }) as const),
  ];
}

interface RandomStage {
  readonly text: string;
  readonly step: PlainStep;
}

function randomStage(random: RandomBelow): RandomStage {
  const kind = pick(random, [
    'stack',
    'leaf',
    'frame',
    'pattern',
    'pattern',
    'sandwich',
    'root',
    'run',
    'recursion',
    'invert',
  ] as const);
  if (kind === 'invert') return { text: 'invert', step: { kind } };
  if (kind === 'recursion') return { text: 'collapse recursion', step: { kind } };
  if (kind === 'sandwich' || kind === 'root') {
    const name = `f${random(5)}`;
    return { text: `${kind} "${name}"`, step: { kind, name } };
  }
  if (kind === 'pattern') return randomPattern(random);
  if (kind === 'run') {
    const { text, condition } = randomCondition(random, false);
    return { text: `collapse ${text}`, step: { kind, criteria: condition } };
  }
  const isNegated = random(2) === 0;
  const { text, condition } = randomCondition(random, isNegated);
  const words = kind === 'frame' ? ['frame keep', 'frame drop'] : [kind, `not ${kind}`];
  return { text: `${words[isNegated ? 1 : 0]} ${text}`, step: { kind, criteria: condition } };
}

function randomPattern(random: RandomBelow): RandomStage {
  const word = pick(random, ['focus', 'ignore', 'hide', 'show'] as const);
  const expression = pick(random, ['f[12]', '^f', 'usr/lib|g', 'F', 'a.go$', 'f0|opt', '4']);
  const isNegated = word === 'ignore' || word === 'hide';
  const kind = word === 'focus' || word === 'ignore' ? 'stack' : 'frame';
  const anyName = { operator: 'matches', isNegated, texts: [expression] } as const;
  return { text: `${word} "${expression}"`, step: { kind, criteria: { anyName } } };
}

const fields = {
  function: ['functionName', ['f1', 'F2', 'f', 'g1', '3', '']],
  system: ['systemName', ['_zf1', '_Z', 'f2']],
  file: ['fileName', ['src/', 'SRC/A.go', 'b.c']],
  binary: ['binary', ['app', 'LIBF1.so', 'usr']],
  package: ['package', ['libf1.so', 'app', '(unknown)', 'a']],
  kind: ['kind', ['own code', 'libraries', 'run', '(unknown)']],
} as const;
const comparisons = {
  contains: 'contains',
  equals: 'equal',
  'starts with': 'starts-with',
  matches: 'matches',
} as const;

/** Returns a condition of a stage, both in the query language and as a criterion. */
function randomCondition(
  random: RandomBelow,
  isNegated: boolean,
): { readonly text: string; readonly condition: FrameCriteria } {
  if (random(4) === 0) {
    const value = BigInt(pick(random, [0, 11, 12, 22]));
    return { text: `line ${value}`, condition: { lineNumber: { isNegated, value } } };
  }
  const field = pick(random, Object.keys(fields) as (keyof typeof fields)[]);
  const [name, wanted] = fields[field];
  const comparison = pick(random, Object.keys(comparisons) as (keyof typeof comparisons)[]);
  const text = pick(random, wanted);
  const condition = { operator: comparisons[comparison], isNegated, texts: [text] };
  const criterion = name === 'kind' ? { ...condition, own: [] } : condition;
  return { text: `${field} ${comparison} "${text}"`, condition: { [name]: criterion } };
}

/** Returns a view of stacks in a request. */
export function randomView(random: RandomBelow): StackView {
  const isPlain = random(3) === 0;
  const filters = (): FrameCriteria[] =>
    isPlain || random(2) === 0 ? [] : randomList(random, 2, () => randomCriteria(random));
  return {
    stackFilters: filters(),
    frameFilters: filters(),
    sandwich: isPlain || random(3) !== 0 ? '' : `f${random(5)}`,
    isInverted: random(3) === 0,
  };
}

const operators: readonly TextCondition['operator'][] = ['equal', 'contains', 'starts-with'];

function randomCriteria(random: RandomBelow): FrameCriteria {
  const isNegated = random(2) === 0;
  const text = (...wanted: string[]): TextCondition => ({
    operator: pick(random, operators),
    isNegated,
    texts: [pick(random, wanted), ...randomList(random, 1, () => pick(random, wanted))],
  });
  const number = (...wanted: bigint[]): NumberCondition => ({
    isNegated,
    value: pick(random, wanted),
  });
  const one = (): FrameCriteria =>
    pick(random, [
      () => ({ functionName: text('f1', 'F2', 'f', 'g', 'g1', '3') }),
      () => ({ functionName: text('f0', 'f4', 'g2', '') }),
      () => ({ systemName: text('_zf1', '_Z', 'f2', '') }),
      () => ({ fileName: text('src/', 'SRC/A.go', 'b.c', '') }),
      () => ({ binary: text('app', 'LIBF1.so', 'lib', 'usr') }),
      () => ({ address: number(0x1000n, 0x2_0000_1000n, 0x1010n) }),
      () => ({ lineNumber: number(0n, 11n, 12n, 22n) }),
    ])();
  return { ...one(), ...(random(3) === 0 ? one() : {}) };
}
