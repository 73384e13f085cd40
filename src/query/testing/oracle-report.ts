// A naive evaluation of whole questions: what a report is to say.
import { oracleCalls, oracleHidden, oracleTop, oracleTree, oracleTrim } from './oracle-calls.ts';
import { oracleChart } from './oracle-chart.ts';
import { oracleSelect, oracleSteps } from './oracle-select.ts';
import { frameText, isCountOfSamples, labelOf, labelsText } from './plain-data.ts';
import { spokenName, unitOf, wholeText } from './plain-data.ts';
import type { PlainFrame, PlainProfile, PlainQuestion, PlainRow } from './plain-data.ts';
import { printTree } from './print-report.ts';
import type { Said } from './report-texts.ts';
import { difference, none, sumBy, sumTexts } from './text-sums.ts';
import type { Pair, TextRatio } from './text-sums.ts';

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
type ViewedRow = Side['rows'][number];

/** What is left of a side at last; `total`: before the steps of both sides. */
function sideOf(all: readonly PlainProfile[], question: PlainQuestion, side: 'own' | 'base') {
  const selection = question[side] ?? question.own;
  const profiles = oracleSelect(all, selection);
  const isScaled = question.scales && isCountOfSamples(selection.type);
  let [selected, total, shown] = [0n, 0n, 0n];
  const viewed = (profile: PlainProfile) => (row: PlainRow) => {
    const value = row.value * (isScaled ? profile.period : 1n);
    selected += value;
    const left = oracleSteps(row.frames, selection.steps);
    total += left === undefined ? 0n : value;
    const frames = left && oracleSteps(left, question.steps);
    if (frames === undefined) return [];
    shown += value;
    const values: Pair = side === 'own' ? [value, 0n] : [0n, value];
    const labels = labelsText(question.labelNames, profile, row);
    return [{ profile, row, frames, values, labels }];
  };
  const rows = profiles.flatMap((profile) => profile.rows.flatMap(viewed(profile)));
  const times = profiles.map(({ timeNanos }) => timeNanos).sort((a, b) => (a < b ? -1 : 1));
  const periods = new Set(profiles.map((profile) => profile.period));
  const facts = {
    ...{ total: shown, filtered: selected - shown, profileCount: profiles.length },
    ...{ timeNanos: times[0] ?? selection.from, period: periods.size === 1 ? [...periods][0] : 0n },
  };
  return { profiles, rows, total, facts };
}

function ratioOf({ baseScale }: PlainQuestion, totals: Pair, covered: Pair): TextRatio {
  const [numerator, denominator] = { none: [1n, 1n], total: totals, time: covered }[baseScale];
  const isKnown = numerator > 0n && denominator > 0n;
  return isKnown ? { numerator, denominator } : { numerator: 1n, denominator: 1n };
}

function searchText(
  rows: readonly ViewedRow[],
  { text: wanted, mode }: NonNullable<PlainQuestion['search']>,
  ratio?: TextRatio,
): string {
  const pattern = mode === 'regex' ? wanted : wanted.replace(/\W/g, String.raw`\$&`);
  const expression = new RegExp(pattern, mode === 'case' ? '' : 'i');
  const isFound = (frame: PlainFrame): boolean => expression.test(spokenName(frame));
  const found = sumBy(rows, ({ frames }) => frames.map((frame) => `${isFound(frame)}`));
  const names = distinct(rows.flatMap(({ frames }) => frames.filter(isFound).map(spokenName)));
  const [text] = sumTexts([[`${names.length}`, found.get('true') ?? none]], ratio);
  return text;
}

function bodyOf(
  question: PlainQuestion,
  { profiles, rows: ownRows, facts }: Side,
  rows: readonly ViewedRow[],
  ratio: TextRatio | undefined,
): Said {
  const { report, top } = question;
  if (report === 'metadata') {
    const paths = ownRows.flatMap(({ frames }) => frames.map(({ binary }) => binary?.path ?? ''));
    const labels = profiles.flatMap((one) => [one.labels, ...one.rows.map((row) => row.labels)]);
    return { mappingFiles: distinct(paths), labelNames: distinct(labels.flatMap(Object.keys)) };
  }
  if (report === 'profile') {
    const keyOf = ({ labels, frames }: ViewedRow): string =>
      `${labels} ${frames.map(wholeText).join(';')}`;
    return {
      rows: sumTexts(
        sumBy(rows, (row) => [keyOf(row)]),
        ratio,
      ).sort(),
    };
  }
  if (report === 'source') {
    const lines = sumBy(rows, ({ frames }) => frames.map((frame) => lineOf(frame, question)));
    lines.delete('');
    return { rows: sumTexts(lines, ratio).sort() };
  }
  if (report !== 'top' && report !== 'table' && report !== 'call-graph') {
    return flameBody(question, facts.period, rows, ratio);
  }
  const stacks = rows.map(({ frames, values }) => {
    return { frames: frames.map((frame) => frameText(frame)), values };
  });
  const ranked = oracleTop(stacks);
  const hidden = report === 'call-graph' ? oracleHidden(stacks) : new Set<string>();
  const visible = ranked.filter(([name]) => !hidden.has(name));
  const shown = top === 0 || report === 'call-graph' ? visible : visible.slice(0, top);
  const isHidden = (name: string): boolean => !shown.some(([one]) => one === name);
  const calls = oracleCalls(stacks, isHidden);
  const lines = Array.from(calls, ([pair, { cumulative }]) => {
    const diff = ratio === undefined ? '' : ` ${difference(cumulative, ratio)}`;
    return report === 'table' ? pair.replace(' ...', '') : `${pair} ${cumulative[0]}${diff}`;
  });
  const texts = sumTexts(shown, ratio);
  if (report === 'top') return { rows: texts };
  return { rows: report === 'table' ? texts.sort() : texts, calls: lines.sort() };
}

function flameBody(
  { report, own, scales, frameFields, labelNames, zoomPath, ...rules }: PlainQuestion,
  period: bigint,
  rows: readonly ViewedRow[],
  ratio: TextRatio | undefined,
): Said {
  const stacks = rows.map(({ frames, labels, values, profile, row }) => {
    const lane = labelNames.map((name) => labelOf(name, profile, row));
    const texts = frames.map((frame) => frameText(frame, frameFields));
    return { frames: texts, labels, values, profile, lane };
  });
  const isTime = unitOf(own.type, scales) === 'nanoseconds';
  const below =
    report === 'flame-chart'
      ? oracleChart(stacks, isTime, Number(period) * 0.1)
      : stacks.map(({ frames, labels, values }) => {
          return { frames: labels === '' ? frames : [labels, ...frames], values };
        });
  const { tree, ...rest } = oracleTrim(oracleTree(below), rules, zoomPath);
  const height = Math.max(0, ...below.map(({ frames }) => frames.length)) + 1;
  return { ...rest, height, tree: printTree(tree, ratio) };
}

/** The line that a frame is at; "" outside of the source that is asked for. */
function lineOf({ fileName, line, binary }: PlainFrame, { source }: PlainQuestion): string {
  const isBuild = source.buildId === '' || source.buildId === binary?.buildId;
  const isFile = `/${fileName}`.endsWith(`/${source.fileName}`);
  return line !== 0 && isBuild && isFile ? `${fileName}:${line}` : '';
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter(Boolean).sort();
}
