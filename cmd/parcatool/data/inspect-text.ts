// Output of `data inspect`: tables, or JSON for scripts.
import { counted } from '../../../src/base/text/counted.ts';
import { labelsToObject } from '../../../src/model/labels.ts';
import { formatProfileType } from '../../../src/model/profile-type.ts';
import { printSelector } from '../../../src/promql-like/print.ts';
import type {
  InspectedDirectory,
  InspectedSeries,
} from '../../../src/storage/tools/inspect-directory.ts';
import { printable } from '../../../src/base/printable.ts';

/**
 * Formats the result as JSON. 64-bit numbers are strings and times are in RFC 3339, as in all JSON
 * of parcatool.
 */
export function inspectedJson(path: string, inspected: InspectedDirectory): string {
  const { blocks, segments, types, series } = inspected;
  const object = {
    path,
    format: inspected.version,
    created: inspected.createdNanos === undefined ? undefined : timeText(inspected.createdNanos),
    blocks: blocks.map((block) => ({
      ...block,
      from: timeText(block.from),
      to: timeText(block.to),
      bytesPerRow: perRow(block.bytes, block.rows),
    })),
    log: segments,
    types: types.map(plainSeries),
    series: series.map(plainSeries),
    seriesCount: inspected.seriesCount,
    unreadable: inspected.unreadable,
  };
  return `${JSON.stringify(object, undefined, 2)}\n`;
}

export function inspectedText(path: string, inspected: InspectedDirectory): string {
  const { blocks, segments, types, series, seriesCount, unreadable } = inspected;
  const sum = (of: readonly number[]): number => of.reduce((total, one) => total + one, 0);
  const bytes = sum(blocks.map((block) => block.bytes));
  const rows = sum(blocks.map((block) => block.rows));
  const logBytes = sum(segments.map((segment) => segment.bytes));
  const format = inspected.version === undefined ? 'without meta' : `format ${inspected.version}`;
  const lines = [
    `${printable(path)}, ${format}`,
    `${counted(blocks.length, 'block')}, ${counted(bytes, 'byte')}, ${counted(rows, 'row')}, ` +
      `${perRow(bytes, rows)} bytes a row`,
    `${counted(segments.length, 'segment')} of the log, ${counted(logBytes, 'byte')}`,
    ...table(
      ['block', 'level', 'from', 'to', 'profiles', 'rows', 'series', 'bytes', 'B/row', 'deletions'],
      blocks.map((block) => [
        block.id,
        block.level,
        timeText(block.from),
        timeText(block.to),
        block.profiles,
        block.rows,
        block.streams,
        block.bytes,
        perRow(block.bytes, block.rows),
        block.deletions,
      ]),
    ),
    ...table(
      ['segment', 'epoch', 'bytes'],
      segments.map(({ name, epoch, bytes: size }) => [name, epoch ?? 'damaged', size]),
    ),
    ...table(['profiles', 'rows', 'type'], types.map(seriesCells)),
    ...table(['profiles', 'rows', 'series'], series.map(seriesCells)),
    ...(seriesCount > series.length ? [`and ${seriesCount - series.length} more`] : []),
    ...unreadable.map((sentence) => `unreadable: ${printable(sentence)}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** Formats a table after an empty line; "" if there are no rows. */
function table(
  heads: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string[] {
  if (rows.length === 0) return [];
  const cells = [heads, ...rows].map((row) => row.map(String));
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const isNumber = heads.map((_, column) => typeof rows[0][column] === 'number');
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => (isNumber[i] ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))
      .join('  ')
      .trimEnd();
  return ['', ...cells.map(line)];
}

function seriesCells(series: InspectedSeries): readonly (string | number)[] {
  return [series.profiles, series.rows, printable(seriesText(series))];
}

function plainSeries({ profileType, labels, profiles, rows }: InspectedSeries): object {
  const type = formatProfileType(profileType);
  return { type, labels: labelsToObject(labels), profiles, rows };
}

function seriesText({ profileType, labels }: InspectedSeries): string {
  const text = formatProfileType(profileType);
  if (labels.length === 0) return text;
  const matchers = labels.map(({ name, value }) => ({ name, operator: '=' as const, value }));
  return printSelector({ profile: { text }, matchers });
}

function perRow(bytes: number, rows: number): string {
  return rows === 0 ? '-' : (bytes / rows).toFixed(2);
}

function timeText(nanos: bigint): string {
  const millis = Number(nanos / 1_000_000n);
  // Profiles may contain times that are outside the range of Date.
  return Math.abs(millis) > 8.64e15 ? `${nanos} ns` : new Date(millis).toISOString();
}
