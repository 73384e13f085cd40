// A naive evaluation of whole questions: what a report is to say.
import { oracleChart } from './oracle-chart.ts';
import { oracleSelect, oracleSteps } from './oracle-select.ts';
import * as sums from './oracle-sums.ts';
import type { OracleRatio, Pair } from './oracle-sums.ts';
import { frameText, isCountOfSamples, labelOf, labelsText } from './plain-data.ts';
import { spokenName, unitOf, wholeText } from './plain-data.ts';
import type { PlainFrame, PlainProfile, PlainQuestion, PlainRow } from './plain-data.ts';
import { printTree } from './print-report.ts';
import type { Said } from './report-texts.ts';

/** What of a row is left. */
interface ViewedRow {
  readonly profile: PlainProfile;
  readonly row: PlainRow;
  readonly frames: readonly PlainFrame[];
  readonly values: Pair;
  readonly labels: string;
}

/**
 * What a report says of itself and in its body. `covered`: how much time both sides cover, which is
 * not worked out here.
 */
export function oracleReport(
  all: readonly PlainProfile[],
  question: PlainQuestion,
  covered: Pair,
): Said {
  const own = sideOf(all, question, 'own');
  const base = question.base && sideOf(all, question, 'base');
  const rows = [...own.rows, ...(base?.rows ?? [])];
  const ratio = base && ratioOf(question, [own.total, base.total], covered);
  const search = question.search && searchText(rows, question.search, ratio);
  return { ...own.facts, base: base?.facts, search, ...bodyOf(question, own, rows, ratio) };
}

type Side = ReturnType<typeof sideOf>;

/** What is left of a side at last; `total`: before the steps of both sides. */
function sideOf(all: readonly PlainProfile[], question: PlainQuestion, side: 'own' | 'base') {
  const selection = question[side] ?? question.own;
  const profiles = oracleSelect(all, selection);
  const isScaled = question.scales && isCountOfSamples(selection.type);
  const rows: ViewedRow[] = [];
  let [selected, total, shown] = [0n, 0n, 0n];
  for (const profile of profiles) {
    for (const row of profile.rows) {
      const value = row.value * (isScaled ? profile.period : 1n);
      selected += value;
      const left = oracleSteps(row.frames, selection.steps);
      total += left === undefined ? 0n : value;
      const frames = left && oracleSteps(left, question.steps);
      if (frames === undefined) continue;
      shown += value;
      const values: Pair = side === 'own' ? [value, 0n] : [0n, value];
      const labels = labelsText(question.labelNames, profile, row);
      rows.push({ profile, row, frames, values, labels });
    }
  }
  const times = profiles.map(({ timeNanos }) => timeNanos).sort((a, b) => (a < b ? -1 : 1));
  const periods = new Set(profiles.map((profile) => profile.period));
  const facts = {
    ...{ total: shown, filtered: selected - shown, profileCount: profiles.length },
    ...{ timeNanos: times[0] ?? selection.from, period: periods.size === 1 ? [...periods][0] : 0n },
  };
  return { profiles, rows, total, facts };
}

function ratioOf({ baseScale }: PlainQuestion, totals: Pair, covered: Pair): OracleRatio {
  const [numerator, denominator] = { none: [1n, 1n], total: totals, time: covered }[baseScale];
  const isKnown = numerator > 0n && denominator > 0n;
  return isKnown ? { numerator, denominator } : { numerator: 1n, denominator: 1n };
}

function searchText(
  rows: readonly ViewedRow[],
  { text: wanted, mode }: NonNullable<PlainQuestion['search']>,
  ratio?: OracleRatio,
): string {
  const pattern = mode === 'regex' ? wanted : wanted.replace(/\W/g, String.raw`\$&`);
  const expression = new RegExp(pattern, mode === 'case' ? '' : 'i');
  const isFound = (frame: PlainFrame): boolean => expression.test(spokenName(frame));
  const found = sums.sumBy(rows, ({ frames }) => frames.map((frame) => `${isFound(frame)}`));
  const names = distinct(rows.flatMap(({ frames }) => frames.filter(isFound).map(spokenName)));
  const [text] = sums.sumTexts([[`${names.length}`, found.get('true') ?? sums.none]], ratio);
  return text;
}

