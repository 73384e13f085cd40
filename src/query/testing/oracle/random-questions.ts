// Random queries about random worlds, in the forms of the engine and of the naive evaluation.
import type { ProfileSelector, RangeQuestion, ReportQuestion } from '../../interface.ts';
import type { TimeRange } from '../../../storage/interface.ts';
import {
  spokenName,
  type PlainProfile,
  type PlainQuestion,
  type PlainRange,
  type PlainReport,
  type PlainSelection,
  type PlainSelector,
} from './plain-data.ts';
import { randomSelector, selectorText } from './random-selectors.ts';
import { randomTypes } from '../random-store.ts';
import { randomList, pick, type RandomBelow } from '../random-rows.ts';
import { randomStages, randomView, stepsOfView, type RandomStages } from './random-stages.ts';

const second = 1_000_000_000n;
const milli = 1_000_000n;
const hour = 3_600n * second;
const labelNames = ['job', 'instance', 'thread', 'absent'];

/** A selection in both forms. */
interface RandomSelection {
  readonly mode: ProfileSelector['mode'];
  readonly query: string;
  /** Range in the query: the range of the selection, moved by its offset. */
  readonly asked: TimeRange;
  readonly oracle: PlainSelection;
}

export interface RandomReport {
  readonly question: ReportQuestion;
  readonly oracle: PlainQuestion;
}

export interface RandomRange {
  readonly question: RangeQuestion;
  readonly oracle: PlainRange;
}

const reports: readonly PlainReport[] = [
  ...(['flame-graph', 'flame-graph', 'flame-chart', 'nested-flame-graph'] as const),
  ...([
    'flame-graph-table',
    'top',
    'table',
    'profile',
    'call-graph',
    'source',
    'metadata',
  ] as const),
];

/** Reports that keep groups of labels separate, and reports whose frames may have fields. */
const labelled: ReadonlySet<PlainReport> = new Set(['flame-graph', 'flame-chart', 'profile']);
const fielded: ReadonlySet<PlainReport> = new Set([
  'flame-graph',
  'flame-chart',
  'nested-flame-graph',
  'flame-graph-table',
]);

/** Returns a report of a merge, of a single time, or of the difference between two of these. */
export function randomReport(random: RandomBelow, profiles: readonly PlainProfile[]): RandomReport {
  const report = pick(random, reports);
  const own = randomSelection(random, profiles);
  const isDiff = report !== 'flame-chart' && random(3) === 0;
  // In the query language, both sides of a diff have the requested time.
  const isInWords = isDiff && own.mode === 'merge' && random(2) === 0;
  const base = isDiff ? randomSelection(random, profiles, own, isInWords) : undefined;
  const baseScale = isInWords ? 'total' : pick(random, ['none', 'total', 'time'] as const);
  const isPipeline = base === undefined || isInWords;
  const stages = isPipeline ? randomStages(random) : { text: '', steps: [] };
  const groups = isPipeline ? randomGroups(random) : noGroups;
  const view = randomView(random);
  const isFielded = report === 'flame-chart' ? ['timestamp'] : pick(random, fieldLists);
  const labels = randomList(random, 2, () => pick(random, labelNames));
  const names = [...new Set([...groups.labels, ...labels])];
  const frameFields = [...groups.fields, ...isFielded];
  const [nodeTrimFraction, rootTrimFraction] = pick(random, trims);
  const words = `${stages.text}${groups.text}`;
  const common = {
    nodeTrimFraction,
    rootTrimFraction,
    source: pick(random, sources),
    zoomPath:
      report.includes('graph') && frameFields.length === 0 ? randomPath(random, profiles) : [],
    ...(random(3) === 0 && { search: pick(random, searches) }),
  };
  return {
    question: {
      ...common,
      select: makeSelect(own, base, baseScale, isInWords, words),
      report: report === 'flame-chart' ? 'flame-graph' : report,
      view,
      groupBy: [...labels.map((name) => `labels.${name}`), ...isFielded],
    },
    oracle: {
      ...common,
      report,
      own: own.oracle,
      base: base?.oracle,
      baseScale,
      top: groups.top,
      steps: [...stages.steps, ...stepsOfView(view)],
      scales:
        report === 'profile'
          ? base !== undefined && baseScale !== 'none'
          : [own, base].some((side) => side?.mode === 'merge'),
      labelNames: labelled.has(report) ? names : [],
      frameFields: fielded.has(report) ? frameFields : [],
    },
  };
}

const fieldLists = [
  [],
  [],
  ['function_file_name'],
  ['mapping_file'],
  ['location_address', 'function_name'],
  ['function_file_name', 'mapping_file'],
];
const trims = [
  [0, 0],
  [0, 0],
  [0.1, 0],
  [0, 0.05],
  [0.3, 0.02],
];
const sources = [
  { buildId: '', fileName: 'a.go' },
  { buildId: 'b1', fileName: 'src/a.go' },
  { buildId: '', fileName: 'lib/b.c' },
];
const searches = [
  { text: 'F1', mode: 'text' },
  { text: 'F', mode: 'case' },
  { text: 'g', mode: 'case' },
  { text: '0x', mode: 'text' },
  { text: '[FG]1|app', mode: 'regex' },
] as const;

