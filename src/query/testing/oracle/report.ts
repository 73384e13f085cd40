// Naive evaluation of complete queries: the expected contents of a report.
import {
  oracleCalls,
  oracleChart,
  oracleNodes,
  oracleTop,
  oracleTree,
  oracleTrim,
} from './calls.ts';
import { joinRows } from './increase.ts';
import { listEnds, oracleSelect, oracleSteps, oracleStored } from './select.ts';
import {
  frameText,
  isCountOfSamples,
  readLabel,
  labelsText,
  spokenName,
  valueUnit,
  wholeText,
  type PlainFrame,
  type PlainProfile,
  type PlainQuestion,
  type PlainRow,
} from './plain-data.ts';
import { printTree } from '../print-report.ts';
import type { ReportTexts } from './report-texts.ts';
import {
  ascending,
  difference,
  distinct,
  none,
  sumBy,
  sumTexts,
  type Pair,
  type TextRatio,
} from './text-sums.ts';

/**
 * Returns the expected report. `covered` is the time that each side covers, which is not computed
 * here.
 */
export function oracleReport(
  all: readonly PlainProfile[],
  question: PlainQuestion,
  covered: Pair,
): ReportTexts {
  const own = selectSide(all, question, 'own');
  const base = question.base && selectSide(all, question, 'base');
  const rows = [...own.rows, ...(base?.rows ?? [])];
  const ratio = base && computeRatio(question, [own.total, base.total], covered);
  const search = searchText(question, rows, ratio);
  return { ...own.facts, base: base?.facts, search, ...describeBody(question, own, rows, ratio) };
}

type Side = ReturnType<typeof selectSide>;
type Rows = Side['rows'];

/**
 * Returns the final stacks of a side; `total` is the sum before the steps that apply to both sides.
 */
function selectSide(all: readonly PlainProfile[], question: PlainQuestion, side: 'own' | 'base') {
  const selection = question[side] ?? question.own;
  const profiles = oracleSelect(all, selection);
  const isScaled = oracleScales(all, question) && isCountOfSamples(selection.type);
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
    const lane = question.labelNames.map((name) => readLabel(name, profile, row));
    const labels = [labelsText(question.labelNames, profile, row)].filter(Boolean);
    return [{ profile, frames, values, lane, labels }];
  };
  const rows = profiles.flatMap((profile) => {
    const own = selection.isIncrease ? joinRows(profile.rows) : profile.rows;
    return own.flatMap(viewed(profile));
  });
  const [start = selection.from] = listEnds(selection);
  const [timeNanos = start] = ascending(profiles.map((one) => one.timeNanos));
  const periods = new Set(profiles.map((profile) => profile.period));
  const facts = {
    total: shown,
    filtered: selected - shown,
    profileCount: profiles.length,
    timeNanos,
    period: periods.size === 1 ? [...periods][0] : 0n,
  };
  return { stored: oracleStored(all, selection), rows, total, facts, isScaled };
}

/**
 * Returns true if counts of samples are converted to the values that samples represent: on request,
 * or if counts would be added to or compared with values of another meaning.
 */
export function oracleScales(all: readonly PlainProfile[], question: PlainQuestion): boolean {
  const sides = question.base === undefined ? [question.own] : [question.own, question.base];
  const filled = sides.filter((side) => oracleSelect(all, side).length > 0);
  if (!filled.some(({ type }) => isCountOfSamples(type))) return question.scales;
  const kinds = filled.flatMap((side) =>
    oracleSelect(all, side).map(({ period }) => `${period} ${valueUnit(side.type, false)}`),
  );
  return question.scales || new Set(kinds).size > 1;
}

function computeRatio({ baseScale }: PlainQuestion, totals: Pair, covered: Pair): TextRatio {
  const [numerator, denominator] = { none: [1n, 1n], total: totals, time: covered }[baseScale];
  return numerator > 0n && denominator > 0n ? [numerator, denominator] : [1n, 1n];
}