function bodyOf(
  question: PlainQuestion,
  own: Side,
  rows: readonly ViewedRow[],
  ratio: OracleRatio | undefined,
): Said {
  const { report } = question;
  if (report === 'metadata') return metadataOf(own);
  if (report === 'profile') return { rows: samplesOf(rows, ratio) };
  if (report === 'source') return { rows: sourceLines(rows, question, ratio) };
  if (report.startsWith('flame') || report.startsWith('nested')) {
    return flameBody(question, own, rows, ratio);
  }
  const stacks = rows.map(({ frames, values }) => {
    return { frames: frames.map((frame) => frameText(frame)), values };
  });
  const ranked = sums.oracleTop(stacks);
  if (report === 'call-graph') {
    const hidden = sums.oracleHidden(stacks);
    const calls = sums.oracleCalls(stacks, (name) => hidden.has(name));
    const lines = Array.from(calls, ([pair, { cumulative }]) => {
      const diff = ratio === undefined ? '' : ` ${sums.difference(cumulative, ratio)}`;
      return `${pair} ${cumulative[0]}${diff}`;
    });
    const shown = ranked.filter(([name]) => !hidden.has(name));
    return { rows: sums.sumTexts(shown, ratio), calls: lines.sort() };
  }
  const shown = question.top === 0 ? ranked : ranked.slice(0, question.top);
  if (report === 'top') return { rows: sums.sumTexts(shown, ratio) };
  const isHidden = (name: string): boolean => !shown.some(([one]) => one === name);
  const pairs = [...sums.oracleCalls(stacks, isHidden).keys()];
  const calls = pairs.map((pair) => pair.replace(' ...', '')).sort();
  return { rows: sums.sumTexts(shown, ratio).sort(), calls };
}

function flameBody(
  question: PlainQuestion,
  { facts: { period } }: Side,
  rows: readonly ViewedRow[],
  ratio: OracleRatio | undefined,
): Said {
  const { report, own, scales, frameFields, labelNames, zoomPath } = question;
  const stacks = rows.map(({ frames, labels, values, profile, row }) => {
    const lane = labelNames.map((name) => labelOf(name, profile, row));
    const texts = frames.map((frame) => frameText(frame, frameFields));
    return { frames: texts, labels, values, profile, lane };
  });
  const below = stacks.map(({ frames, labels, values }) => {
    return { frames: labels === '' ? frames : [labels, ...frames], values };
  });
  const isTime = unitOf(own.type, scales) === 'nanoseconds';
  const whole =
    report === 'flame-chart'
      ? oracleChart(stacks, isTime, Number(period) * 0.1)
      : sums.oracleTree(below);
  const { tree, ...rest } = sums.oracleTrim(whole, question, zoomPath);
  const height = Math.max(0, ...below.map(({ frames }) => frames.length)) + 1;
  return { ...rest, height, tree: printTree(tree, ratio) };
}

function samplesOf(rows: readonly ViewedRow[], ratio: OracleRatio | undefined): string[] {
  const keyOf = ({ labels, frames }: ViewedRow): string =>
    `${labels} ${frames.map(wholeText).join(';')}`;
  const samples = sums.sumBy(rows, (row) => [keyOf(row)]);
  const lines = Array.from(
    samples,
    ([
      key,
      {
        cumulative: [value, base],
      },
    ]) => {
      const scaled = ratio === undefined ? 0n : -sums.difference([0n, base], ratio);
      return `${key} ${value} ${scaled}`;
    },
  );
  return lines.sort();
}

function sourceLines(
  rows: readonly ViewedRow[],
  { source }: PlainQuestion,
  ratio: OracleRatio | undefined,
): string[] {
  const lineOf = ({ fileName, line, binary }: PlainFrame): string => {
    const isBuild = source.buildId === '' || source.buildId === binary?.buildId;
    const isFile = `/${fileName}`.endsWith(`/${source.fileName}`);
    return line !== 0 && isBuild && isFile ? `${fileName}:${line}` : '';
  };
  const lines = sums.sumBy(rows, ({ frames }) => frames.map(lineOf));
  lines.delete('');
  return sums.sumTexts(lines, ratio).sort();
}

function metadataOf({ profiles, rows }: Side): Said {
  const paths = rows.flatMap(({ frames }) => frames.map(({ binary }) => binary?.path ?? ''));
  const labels = profiles.flatMap((one) => [one.labels, ...one.rows.map((row) => row.labels)]);
  return { mappingFiles: distinct(paths), labelNames: distinct(labels.flatMap(Object.keys)) };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter(Boolean).sort();
}
