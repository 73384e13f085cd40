// A table of functions as the columns of Parca's Arrow record.
import type { ArrowColumn } from '../../formats/arrow/column.ts';
import type { RowLists, Table } from '../../report/table.ts';
import { addressesOf, presence, StringColumns } from './frame-cells.ts';

/**
 * The columns in Parca's order and types. Where a dictionary has too many values for Parca's 16
 * bits of index, there are 32.
 *
 * Source: TABLE_ARROW of parca.query.v1alpha1; Parca's UI reads them by name.
 */
export function tableColumns(table: Table): ArrowColumn[] {
  const { rowCount } = table;
  const strings = new StringColumns(table.strings);
  const text = (name: string, rows: Int32Array, indexBytesMin: 2 | 4): ArrowColumn =>
    strings.column(name, rows, { isText: true, indexBytesMin });
  const optional = (name: string, values: Int32Array): ArrowColumn => {
    const valid = presence(values);
    const wide = widened(values.map((value, i) => (valid[i] === 1 ? value : 0)));
    return { kind: 'integer', name, values: wide, valid };
  };
  const value = (name: string, values: BigInt64Array): ArrowColumn => ({
    ...{ kind: 'integer', name, values, isRequired: true },
  });
  const noDiff = new BigInt64Array(rowCount);
  const addresses = addressesOf(table);
  return [
    text('mapping_file', table.mappingFile, 2),
    text('mapping_build_id', table.buildId, 2),
    { kind: 'integer', name: 'location_address', values: addresses, valid: table.hasAddress },
    optional('location_line', table.line),
    optional('function_startline', table.startLine),
    text('function_name', table.functionName, 4),
    text('function_system_name', table.systemName, 2),
    text('function_file_name', table.fileName, 4),
    value('cumulative', table.cumulative),
    { kind: 'integer', name: 'cumulative_diff', values: table.cumulativeDiff ?? noDiff },
    value('flat', table.flat),
    value('flat_diff', table.flatDiff ?? noDiff),
    rowLists('callers', table.callers),
    rowLists('callees', table.callees),
  ];
}

function rowLists(name: string, { starts, rows }: RowLists): ArrowColumn {
  return { kind: 'list', name, offsets: starts, values: widened(rows), isRequired: true };
}

/** Int32 as int64. */
function widened(values: Int32Array): BigInt64Array {
  const words = new Int32Array(values.length * 2);
  for (let i = 0; i < values.length; i += 1) {
    words[i * 2] = values[i];
    words[i * 2 + 1] = values[i] >> 31;
  }
  return new BigInt64Array(words.buffer);
}