function searchText({ search }: PlainQuestion, rows: Rows, ratio?: TextRatio) {
  if (search === undefined) return undefined;
  const { text: wanted, mode } = search;
  const pattern = mode === 'regex' ? wanted : wanted.replace(/\W/g, String.raw`\$&`);
  const expression = new RegExp(pattern, mode === 'case' ? '' : 'i');
  const isFound = (frame: PlainFrame): boolean => expression.test(spokenName(frame));
  const found = sumBy(rows, ({ frames }) => frames.map((frame) => `${isFound(frame)}`));
  const names = distinct(rows.flatMap(({ frames }) => frames.filter(isFound).map(spokenName)));
  return sumTexts([[`${names.length}`, found.get('true') ?? none]], ratio)[0];
}

function describeBody(
  question: PlainQuestion,
  own: Side,
  rows: Rows,
  ratio?: TextRatio,
): ReportTexts {
  const { report, top } = question;
  if (report === 'metadata') {
    const paths = own.rows.flatMap(({ frames }) => frames.map(({ binary }) => binary?.path ?? ''));
    const labels = own.stored.flatMap((one) => [one.labels, ...one.rows.map((row) => row.labels)]);
    return { mappingFiles: distinct(paths), labelNames: distinct(labels.flatMap(Object.keys)) };
  }
  if (report === 'profile' || report === 'source') {
    const listKeys = ({ labels, frames }: Rows[number]): string[] =>
      report === 'source'
        ? frames.map((frame) => formatLine(frame, question))
        : [`${labels} ${frames.map(wholeText).join(';')}`];
    const sums = [...sumBy(rows, listKeys)].filter(([key]) => key !== '');
    return { rows: sumTexts(sums, ratio).sort() };
  }
  if (report !== 'top' && report !== 'table' && report !== 'call-graph') {
    return flameBody(question, own, rows, ratio);
  }
  const stacks = rows.map(({ frames, values }) => {
    return { frames: frames.map((frame) => frameText(frame)), values };
  });
  const most = top === 0 ? Infinity : top;
  const shown = report === 'call-graph' ? oracleNodes(stacks) : oracleTop(stacks).slice(0, most);
  const texts = sumTexts(shown, ratio);
  if (report === 'top') return { rows: texts };
  const calls = oracleCalls(stacks, (name) => shown.some(([one]) => one === name));
  const pairs = [...calls.keys()].map((pair) => pair.replace(' ...', ''));
  if (report === 'table') return { rows: texts.sort(), calls: pairs.sort() };
  const lines = Array.from(calls, ([pair, { cumulative }]) => {
    return `${pair} ${cumulative[0]}${ratio === undefined ? '' : ` ${difference(cumulative, ratio)}`}`;
  });
  return { rows: texts, calls: lines.sort() };
}

function flameBody(
  question: PlainQuestion,
  { facts: { period }, isScaled }: Side,
  rows: Rows,
  ratio?: TextRatio,
): ReportTexts {
  const { report, own, frameFields, zoomPath } = question;
  const stacks = rows.map(({ frames, ...row }) => {
    return { ...row, frames: frames.map((frame) => frameText(frame, frameFields)) };
  });
  const isTime = valueUnit(own.type, isScaled) === 'nanoseconds';
  const below =
    report === 'flame-chart'
      ? oracleChart(stacks, isTime, Number(period) * 0.1)
      : stacks.map(({ labels, frames, values }) => ({ frames: [...labels, ...frames], values }));
  const { tree, ...rest } = oracleTrim(oracleTree(below), question, zoomPath);
  const height = Math.max(0, ...below.map(({ frames }) => frames.length)) + 1;
  return { ...rest, height, tree: printTree(tree, ratio) };
}

/** Returns the line of a frame; "" if it is not in the requested source. */
function formatLine({ fileName, line, binary }: PlainFrame, { source }: PlainQuestion): string {
  const isBuild = source.buildId === '' || source.buildId === binary?.buildId;
  const isFile = `/${fileName}`.endsWith(`/${source.fileName}`);
  return line !== 0 && isBuild && isFile ? `${fileName}:${line}` : '';
}
