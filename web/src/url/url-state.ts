// Page state in the URL: a table of keys, each with parser, printer and default.
import type { Span } from '../rpc/api.ts';
import { type Mark, parseMarks, printMarks } from './marks.ts';
import { defaultRange, parseTimePoint, printTimePoint, type TimePoint } from './time-range.ts';

/** A key. `parse` returns undefined for an invalid value; `print` returns "" for the default. */
interface Key<T> {
  readonly key: string;
  readonly initial: T;
  parse(text: string): T | undefined;
  print(value: T): string;
}

const words = (key: string): Key<readonly string[]> => ({
  key,
  initial: [],
  parse: (text) => text.split(',').filter((word) => word !== ''),
  print: (list) => list.join(','),
});

const text = (key: string): Key<string> => ({
  key,
  initial: '',
  parse: (value) => value,
  print: (value) => value,
});

const flag = (key: string): Key<boolean> => ({
  key,
  initial: false,
  parse: (value) => (value === '1' ? true : value === '0' ? false : undefined),
  print: (value) => (value ? '1' : ''),
});

function choice<const T extends string>(key: string, values: readonly T[], initial: T): Key<T> {
  return {
    key,
    initial,
    parse: (value) => values.find((candidate) => candidate === value),
    print: (value) => (value === initial ? '' : value),
  };
}

const point = (key: string, initial: TimePoint): Key<TimePoint> => ({
  key,
  initial,
  parse: parseTimePoint,
  print: (value) => {
    const printed = printTimePoint(value);
    return printed === printTimePoint(initial) ? '' : printed;
  },
});

/** Selected time range, both ends included. */
const selection: Key<Span | undefined> = {
  key: 'sel',
  initial: undefined,
  parse(value) {
    const match = /^(\d{1,15})\.\.(\d{1,15})$/.exec(value);
    if (match === null || Number(match[1]) > Number(match[2])) return undefined;
    return { from: Number(match[1]), to: Number(match[2]) };
  },
  print: (value) => (value === undefined ? '' : `${value.from}..${value.to}`),
};

/** The user's own marks on the graph over time. */
const marks: Key<readonly Mark[]> = {
  key: 'marks',
  initial: [],
  parse: parseMarks,
  print: printMarks,
};

/** Visible part of the graph after wheel and drag, as fractions of the width. */
const view: Key<readonly [number, number] | undefined> = {
  key: 'x',
  initial: undefined,
  parse(value) {
    const parts = value.split('..').map(Number);
    const [from, to] = parts;
    return parts.length === 2 && from >= 0 && to <= 1 && from < to ? [from, to] : undefined;
  },
  print: (value) => (value === undefined ? '' : `${shortest(value[0])}..${shortest(value[1])}`),
};

function shortest(fraction: number): string {
  return String(Number(fraction.toPrecision(12)));
}

/** Seconds between refreshes; 0 = never. With 'default', a relative range is refreshed slowly. */
const refresh: Key<number | 'default'> = {
  key: 'ar',
  initial: 'default',
  parse: (value) => (/^\d{1,5}$/.test(value) ? Number(value) : undefined),
  print: (value) => (value === 'default' ? '' : String(value)),
};

const zoomPath: Key<string> = {
  ...text('z'),
  parse: (value) => (/^([\w-]{5}){1,127}$/.test(value) ? value : undefined),
};

const colourChoice = choice('col', ['auto', 'kind', 'binary', 'package'], 'auto');

const line: Key<number> = {
  key: 'line',
  initial: 0,
  parse: (value) => (/^\d{1,9}$/.test(value) ? Number(value) : undefined),
  print: (value) => (value === 0 ? '' : String(value)),
};

/** Groups such as `package:net/http`; commas in names are escaped. */
const groups: Key<readonly string[]> = {
  ...words('dim'),
  parse: (value) =>
    words('dim')
      .parse(value)
      ?.map((group) => group.replaceAll('%2C', ',')),
  print: (list) => list.map((group) => group.replaceAll(',', '%2C')).join(','),
};

/** Grouping for colours; older links use `module` for binary. */
const colour: typeof colourChoice = {
  ...colourChoice,
  parse: (value) => (value === 'module' ? 'binary' : colourChoice.parse(value)),
};

/** Labels to sum by; absent = job, `-` = none. */
const sumBy: Key<readonly string[]> = {
  ...words('by'),
  initial: ['job'],
  parse: (value) => (value === '-' ? [] : words('by').parse(value)),
  print: (list) => (list.length === 0 ? '-' : list.join(',') === 'job' ? '' : list.join(',')),
};

