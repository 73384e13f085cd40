// Profiles and questions in plain words: random ones are made as such, and evaluated naively.
import type { NameSearch } from '../../model/pattern.ts';
import type { BaseScale } from '../../report/base-ratio.ts';
import type { FrameCriteria } from '../../report/stacks/frame-criteria.ts';
import type { SourceFile } from '../../report/source-lines.ts';

/** One frame, with all that is known of it. */
export interface PlainFrame {
  /** What reports show; "" for a frame without symbols, of which only the address is known. */
  readonly name: string;
  readonly systemName: string;
  readonly fileName: string;
  readonly line: number;
  readonly address: bigint;
  /** Path and build id of the binary; undefined when it is not known. */
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
  /** From the root. */
  readonly frames: readonly PlainFrame[];
  readonly value: bigint;
  readonly labels: Labels;
  /** Of a step of an increase: whether the row is of its start, and taken away. */
  readonly isStart?: boolean;
}

/** A condition on a label, with a JavaScript expression for =~ and !~. */
export interface PlainMatcher {
  readonly name: string;
  readonly operator: '=' | '!=' | '=~' | '!~';
  readonly value: string;
}

/** Both ends of the time are included. */
export interface PlainSelector {
  readonly type: string;
  readonly matchers: readonly PlainMatcher[];
  readonly from: bigint;
  readonly to: bigint;
  /** Whether it is about what counters gain. */
  readonly isIncrease: boolean;
}

/** A filter or a stage. */
export type PlainStep =
  | { readonly kind: 'stack' | 'frame'; readonly criteria: FrameCriteria }
  | { readonly kind: 'sandwich'; readonly name: string }
  | { readonly kind: 'invert' };

/** What is selected, and what is done to its stacks alone. */
export interface PlainSelection extends PlainSelector {
  readonly steps: readonly PlainStep[];
}

export interface PlainQuestion {
  readonly report: PlainReport;
  readonly own: PlainSelection;
  /** Of a diff: what `own` is compared with. */
  readonly base: PlainSelection | undefined;
  readonly baseScale: BaseScale;
  /** What is done to the stacks of both. */
  readonly steps: readonly PlainStep[];
  /** Whether counts of samples become what each stands for, even if they all mean the same. */
  readonly scales: boolean;
  readonly labelNames: readonly string[];
  readonly frameFields: readonly string[];
  /** Most rows of a table; 0 = all. */
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
  /** By how much later than they were taken profiles are shown. */
  readonly offsetNanos: bigint;
  readonly sumBy: readonly string[];
  /** Most lines; 0 = all. */
  readonly limit: number;
}

/**
 * What tells a frame apart in a report that is grouped by `fields`. Texts are in the order of
 * frames: by name, then those without one by address.
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

/** What people call a frame: `main`, or `app+0x1000`. */
export function spokenName({ name, address, binary }: PlainFrame): string {
  if (name !== '') return name;
  const hex = `0x${address.toString(16)}`;
  return [binary?.path.split('/').at(-1) ?? '', hex].filter(Boolean).join('+');
}

/** All that is known of a frame. */
export function wholeText({ address, binary, ...frame }: PlainFrame): string {
  const { name, systemName, fileName, line } = frame;
  return [name, systemName, fileName, line, address, binary?.path, binary?.buildId].join('|');
}

/** The label of a series, else of the sample, else "". */
export function labelOf(name: string, profile: PlainProfile, row: PlainRow): string {
  return profile.labels[name] ?? row.labels[name] ?? '';
}

/** `a=1, b=2`, of the names that have values. */
export function labelsText(names: readonly string[], profile: PlainProfile, row: PlainRow): string {
  const pairs = names.map((name) => `${name}=${labelOf(name, profile, row)}`);
  return pairs.filter((pair) => !pair.endsWith('=')).join(', ');
}

/** What values of a type are in; `scales`: counts of samples are in what each stands for. */
export function unitOf(type: string, scales: boolean): string {
  return type.split(':')[scales && isCountOfSamples(type) ? 4 : 2];
}

/** What values of a type are of, and in: `cpu:nanoseconds`. */
export function valueTypeOf(type: string, scales: boolean): string {
  const of = scales && isCountOfSamples(type) ? 3 : 1;
  return type
    .split(':')
    .slice(of, of + 2)
    .join(':');
}

export function isCountOfSamples(type: string): boolean {
  return type.split(':').slice(1, 3).join(':') === 'samples:count';
}
