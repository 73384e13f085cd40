// Reports as strings, for comparison in tests.
import { labelValue } from '../../model/labels.ts';
import type { StringIndex } from '../../model/rows.ts';
import type { FlameGraph } from '../../report/flame-graph.ts';
import type { Top } from '../../report/top.ts';
import type { MetricsSeries } from '../interface.ts';
import {
  again,
  difference,
  joinPath,
  separator,
  type TextRatio,
  type TextStack,
  type TextTree,
} from './oracle/text-sums.ts';

/**
 * Formats one frame per line, with flat/cumulative values and, for a diff, the difference. Lines
 * are indented by depth, and siblings are sorted by name.
 */
export function printGraph(
  graph: FlameGraph,
  name = (row: number): string => rowName(graph, row),
): string {
  const paths: string[][] = [];
  const rows = Array.from({ length: graph.rowCount }, (_, row) => {
    const frames = row === 0 ? [] : [...paths[graph.parent[row]], name(row)];
    paths.push(frames);
    const diff = graph.diff === undefined ? '' : ` ${graph.diff[row]}`;
    const text = `${graph.flat[row]}/${graph.cumulative[row]}${diff}`;
    return { path: joinPath(frames), text };
  });
  return printPaths(rows);
}

/** Returns the names of all rows except the root, in order. */
export function listNames(graph: FlameGraph): string[] {
  return Array.from({ length: graph.rowCount - 1 }, (_, i) => rowName(graph, i + 1));
}

export function rowName(graph: FlameGraph, row: number): string {
  if (graph.labelsOnly[row] === 1) {
    return graph.labels
      .filter(({ index }) => index[row] !== -1)
      .map(({ name, values, index }) => `${name}=${values[index[row]]}`)
      .join(', ');
  }
  const { functionName, addressLow } = graph.frames;
  const frame = graph.frame[row];
  if (functionName[frame] === -1) return `0x${addressLow[frame].toString(16)}`;
  return graph.strings.text(functionName[frame] as StringIndex);
}

export function printTop(top: Top): string[] {
  return Array.from({ length: top.rowCount }, (_, row) => {
    const name = top.dictionary.strings.text(top.name[row] as StringIndex);
    return `${name} ${top.flat[row]}/${top.cumulative[row]}`;
  });
}

/** Formats `label=value: time value duration count rate, ...` for each series. */
export function printSeries(all: readonly MetricsSeries[], names: readonly string[]): string[] {
  return all.map((series) => {
    const labels = names.map((name) => `${name}=${labelValue(series.labels, name)}`).join(' ');
    const points = Array.from(series.timeNanos, (time, i) =>
      [
        time,
        series.value[i],
        series.durationNanos[i],
        series.count[i],
        roundRate(series.valuePerSecond[i]),
      ].join(' '),
    );
    return `${labels}: ${points.join(', ')}`;
  });
}

/**
 * Rounds a rate, because the last digits of a sum of rates depend on the order of addition. One
 * rate in a million still differs after rounding, depending on that order.
 */
export function roundRate(rate: number): number {
  return Number(rate.toPrecision(9));
}

/** Parses rows in the form of TestStore, without sample labels. */
export function parseRows(rows: string): TextStack[] {
  const lines = rows.split('\n').map((line) => line.trim().split(' '));
  return lines
    .filter(([stack]) => stack !== '')
    .map(([stack, value]) => ({
      frames: stack === '-' ? [] : stack.split(/[;>]/),
      values: [BigInt(value), 0n],
    }));
}

/** Prints a tree like `printGraph`. */
export function printTree(tree: TextTree, ratio?: TextRatio): string {
  const lines = [...tree].map(([path, { flat, cumulative }]) => {
    const diff = ratio === undefined ? '' : ` ${difference(cumulative, ratio)}`;
    return { path: path.replaceAll(again, ''), text: `${flat[0]}/${cumulative[0]}${diff}` };
  });
  return printPaths(lines);
}

const order = (a: string, b: string): number => (a < b ? -1 : 1);

function printPaths(rows: readonly { readonly path: string; readonly text: string }[]): string {
  return rows
    .toSorted((a, b) => (a.path === b.path ? order(a.text, b.text) : order(a.path, b.path)))
    .map(({ path, text }) => {
      const names = path.split(separator);
      return `${' '.repeat(names.length - 1)}${path === '' ? 'root' : names.at(-1)} ${text}\n`;
    })
    .join('');
}