function makeSelect(
  own: RandomSelection,
  base: RandomSelection | undefined,
  baseScale: PlainQuestion['baseScale'],
  isInWords: boolean,
  words: string,
): ReportQuestion['select'] {
  if (base === undefined) return makeSelector(own, own.query + words);
  if (isInWords) return makeSelector(own, `diff(${base.query}, ${own.query})${words}`);
  const [compared, other] = [own, base].map((side) => makeSelector(side, side.query));
  return { mode: 'diff', base: other, compared, baseScale };
}

function makeSelector({ mode, asked }: RandomSelection, query: string): ProfileSelector {
  return mode === 'single' ? { mode, query, timeNanos: asked.from } : { mode, query, range: asked };
}

/** Stages that group and limit, in the query language. */
interface RandomGroups {
  readonly text: string;
  readonly labels: readonly string[];
  readonly fields: readonly string[];
  readonly top: number;
}

const noGroups: RandomGroups = { text: '', labels: [], fields: [], top: 0 };

function randomGroups(random: RandomBelow): RandomGroups {
  const labels = [...new Set(randomList(random, 2, () => pick(random, labelNames)))];
  const isByFile = random(3) === 0;
  const names = isByFile ? [...labels, 'file'] : labels;
  const isGrouped = random(4) === 0 && names.length > 0;
  const top = random(4) === 0 ? 1 + random(6) : 0;
  return {
    text: `${isGrouped ? ` | by (${names.join(', ')})` : ''}${top > 0 ? ` | top ${top}` : ''}`,
    labels: isGrouped ? labels : [],
    fields: isGrouped && isByFile ? ['function_file_name'] : [],
    top,
  };
}

/** Returns the named frames of a stack, sometimes with an additional frame that does not exist. */
function randomPath(random: RandomBelow, profiles: readonly PlainProfile[]): string[] {
  if (random(2) === 0) return [];
  const { frames } = pick(random, pick(random, profiles).rows);
  const named = frames.slice(
    0,
    frames.findIndex(({ name }) => name === ''),
  );
  return [...named.slice(0, random(4)).map(spokenName), ...(random(8) === 0 ? ['nowhere'] : [])];
}

/** Returns a query for values over time. */
export function randomRange(random: RandomBelow, profiles: readonly PlainProfile[]): RandomRange {
  const { query, asked, oracle: selection } = randomSelection(random, profiles, undefined, true);
  const { text, labels, top } = randomGroups(random);
  const sumBy = randomList(random, 2, () => pick(random, labelNames));
  const limit = random(4) === 0 ? 1 + random(3) : 0;
  const limits = [top, limit].filter((most) => most > 0);
  const span = asked.to - asked.from;
  const stepNanos = pick(random, [0n, second, 30n * second, hour, span / 3n + 1n]);
  return {
    question: { query: query + text, range: asked, stepNanos, sumBy, limit },
    oracle: {
      selection,
      stepNanos,
      offsetNanos: asked.from - selection.from,
      sumBy: [...new Set([...labels, ...sumBy])].sort(),
      limit: limits.length === 0 ? 0 : Math.min(...limits),
    },
  };
}

/** Returns a selection; for the other side of a diff, usually with the same units as `like`. */
function randomSelection(
  random: RandomBelow,
  profiles: readonly PlainProfile[],
  like?: RandomSelection,
  isMerge = false,
): RandomSelection {
  const selector = randomSelector(random, profiles);
  const isSameType = like !== undefined && random(10) !== 0;
  const type = isSameType ? like.oracle.type : selector.type;
  const stages = randomStages(random);
  if (!isMerge && random(5) === 0) {
    const { timeNanos } = pick(random, profiles);
    const from = timeNanos - (timeNanos % milli);
    // Sample labels are ignored here, because only the times of profiles matter.
    const matchers = selector.matchers.filter(({ name }) => name !== 'thread');
    const isIncrease = isCounted(random, type);
    const { within, except } = selector;
    const single = { type, matchers, from, to: from + milli - 1n, within, except, isIncrease };
    return makeSelection('single', single, stages, 0n);
  }
  const wanted = random(4) === 0 ? BigInt(random(120) - 60) * second : 0n;
  // Times before 1970 cannot be written.
  const starts = [selector.within, selector.except].flatMap((one) => one?.from ?? []);
  const offset = starts.some((from) => from + wanted < 0n) ? 0n : wanted;
  const asked = isMerge && like !== undefined ? like.asked : undefined;
  const times = asked && { from: asked.from - offset, to: asked.to - offset };
  const isIncrease = isCounted(random, type, like);
  return makeSelection('merge', { ...selector, type, ...times, isIncrease }, stages, offset);
}

/** Decides whether to request an increase; for a diff, usually on both sides or on neither. */
function isCounted(random: RandomBelow, type: string, like?: RandomSelection): boolean {
  if (type !== randomTypes.alloc) return false;
  if (like?.oracle.type === type && random(10) !== 0) return like.oracle.isIncrease;
  return random(4) !== 0;
}

function makeSelection(
  mode: RandomSelection['mode'],
  selector: PlainSelector,
  { text, steps }: RandomStages,
  offset: bigint,
): RandomSelection {
  const increase = selector.isIncrease ? ' | increase' : '';
  // The stage may be in any position.
  const stages = steps.length % 2 === 0 ? `${increase}${text}` : `${text}${increase}`;
  return {
    mode,
    query: `${selectorText(selector, offset / second)}${stages}`,
    asked: { from: selector.from + offset, to: selector.to + offset },
    oracle: { ...selector, steps },
  };
}
