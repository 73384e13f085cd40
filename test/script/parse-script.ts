// Parses scripts to commands; README.md describes the format.

/** One row of a `load`: a stack, its values, and its sample labels. */
export interface ScriptRow {
  readonly stack: string;
  readonly values: readonly bigint[];
  readonly labels: readonly ScriptLabel[];
}

/** A label as it is written: a string, or a number with a unit. */
export interface ScriptLabel {
  readonly name: string;
  readonly text: string;
  readonly number: bigint;
  readonly unit: string;
}

export interface LoadCommand {
  readonly kind: 'load';
  readonly line: number;
  readonly name: string;
  /** [type, unit] of each value column. */
  readonly sampleTypes: readonly (readonly [string, string])[];
  readonly periodType: readonly [string, string];
  readonly labels: readonly ScriptLabel[];
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
  readonly period: bigint;
  readonly rows: readonly ScriptRow[];
  /** Expected error of the write; "" if it must succeed. */
  readonly error: string;
}

const evalKinds = [
  'flamegraph',
  'top',
  'range',
  'single',
  'labels',
  'values',
  'types',
  'pprof',
  'metadata',
  'table',
  'callgraph',
  'nested',
  'flamechart',
  'source',
];

export interface EvalCommand {
  readonly kind: 'eval' | 'eval_fail';
  readonly line: number;
  /** One of `evalKinds`. */
  readonly what: string;
  /** The query, or the label name of a `values` command. */
  readonly query: string;
  readonly from: bigint;
  readonly to: bigint;
  /** True if the script has `from` and `to`. */
  readonly hasRange: boolean;
  /** A single profile's time. */
  readonly at: bigint | undefined;
  /** Values of options by name, in order. */
  readonly options: ReadonlyMap<string, readonly string[]>;
  readonly expected: readonly string[];
}

export type ScriptCommand = { readonly kind: 'clear'; line: number } | LoadCommand | EvalCommand;

/** One unindented line with the indented lines below it. */
interface Paragraph {
  readonly line: number;
  readonly head: string;
  readonly body: string[];
}

/** Parses a script. Errors: an Error with the line of the first mistake. */
export function parseScript(text: string): ScriptCommand[] {
  return splitParagraphs(text).map((paragraph) => {
    const { head, line } = paragraph;
    if (head === 'clear') return { kind: 'clear', line };
    if (/^load(_fail)? /.test(head)) return parseLoad(paragraph);
    if (/^eval(_fail)? /.test(head)) return parseEval(paragraph);
    throw new Error(`line ${line}: unknown command: ${head}`);
  });
}

function splitParagraphs(text: string): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  text.split('\n').forEach((raw, i) => {
    const content = raw.trim();
    if (content === '' || content.startsWith('#')) return;
    if (!/^\s/.test(raw)) paragraphs.push({ line: i + 1, head: content, body: [] });
    else if (paragraphs.length === 0) throw new Error(`line ${i + 1}: indented without a command`);
    else paragraphs[paragraphs.length - 1].body.push(content);
  });
  return paragraphs;
}

const loadForm =
  /^load(_fail)? (\S+)(?: (\{.*\}))? at (\S+)(?: for (\S+))?(?: period (-?[\d_]+))?$/;

function parseLoad({ head, line, body }: Paragraph): LoadCommand {
  const match = loadForm.exec(head);
  if (match === null) throw new Error(`line ${line}: cannot read load: ${head}`);
  const [, fails, type, labels = '{}', at, duration = '0', period = '0'] = match;
  const error = fails === undefined ? '' : (body.at(-1) ?? '');
  const rows = fails === undefined ? body : body.slice(0, -1);
  const types = /^([^:]*):(.+):([^:]*):([^:]*)$/.exec(type);
  if (types === null) throw new Error(`line ${line}: cannot read type: ${type}`);
  return {
    kind: 'load',
    line,
    error,
    name: types[1],
    sampleTypes: types[2].split(',').map((pair) => parsePair(pair, line)),
    periodType: [types[3], types[4]],
    labels: parseLabels(labels),
    timeNanos: parseTime(at),
    durationNanos: parseTime(duration),
    period: parseValue(period),
    rows: rows.map((row) => parseRow(row, line)),
  };
}

