// Contents of reports as strings, in the same form as in the naive evaluation.
import assert from 'node:assert/strict';
import { assertUnreachable } from '../../../base/assert.ts';
import type { Dictionary } from '../../../model/dictionary.ts';
import type { LabelledStacks } from '../../../model/merged-stacks.ts';
import type { FunctionIndex, StringIndex } from '../../../model/rows.ts';
import type { CallGraph } from '../../../report/call-graph.ts';
import type { FlameGraph } from '../../../report/flame-graph.ts';
import type { SearchTotals } from '../../../report/name-search.ts';
import type { SourceLines } from '../../../report/source-lines.ts';
import type { Table } from '../../../report/table.ts';
import type { Top } from '../../../report/top.ts';
import type { AnswerFacts, RangeAnswer, Report } from '../../interface.ts';
import { frameText, wholeText, type PlainFrame } from './plain-data.ts';
import { rowName, printGraph, printSeries } from '../print-report.ts';

/**
 * The contents of an answer by name, as values that are equal if and only if the answers are equal.
 */
export type ReportTexts = Readonly<Record<string, unknown>>;

/** Formats `labels: time value duration count rate, ...` for each line. */
export function linesOfRange({ series }: RangeAnswer): string[] {
  return series.map((line) => {
    const labels = line.labels.map(({ name, value }) => `${name}=${value}`).join(', ');
    return `${labels}${printSeries([line], []).join()} = ${line.total}`;
  });
}

/** Formats the head and the body of a report whose frames are grouped by `fields`. */
export function readReportTexts(report: Report, fields: readonly string[]): ReportTexts {
  const { base, search } = report;
  return {
    ...pickFacts(report),
    base: base && pickFacts(base),
    search: search && `${search.nameCount} ${searchValues(search)}`,
    ...readBodyTexts(report, fields),
  };
}

function pickFacts(facts: AnswerFacts): ReportTexts {
  const { total, filtered, period, profileCount, timeNanos } = facts;
  return { total, filtered, period, profileCount, timeNanos };
}

function searchValues({ flat, cumulative, flatDiff, cumulativeDiff }: SearchTotals): string {
  const diff = flatDiff === undefined ? '' : ` ${cumulativeDiff} (${flatDiff})`;
  return `${flat}/${cumulative}${diff}`;
}

function readBodyTexts(report: Report, fields: readonly string[]): ReportTexts {
  switch (report.kind) {
    case 'top':
      return { rows: topRows(report.top).map(({ text }) => text) };
    case 'table':
      return saidOfTable(report.table);
    case 'call-graph':
      return saidOfCalls(report.graph);
    case 'profile':
      return { rows: exported(report.dictionary, report.groups) };
    case 'source':
      return { rows: sourceRows(report.lines).sort() };
    case 'metadata':
      return { mappingFiles: report.mappingFiles, labelNames: report.labelNames };
    case 'flame-graph':
    case 'nested-flame-graph':
    case 'flame-graph-table':
      return readGraphTexts(report.graph, fields);
    case 'changes':
    case 'instructions':
    case 'functions':
      throw new Error(`nothing tells what ${report.kind} say`);
    default:
      return assertUnreachable(report);
  }
}

function readGraphTexts(graph: FlameGraph, fields: readonly string[]): ReportTexts {
  const text = (index: number): string =>
    index === -1 ? '' : graph.strings.text(index as StringIndex);
  const nodeName = (row: number): string => {
    const start = graph.startNanos === undefined ? '' : `@${graph.startNanos[row]}`;
    if (graph.labelsOnly[row] === 1) return rowName(graph, row) + start;
    const { frames } = graph;
    const number = graph.frame[row];
    const frame = frameText(
      {
        name: text(frames.functionName[number]),
        fileName: text(frames.fileName[number]),
        address: joined(frames.addressHigh[number], frames.addressLow[number]),
        binary: { path: text(frames.mappingFile[number]), buildId: '' },
      },
      fields,
    );
    return frame + start;
  };
  const { trimmed, height, zoomedFrames } = graph;
  return { trimmed, height, zoomed: zoomedFrames, tree: printGraph(graph, nodeName) };
}

function topRows(top: Top): { name: string; text: string }[] {
  const { flat, cumulative, flatDiff, cumulativeDiff, dictionary } = top;
  return Array.from({ length: top.rowCount }, (_, row) => {
    const written = dictionary.strings.text(top.name[row] as StringIndex);
    const name = written === '' ? frameText(readFrames(dictionary, top.location[row])[0]) : written;
    const diff = flatDiff && cumulativeDiff && ` ${cumulativeDiff[row]} (${flatDiff[row]})`;
    return { name, text: `${name} ${flat[row]}/${cumulative[row]}${diff ?? ''}` };
  });
}

