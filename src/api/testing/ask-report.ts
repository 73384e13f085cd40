// Requests reports as a client does: decodes the messages, and reads records with flechette.
import assert from 'node:assert/strict';
import type { Table } from '@uwdata/flechette';
import { parca } from '../../../proto/gen/query.js';
import { noMetrics } from '../../base/metrics.ts';
import { createClock } from '../../base/node/clock.ts';
import { parseProfileType } from '../../model/profile-type.ts';
import { createQueryEngine } from '../../query/engine/engine.ts';
import type { ReportQuestion } from '../../query/interface.ts';
import type { ReportKind } from '../../query/report-kinds.ts';
import type { TestStore } from '../../query/testing/test-store.ts';
import { encodeReport } from '../query/encode-report.ts';

/** Query that `answer` sends. */
export const query = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
/** Profile type in that query. */
export const cpuType = parseProfileType(query);
const { QueryResponse } = parca.query.v1alpha1;

/** Requests a report; by default, about all profiles up to 99 ns after 1970. */
export async function answer(
  store: TestStore,
  report: ReportKind,
  groupBy: readonly string[] = [],
  select: ReportQuestion['select'] = { mode: 'merge', query, range: { from: 0n, to: 99n } },
  source = { buildId: '', fileName: '' },
  more: Partial<ReportQuestion> = {},
): Promise<parca.query.v1alpha1.QueryResponse> {
  const parts = { querier: store, metrics: noMetrics, clock: createClock() };
  const made = await createQueryEngine(parts).report(
    { report, groupBy, source, select, nodeTrimFraction: 0, rootTrimFraction: 0, ...more },
    { signal: new AbortController().signal },
  );
  return QueryResponse.decode(await encodeReport(made));
}

/** Returns the value of a cell. Bytes become a string, lists become an array. */
export function cell(table: Table, name: string, row: number): unknown {
  const value: unknown = table.getChild(name).at(row);
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  return ArrayBuffer.isView(value) ? [...(value as Uint32Array | BigInt64Array)] : value;
}

/** Returns a row as an object whose keys are column names. */
export function readRow(table: Table, row: number): Record<string, unknown> {
  return Object.fromEntries(table.names.map((name) => [name, cell(table, name, row)]));
}

/** Describes each column as `name type`, followed by `nullable` if it may have nulls. */
export function columnTexts(table: Table): string[] {
  return table.schema.fields.map(
    ({ name, nullable }) => `${name} ${typeName(table, name)}${nullable ? ' nullable' : ''}`,
  );
}

/** Describes a type as `Int8`, `UInt16`, `Bool`, `List<UInt32>`, `Dictionary<UInt8, Binary>`. */
export function typeName(table: Table, name: string): string {
  const field = table.schema.fields.find((one) => one.name === name);
  assert.ok(field);
  return printType(field.type);
}

function printType(dataType: unknown): string {
  const { typeId, bitWidth, signed, indices, dictionary, children } = dataType as {
    typeId: number;
    bitWidth: number;
    signed: boolean;
    indices: unknown;
    dictionary: unknown;
    children: { type: unknown }[];
  };
  if (typeId === -1) return `Dictionary<${printType(indices)}, ${printType(dictionary)}>`;
  if (typeId === 2) return `${signed ? 'Int' : 'UInt'}${bitWidth}`;
  if (typeId === 12) return `List<${printType(children[0].type)}>`;
  return (
    new Map([
      [4, 'Binary'],
      [5, 'Utf8'],
      [6, 'Bool'],
    ]).get(typeId) ?? `type ${typeId}`
  );
}
