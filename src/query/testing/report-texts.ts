// What reports say, in the words of the naive evaluation.
import type { Dictionary } from '../../model/dictionary.ts';
import type { LabelledStacks, MergedStacks } from '../../model/merged-stacks.ts';
import type { FunctionIndex, StringIndex } from '../../model/rows.ts';
import type { CallGraph } from '../../report/call-graph.ts';
import type { FlameGraph } from '../../report/flame-graph.ts';
import type { Table } from '../../report/table.ts';
import type { Top } from '../../report/top.ts';
import type { RangeAnswer, Report } from '../interface.ts';
import { frameText, wholeText } from './oracle-frames.ts';
import type { OracleFrame } from './oracle-frames.ts';
import { printTree } from './oracle.ts';
import { nameOf, printSeries, treeOfGraph } from './print-report.ts';

/** Parts of an answer by name; equal answers have equal texts. */
export type Said = Readonly<Record<string, unknown>>;

/** `labels: time value duration count rate, ...` of each line. */
export function saidOfRange({ series }: RangeAnswer): Said {
  const lines = series.map((line) => {
    const labels = line.labels.map(({ name, value }) => `${name}=${value}`).join(' ');
    return `${labels}${printSeries([line], []).join()}`;
  });
  return { lines: lines.sort() };
}

/** The body of a report whose frames were grouped by `fields`. */
export function saidOfBody(report: Report, fields: readonly string[]): Said {
  const { kind } = report;
  if (kind === 'top') return { rows: textsOf(topRows(report.top)) };
  if (kind === 'table') return saidOfTable(report.table);
  if (kind === 'call-graph') return saidOfCalls(report.graph);
  if (kind === 'profile') {
    const { dictionary, groups } = report;
    const own = exported(dictionary, groups, ({ merged }) => merged);
    return { own, base: report.base && exported(dictionary, groups, ({ base }) => base) };
  }
  if (kind.includes('flame-graph') && 'graph' in report) return saidOfGraph(report.graph, fields);
  throw new Error(`nothing tells what a ${kind} says`);
}

function saidOfGraph(graph: FlameGraph, fields: readonly string[]): Said {
  const text = (index: number): string =>
    index === -1 ? '' : graph.strings.text(index as StringIndex);
  const nodeName = (row: number): string => {
    if (graph.labelsOnly[row] === 1) return nameOf(graph, row);
    return frameText(
      {
        name: text(graph.functionName[row]),
        fileName: text(graph.fileName[row]),
        address: joined(graph.addressHigh[row], graph.addressLow[row]),
        binary: { path: text(graph.mappingFile[row]) },
      },
      fields,
    );
  };
  const { trimmed, height } = graph;
  return { trimmed, height, tree: printTree(treeOfGraph(graph, nodeName)) };
}

function topRows(top: Top): { name: string; text: string }[] {
  const { flat, cumulative, cumulativeDiff: diff, dictionary } = top;
  return Array.from({ length: top.rowCount }, (_, row) => {
    const written = dictionary.strings.text(top.name[row] as StringIndex);
    const name = written === '' ? bareName(dictionary, top.location[row]) : written;
    const difference = diff === undefined ? '' : ` ${diff[row]}`;
    return { name, text: `${name} ${flat[row]}/${cumulative[row]}${difference}` };
  });
}

function textsOf(rows: readonly { readonly text: string }[]): string[] {
  return rows.map(({ text }) => text).sort();
}

function saidOfTable(table: Table): Said {
  const { strings, flat, cumulative, flatDiff, cumulativeDiff } = table;
  const text = (index: number): string => (index === -1 ? '' : strings.text(index as StringIndex));
  const names = Array.from({ length: table.rowCount }, (_, row) =>
    frameText(
      {
        name: text(table.functionName[row]),
        fileName: '',
        address: joined(table.addressHigh[row], table.addressLow[row]),
        binary: { path: text(table.mappingFile[row]) },
      },
      [],
    ),
  );
  const rows = names.map((name, row) => {
    const isDiff = cumulativeDiff !== undefined && flatDiff !== undefined;
    const difference = isDiff ? ` ${cumulativeDiff[row]} (flat ${flatDiff[row]})` : '';
    return `${name} ${flat[row]}/${cumulative[row]}${difference}`;
  });
  const pairs = (kind: 'callers' | 'callees'): string[] => {
    const { starts, rows: others } = table[kind];
    return names.flatMap((name, row) =>
      Array.from(others.subarray(starts[row], starts[row + 1]), (other) =>
        (kind === 'callers' ? [names[other], name] : [name, names[other]]).join(' > '),
      ),
    );
  };
  return { rows: rows.sort(), callers: pairs('callers').sort(), callees: pairs('callees').sort() };
}

function saidOfCalls({ nodes, edges, edgeDiff }: CallGraph): Said {
  const rows = topRows(nodes);
  const lines = Array.from({ length: edges.length }, (_, i) => {
    const pair = `${rows[edges.caller[i]].name} > ${rows[edges.callee[i]].name}`;
    const difference = edgeDiff === undefined ? '' : ` ${edgeDiff[i]}`;
    return `${pair}${edges.isDirect[i] === 1 ? '' : ' ...'} ${edges.cumulative[i]}${difference}`;
  });
  return { rows: textsOf(rows), edges: lines.sort() };
}

/** Values of one side by labels and stacks as lists of frames. */
function exported(
  dictionary: Dictionary,
  groups: readonly LabelledStacks[],
  sideOf: (group: LabelledStacks) => MergedStacks | undefined,
): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const group of groups) {
    const labels = group.labels.map(({ name, value }) => `${name}=${value}`).join(' ');
    const side = sideOf(group);
    side?.stacks.forEach((stack, i) => {
      const key = `${labels} ${stackText(dictionary, stack)}`;
      sums.set(key, (sums.get(key) ?? 0n) + side.values[i]);
    });
  }
  return sums;
}

function stackText(dictionary: Dictionary, stack: number): string {
  const { leaf, nodeParent, nodeLocation } = dictionary.stacks;
  const frames: OracleFrame[] = [];
  for (let node = leaf[stack]; node !== 0; node = nodeParent[node]) {
    frames.unshift(...framesOf(dictionary, nodeLocation[node]));
  }
  return frames.map(wholeText).join(';');
}

/** The frames of a location, the outermost first. */
function framesOf(
  { locations, functions, mappings, strings }: Dictionary,
  row: number,
): OracleFrame[] {
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
      line: Number(locations.lineNumber[first + i]),
    };
  });
  return frames.reverse();
}

function bareName(dictionary: Dictionary, location: number): string {
  return frameText(framesOf(dictionary, location)[0], []);
}

function joined(high: number, low: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low);
}
