// Values by source line as the columns of Parca's Arrow record.
import type { ArrowColumn } from '../../formats/arrow/column.ts';
import type { SourceLines } from '../../report/source-lines.ts';
import { StringColumns } from './frame-cells.ts';

/**
 * The columns in Parca's order and types; of a diff two more, which Parca does not have.
 *
 * Source: SOURCE of parca.query.v1alpha1.
 */
export function sourceColumns(lines: SourceLines): ArrowColumn[] {
  const { strings, fileName, line, cumulative, flat, cumulativeDiff, flatDiff } = lines;
  const names = new StringColumns(strings).column('filename', fileName, { isText: true });
  const integer = (name: string, values: BigInt64Array): ArrowColumn => ({
    ...{ kind: 'integer', name, values, isRequired: true },
  });
  return [
    { ...names, indices: Int32Array.from(names.indices), isRequired: true },
    integer('line_number', BigInt64Array.from(line, BigInt)),
    integer('cumulative', cumulative),
    integer('flat', flat),
    ...(cumulativeDiff === undefined ? [] : [integer('cumulative_diff', cumulativeDiff)]),
    ...(flatDiff === undefined ? [] : [integer('flat_diff', flatDiff)]),
  ];
}