function parsePair(text: string, line: number): [string, string] {
  const parts = text.split(':');
  if (parts.length !== 2) throw new Error(`line ${line}: not type:unit: ${text}`);
  return [parts[0], parts[1]];
}

function parseRow(text: string, line: number): ScriptRow {
  const match = /^(\S+)((?: -?[\d_]+)+)(?: (\{.*\}))?$/.exec(text);
  if (match === null) throw new Error(`load of line ${line}: cannot read row: ${text}`);
  const [, stack, values, labels = '{}'] = match;
  return {
    stack,
    values: values.trim().split(' ').map(parseValue),
    labels: parseLabels(labels),
  };
}

function parseValue(text: string): bigint {
  return BigInt(text.replaceAll('_', ''));
}

function parseLabels(text: string): ScriptLabel[] {
  const form = /([^=,{}\s]+)=(?:"([^"]*)"|(-?\d+)([a-z]*))/g;
  return [...text.matchAll(form)].map(([, name, value = '', number = '0', unit = '']) => ({
    name,
    text: value.replaceAll('↵', '\n'),
    unit,
    number: BigInt(number),
  }));
}

/** Options of `eval`; any other word is part of the query. */
const option =
  '(?:trim|root_trim|group_by|sum_by|step|limit|match|type|stack|frame|sandwich|invert|base|base_from|base_to|' +
  'relative|file|build|search|search_mode|zoom)=(?:"(?:[^"])*"|[^\\s"]|"[^"]*")*';
const evalForm = new RegExp(
  `^eval(_fail)? (\\w+)(?: (.*?))??(?: from (\\S+) to (\\S+)| at (\\S+))?((?: ${option})*)$`,
);

function parseEval({ head, line, body }: Paragraph): EvalCommand {
  const match = evalForm.exec(head);
  if (match === null || !evalKinds.includes(match[2])) {
    throw new Error(`line ${line}: cannot read eval: ${head}`);
  }
  const [, fails, what, query = '', from, to, at, tail] = match;
  const options = new Map<string, string[]>();
  for (const [, name, value] of tail.matchAll(/ ([a-z_]+)=(\S*)/g)) {
    options.set(name, [...(options.get(name) ?? []), value]);
  }
  return {
    kind: fails === undefined ? 'eval' : 'eval_fail',
    line,
    what,
    options,
    expected: body,
    query: query.replaceAll('↵', '\n'),
    from: from === undefined ? -(2n ** 63n) : parseTime(from),
    to: to === undefined ? 2n ** 63n - 1n : parseTime(to),
    hasRange: from !== undefined,
    at: at === undefined ? undefined : parseTime(at),
  };
}

const unitNanos: ReadonlyMap<string, bigint> = new Map([
  ['', 1n],
  ['ns', 1n],
  ['us', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

/** Parses a time such as `90s`, `10s+1ns`, `1m-1ms`, `-5s`, or a number of nanoseconds. */
export function parseTime(text: string): bigint {
  if (!/^(?:[+-]?[\d_]+(?:ns|us|ms|s|m|h)?)+$/.test(text)) throw new Error(`not a time: ${text}`);
  let nanos = 0n;
  for (const [, sign, digits, unit] of text.matchAll(/([+-]?)([\d_]+)([a-z]*)/g)) {
    const amount = parseValue(digits) * (unitNanos.get(unit) ?? 0n);
    nanos += sign === '-' ? -amount : amount;
  }
  return nanos;
}

/**
 * Formats a time as whole seconds (`10s`), else as whole milliseconds (`10500ms`), else as `10ns`.
 */
export function formatTime(nanos: bigint): string {
  if (nanos % 1_000_000_000n === 0n) return `${nanos / 1_000_000_000n}s`;
  return nanos % 1_000_000n === 0n ? `${nanos / 1_000_000n}ms` : `${nanos}ns`;
}