const keys = {
  /** The query; "" = all profiles of the best type. */
  query: text('q'),
  from: point('from', defaultRange.from),
  to: point('to', defaultRange.to),
  selection,
  marks,
  sumBy,
  /** Path from the root to the zoomed frame, see zoom-path.ts. */
  zoom: zoomPath,
  /** Path to the zoomed caller of a sandwich. */
  callersZoom: { ...zoomPath, key: 'cz' },
  view,
  search: text('s'),
  /** Plain text ignores case. */
  searchMode: choice('sm', ['text', 'regex', 'case'], 'text'),
  order: choice('ord', ['name', 'value'], 'name'),
  /** Form of the graph; a flame graph is an icicle with its root at the bottom. */
  graph: choice('g', ['icicle', 'flame', 'tree', 'chart'], 'icicle'),
  /** Label that distinguishes the lanes of a flame chart. */
  lane: text('lane'),
  colour,
  /** True if all code except the user's own code is dimmed. */
  mine: flag('mine'),
  /** Dimmed groups, such as `kind:runtime`. */
  dimmed: groups,
  unit: choice('u', ['percent', 'rate', 'total'], 'percent'),
  /** Name of the function whose frames are highlighted. */
  highlighted: text('hl'),
  /** Column by which the function list is sorted. */
  sort: choice('sort', ['self', 'total', 'name', 'difference', 'file', 'binary'], 'self'),
  /** Columns of the function list; empty = the user's last choice. */
  columns: words('cols'),
  /** Scale of the sides of a comparison: equal totals, equal times, or the default for the type. */
  scale: choice('cm', ['auto', 'load', 'share', 'amount'], 'auto'),
  panel: choice('v', ['icicle', 'table', 'changes', 'labels', 'lines'], 'icicle'),
  /** File in the lines panel, build id of its binary ("" = any), and a line (0 = none). */
  file: text('file'),
  build: text('build'),
  line,
  /** Id of the shared profile that the files page opens. */
  share: text('share'),
  refresh,
  utc: flag('utc'),
  /** True if the metrics graph has axes and full height; false if it is a strip. */
  tallMetrics: flag('tall'),
  /** Strip of sample times under the metrics graph: closed, as a heatmap, or by thread. */
  times: choice('st', ['', 'heatmap', 'threads'], ''),
  /** Targets page: search text, and visible health. */
  targetSearch: text('ts'),
  targetHealth: choice('th', ['all', 'up', 'down', 'unknown', 'dropped'], 'all'),
  /** Start page: search text, and column to sort by. */
  serviceSearch: text('ss'),
  /** Start page: a table, or a grid of small graphs. */
  serviceLayout: choice('sv', ['table', 'grid'], 'table'),
  serviceOrder: choice('so', ['cores', 'change', 'memory', 'name'], 'cores'),
  /** Users page: a function, a package or an expression, and which of these it is. */
  wanted: text('who'),
  wantedKind: choice('wk', ['function', 'package', 'pattern'], 'function'),
} as const;

type Keys = typeof keys;
/** Complete state of the page, including defaults. */
export type UrlState = {
  readonly [K in keyof Keys]: Keys[K] extends Key<infer T> ? T : never;
};

/** Parsed state, and invalid keys. */
export interface ParsedUrl {
  readonly state: UrlState;
  /** Keys whose value was dropped, for a notice. */
  readonly bad: readonly string[];
  /** Unknown parameters, which are kept unchanged. */
  readonly unknown: readonly (readonly [string, string])[];
}

const names = Object.keys(keys) as readonly (keyof Keys)[];

/** Parses the query part of a URL, with or without "?". */
export function parseUrl(search: string): ParsedUrl {
  const params = new URLSearchParams(search);
  const bad: string[] = [];
  const state: { [name: string]: unknown } = {};
  for (const name of names) {
    const { key, initial, parse } = keys[name];
    const value = params.get(key);
    const parsed = value === null ? initial : parse(value);
    if (value !== null && parsed === undefined) bad.push(key);
    state[name] = parsed ?? initial;
    params.delete(key);
  }
  // The loop has set each name to a value of its own key.
  return { state: state as UrlState, bad, unknown: [...params] };
}

/** Returns the query part with "?"; "" if all values are defaults. */
export function printUrl(
  state: UrlState,
  unknown: readonly (readonly [string, string])[] = [],
): string {
  const params = new URLSearchParams();
  for (const name of names) {
    const printed = printKey(keys[name], state[name]);
    if (printed !== '') params.set(keys[name].key, printed);
  }
  for (const [key, value] of unknown) params.append(key, value);
  const printed = params.toString();
  // These characters are allowed in a query, and make the link readable.
  const readable = printed.replace(/%(2C|3A|7B|7D|22|21|7E|2F|28|29)/g, decodeURIComponent);
  return readable === '' ? '' : `?${readable}`;
}

function printKey(key: { print(value: never): string }, value: unknown): string {
  return key.print(value as never);
}
