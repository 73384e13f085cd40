// Sums the stacks of an exported profile by source line, for `--by=line`.
import { gunzip } from '../../src/base/threads/zlib.ts';
import { PprofColumns } from '../../src/formats/pprof/columns.ts';
import { decodePprof } from '../../src/formats/pprof/decode.ts';
import { profileText, validateProfile } from '../../src/formats/pprof/validate.ts';
import type { TopRow } from './shared/top-table.ts';

/** A row under construction. */
interface LineSum {
  readonly row: TopRow;
  flat: bigint;
  cumulative: bigint;
  /**
   * Number of the last sample whose value was added. It ensures that a line counts once per stack.
   */
  lastSample: number;
}

/**
 * Returns a row for each line of each function. A frame without a line number has line 0. A frame
 * without a function is named by its address. Values are returned in `unit`. If all profiles have
 * the same period, an export contains counts instead of times; the counts are then multiplied by
 * the period.
 *
 * Errors: AppError 'invalid-argument' for bytes that are not a pprof profile.
 */
export async function lineRows(pprof: Uint8Array, unit: string): Promise<TopRow[]> {
  const columns = new PprofColumns();
  decodePprof(await gunzip(pprof, {}), columns);
  validateProfile(columns);
  const own = profileText(columns, columns.sampleTypeUnit[0]);
  const factor = own === 'count' && unit === 'nanoseconds' ? columns.period : 1n;
  const sums = new Map<string, LineSum>();
  const { frameStart, frameLocation, valueStart, values } = columns;
  for (let sample = 0; sample < columns.sampleCount; sample += 1) {
    const value = values[valueStart[sample]] * factor;
    for (let frame = frameStart[sample]; frame < frameStart[sample + 1]; frame += 1) {
      const rows = toRows(columns, frameLocation[frame]);
      for (const [i, row] of rows.entries()) {
        const key = `${row.name}\0${row.file}\0${row.line}`;
        const sum = sums.get(key) ?? { row, flat: 0n, cumulative: 0n, lastSample: -1 };
        sums.set(key, sum);
        if (i === 0 && frame === frameStart[sample]) sum.flat += value;
        if (sum.lastSample === sample) continue;
        sum.lastSample = sample;
        sum.cumulative += value;
      }
    }
  }
  return Array.from(sums.values(), ({ row, flat, cumulative }) => ({ ...row, flat, cumulative }));
}

/** Returns the calls of a location, innermost first. */
function toRows(columns: PprofColumns, location: number): TopRow[] {
  const { lineStart, lineFunction, lineNumber, functionName, functionFile } = columns;
  const rows: TopRow[] = [];
  for (let line = lineStart[location]; line < lineStart[location + 1]; line += 1) {
    const row = lineFunction[line];
    rows.push({
      name: profileText(columns, functionName[row]),
      file: profileText(columns, functionFile[row]),
      line: lineNumber[line],
      flat: 0n,
      cumulative: 0n,
    });
  }
  if (rows.length > 0) return rows;
  const { addressLow, addressHigh, locationMapping, mappingFile } = columns;
  const address = BigInt(addressHigh[location]) * 2n ** 32n + BigInt(addressLow[location]);
  const binary = profileText(columns, mappingFile[locationMapping[location]]);
  const name = `0x${address.toString(16)}${binary === '' ? '' : ` (${binary})`}`;
  return [{ name, file: '', line: 0, flat: 0n, cumulative: 0n }];
}
