// The content of a record as a string, for tests.
import type { RecordColumns } from '../record-columns.ts';

/** Returns a line for each row: profile, labels, stack leaf first, value. */
export function rowTexts(record: RecordColumns): string[] {
  const { symbols, rowStart, profileCount } = record;
  const { bytes, stringStart, stringEnd } = symbols;
  const text = (row: number): string =>
    Buffer.from(bytes.subarray(stringStart[row], stringEnd[row])).toString();
  const rows: string[] = [];
  for (let profile = 0; profile < profileCount; profile += 1) {
    const head = record.heads[record.headOfProfile[profile]];
    const { name, sampleType, periodType, period, durationNanos } = head;
    const labels = head.labels.map((label) => `${label.name}=${label.value}`);
    const type = `${name}:${sampleType.type}:${sampleType.unit}:${periodType.type}:${periodType.unit}`;
    for (let row = rowStart[profile]; row < rowStart[profile + 1]; row += 1) {
      const own = record.labelSets[record.labelSet[row]].map(
        (one) => `${one.name}=${text(one.text)}`,
      );
      const stack = record.stack[row];
      const frames: string[] = [];
      for (let i = symbols.frameStart[stack]; i < symbols.frameStart[stack + 1]; i += 1) {
        frames.push(frameText(record, symbols.frameLocation[i], text));
      }
      const time = `@${record.timeNanos[profile]}+${durationNanos}/${period}`;
      const set = `{${labels.join(',')}|${own.join(',')}}`;
      rows.push(`${type}${time} ${set} ${frames.join(';')} ${record.values[row]}`);
    }
  }
  return rows;
}

function frameText({ symbols }: RecordColumns, row: number, text: (row: number) => string): string {
  const { addressHigh, addressLow, lineStart, lineFunction, lineNumber } = symbols;
  const lines: string[] = [];
  for (let line = lineStart[row]; line < lineStart[row + 1]; line += 1) {
    const name = text(symbols.functionName[lineFunction[line]]);
    lines.push(`${name}:${lineNumber[line]}`);
  }
  const address = (BigInt(addressHigh[row]) << 32n) | BigInt(addressLow[row]);
  const mapping = symbols.locationMapping[row];
  const file = text(symbols.mappingFile[mapping]);
  const buildId = text(symbols.mappingBuildId[mapping]);
  return `${file}[${buildId}]0x${address.toString(16)}(${lines.join('<')})`;
}