function saidOfTable(table: Table): ReportTexts {
  const { strings, flat, cumulative, flatDiff, cumulativeDiff } = table;
  const text = (index: number): string => (index === -1 ? '' : strings.text(index as StringIndex));
  const names = Array.from({ length: table.rowCount }, (_, row) =>
    frameText({
      name: text(table.functionName[row]),
      fileName: '',
      address: joined(table.addressHigh[row], table.addressLow[row]),
      binary: { path: text(table.mappingFile[row]), buildId: '' },
    }),
  );
  const rows = names.map((name, row) => {
    const diff = flatDiff && cumulativeDiff && ` ${cumulativeDiff[row]} (${flatDiff[row]})`;
    return `${name} ${flat[row]}/${cumulative[row]}${diff ?? ''}`;
  });
  const pairs = (kind: 'callers' | 'callees'): string[] => {
    const { starts, rows: others } = table[kind];
    return names.flatMap((name, row) =>
      Array.from(others.subarray(starts[row], starts[row + 1]), (other) =>
        (kind === 'callers' ? [names[other], name] : [name, names[other]]).join(' > '),
      ),
    );
  };
  const calls = pairs('callers').sort();
  assert.deepEqual(pairs('callees').sort(), calls, 'callers and callees are the same calls');
  return { rows, calls };
}

function saidOfCalls({ nodes, edges, edgeDiff }: CallGraph): ReportTexts {
  const rows = topRows(nodes);
  const lines = Array.from({ length: edges.length }, (_, i) => {
    const pair = `${rows[edges.caller[i]].name} > ${rows[edges.callee[i]].name}`;
    const difference = edgeDiff === undefined ? '' : ` ${edgeDiff[i]}`;
    return `${pair}${edges.isDirect[i] === 1 ? '' : ' ...'} ${edges.cumulative[i]}${difference}`;
  });
  return { rows: rows.map(({ text }) => text), calls: lines.sort() };
}

function sourceRows(lines: SourceLines): string[] {
  const { strings, fileName, line, flat, cumulative, flatDiff, cumulativeDiff } = lines;
  return Array.from({ length: lines.rowCount }, (_, row) => {
    const place = `${strings.text(fileName[row] as StringIndex)}:${line[row]}`;
    const diff = flatDiff && cumulativeDiff && ` ${cumulativeDiff[row]} (${flatDiff[row]})`;
    return `${place} ${flat[row]}/${cumulative[row]}${diff ?? ''}`;
  });
}

/** Formats values by labels and stack, like sums, and sorts them. */
function exported(dictionary: Dictionary, groups: readonly LabelledStacks[]): string[] {
  const sums = new Map<string, [own: bigint, base: bigint]>();
  for (const { labels, merged, base } of groups) {
    const words = labels.map(({ name, value }) => `${name}=${value}`).join(', ');
    for (const [at, side] of [merged, base].entries()) {
      side?.stacks.forEach((stack, i) => {
        const key = `${words} ${stackText(dictionary, stack)}`;
        const sum = sums.get(key) ?? [0n, 0n];
        sums.set(key, sum);
        sum[at] += side.values[i];
      });
    }
  }
  const isDiff = groups.some(({ base }) => base !== undefined);
  const lines = [...sums].map(([key, [own, base]]) => {
    return `${key} ${own}/${own}${isDiff ? ` ${own - base} (${own - base})` : ''}`;
  });
  return lines.sort();
}

function stackText(dictionary: Dictionary, stack: number): string {
  const { leaf, nodeParent, nodeLocation } = dictionary.stacks;
  const frames: PlainFrame[] = [];
  for (let node = leaf[stack]; node !== 0; node = nodeParent[node]) {
    frames.unshift(...readFrames(dictionary, nodeLocation[node]));
  }
  return frames.map(wholeText).join(';');
}

/** Returns the frames of a location, the outermost first. */
function readFrames(
  { locations, functions, mappings, strings }: Dictionary,
  row: number,
): PlainFrame[] {
  const mapping = locations.mapping[row];
  const path = strings.text(mappings.fileName[mapping] as StringIndex);
  const buildId = strings.text(mappings.buildId[mapping] as StringIndex);
  const common = {
    address: joined(locations.addressHigh[row], locations.addressLow[row]),
    binary: mapping === 0 ? undefined : { path, buildId },
  };
  const [first, end] = [locations.lineStart[row], locations.lineStart[row + 1]];
  if (first === end) return [{ ...common, name: '', systemName: '', fileName: '', line: 0 }];
  const frames = Array.from({ length: end - first }, (_, i) => {
    const of = locations.lineFunction[first + i] as FunctionIndex;
    return {
      ...common,
      name: strings.text(functions.displayName(of)),
      systemName: strings.text(functions.systemName[of] as StringIndex),
      fileName: strings.text(functions.fileName[of] as StringIndex),
      line: locations.lineNumber[first + i],
    };
  });
  return frames.reverse();
}

function joined(high: number, low: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low);
}
