// Profiles and queries as plain data, which are generated at random and evaluated naively.
import type { NameSearch } from '../../../model/pattern.ts';
import type { BaseScale } from '../../../report/base-ratio.ts';
import type { FrameCriteria } from '../../../report/stacks/frame-criteria.ts';
import type { SourceFile } from '../../../report/source-lines.ts';
import type { TimeRange } from '../../../storage/interface.ts';

/** One frame, with everything that is known about it. */
export interface PlainFrame {
  /** Name in reports; "" for a frame without symbols, which has only an address. */
  readonly name: string;
  readonly systemName: string;
  readonly fileName: string;
  readonly line: number;
  readonly address: bigint;
  /** Path and build id of the binary; undefined when unknown. */
  readonly binary: { readonly path: string; readonly buildId: string } | undefined;
}

type Labels = Readonly<Record<string, string>>;

export interface PlainProfile {
  readonly type: string;
  readonly labels: Labels;
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
  readonly period: bigint;
  readonly rows: readonly PlainRow[];
}

export interface PlainRow {
  /** Frames from the root. */
  readonly frames: readonly PlainFrame[];
  readonly value: bigint;
  readonly labels: Labels;
  /** True for a row at the start of a step of an increase; its value is subtracted. */
  readonly isStart?: boolean;
}

/** A condition on a label; the expressions of =~ and !~ are JavaScript expressions. */
export interface PlainMatcher {
  readonly name: string;
  readonly operator: '=' | '!=' | '=~' | '!~';
  readonly value: string;
}

/** A selector with its range of time, which includes both ends. */
export interface PlainSelector {
  readonly type: string;
  readonly matchers: readonly PlainMatcher[];
  readonly from: bigint;
  readonly to: bigint;
  /** The part of the range that is selected, and the part that is excluded. */
  readonly within?: TimeRange | undefined;
  readonly except?: TimeRange | undefined;
  /** True if the query is about increases of counters. */
  readonly isIncrease: boolean;
}

/** A filter or a stage. */
export type PlainStep =
  | { readonly kind: 'stack' | 'leaf' | 'frame'; readonly criteria: FrameCriteria }
  | { readonly kind: 'sandwich'; readonly name: string }
  | { readonly kind: 'root'; readonly name: string }
  | { readonly kind: 'run'; readonly criteria: FrameCriteria }
  | { readonly kind: 'recursion' }
  | { readonly kind: 'invert' };

/** A selection, with the steps that apply only to its stacks. */
export interface PlainSelection extends PlainSelector {
  readonly steps: readonly PlainStep[];
}

export interface PlainQuestion {
  readonly report: PlainReport;
  readonly own: PlainSelection;
  /** Base of a diff, which `own` is compared with. */
  readonly base: PlainSelection | undefined;
  readonly baseScale: Exclude<BaseScale, 'load'>;
  /** Steps on the stacks of both sides. */
  readonly steps: readonly PlainStep[];
  /**
   * True to convert numbers of samples to the values that they represent, even if all numbers have
   * the same meaning.
   */
  readonly scales: boolean;
  readonly labelNames: readonly string[];
  readonly frameFields: readonly string[];
  /** Largest number of rows of a table; 0 = all. */
  readonly top: number;
  readonly nodeTrimFraction: number;
  readonly rootTrimFraction: number;
  readonly zoomPath: readonly string[];
  readonly search?: NameSearch;
  readonly source: SourceFile;
}

export type PlainReport =
  | ('flame-graph' | 'flame-chart' | 'nested-flame-graph' | 'flame-graph-table')
  | ('top' | 'table' | 'call-graph' | 'profile' | 'source' | 'metadata');

export interface PlainRange {
  readonly selection: PlainSelection;
  readonly stepNanos: bigint;
  /** Offset by which profiles are shown later than they were taken. */
  readonly offsetNanos: bigint;
  readonly sumBy: readonly string[];
  /** Largest number of lines; 0 = all. */
  readonly limit: number;
}

/**
 * Returns the string that identifies a frame in a report grouped by `fields`. Strings sort like
 * frames: by name, then frames without a name by address.
 */
export function frameText(
  { name, fileName, address, binary }: Omit<PlainFrame, 'systemName' | 'line'>,
  fields: readonly string[] = [],
): string {
  const hex = address.toString(16);
  const path = binary?.path ?? '';
  if (name === '') return `~${hex.padStart(16, '0')}@${path}`;
  const parts = [name];
  if (fields.includes('function_file_name')) parts.push(`file=${fileName}`);
  if (fields.includes('mapping_file')) parts.push(`binary=${path}`);
  if (fields.includes('location_address')) parts.push(`at=${hex}`);
  return parts.join(' ');
}

/** Returns the displayed name of a frame: `main`, or `app+0x1000`. */
export function spokenName({ name, address, binary }: PlainFrame): string {
  if (name !== '') return name;
  const hex = `0x${address.toString(16)}`;
  return [binary?.path.split('/').at(-1) ?? '', hex].filter(Boolean).join('+');
}

/** Returns a string with all facts about a frame. */
export function wholeText({ address, binary, ...frame }: PlainFrame): string {
  const { name, systemName, fileName, line } = frame;
  return [name, systemName, fileName, line, address, binary?.path, binary?.buildId].join('|');
}

/** Returns the value of a label of the series; if absent, that of the sample; if absent, "". */
export function readLabel(name: string, profile: PlainProfile, row: PlainRow): string {
  return profile.labels[name] ?? row.labels[name] ?? '';
}

/** Formats `a=1, b=2` from the names that have values. */
export function labelsText(names: readonly string[], profile: PlainProfile, row: PlainRow): string {
  const pairs = names.map((name) => `${name}=${readLabel(name, profile, row)}`);
  return pairs.filter((pair) => !pair.endsWith('=')).join(', ');
}

/**
 * Returns the unit of a type's values; with `scales`, numbers of samples have the unit of the
 * values that they represent.
 */
export function valueUnit(type: string, scales: boolean): string {
  return type.split(':')[scales && isCountOfSamples(type) ? 4 : 2];
}

/** Returns type and unit of values: `cpu:nanoseconds`. */
export function valueType(type: string, scales: boolean): string {
  const of = scales && isCountOfSamples(type) ? 3 : 1;
  return type
    .split(':')
    .slice(of, of + 2)
    .join(':');
}

export function isCountOfSamples(type: string): boolean {
  return type.split(':').slice(1, 3).join(':') === 'samples:count';
}
