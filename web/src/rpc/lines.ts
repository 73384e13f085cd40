// Asks for the values by line of one source file, and for its text. Loaded with the panel that
// shows them.
import { tableFromIPC } from '@uwdata/flechette';
import { addLz4 } from './arrow-lz4.ts';
import { coverageOf } from '../tree/coverage.ts';
import type { Coverage } from '../format/measure.ts';
import { mergeRequest, type Span } from './api.ts';
import type { Asking } from './asking.ts';
import { call } from './grpc-web.ts';
import { mergeProfile } from './messages.ts';
import { bool, bytes, double, int32, int64, message, repeated, string } from './protobuf.ts';

const sourceReport = 6;
const request = message({
  mode: [1, int32],
  merge: [3, mergeProfile],
  reportType: [5, int32],
  sourceReference: [9, message({ buildId: [1, string], filename: [2, string], only: [3, bool] })],
});
const response = message({
  total: [9, int64],
  source: [
    12,
    message({ record: [1, bytes], text: [2, string], unit: [3, string], whyEmpty: [100, string] }),
  ],
  sampleCount: [101, int64],
  coveredNanos: [102, int64],
  period: [103, int64],
  snapshots: [104, double],
  warnings: [105, repeated(string)],
});
const method = { path: 'parca.query.v1alpha1.QueryService/Query', request, response };

addLz4();

/** A file of one build; build id "" means any. */
export interface FileOfBuild {
  readonly file: string;
  readonly buildId: string;
}

/** Values of one line. */
export interface LineValue {
  readonly line: number;
  readonly self: bigint;
  readonly total: bigint;
}

export interface LinesAnswer {
  /** Text of the file; "" if there is none. */
  readonly text: string;
  /** Reason why there is no text. */
  readonly whyEmpty: string;
  /** Lines with values, by number. */
  readonly values: readonly LineValue[];
  /** Total of the selection, and the time that it covers. */
  readonly total: bigint;
  readonly coverage: Coverage;
  readonly warnings: readonly string[];
}

/** Asks for the lines of a file. */
export async function askLines(
  base: string,
  query: string,
  span: Span,
  { file, buildId }: FileOfBuild,
  asking: Asking,
): Promise<LinesAnswer> {
  const { mode, merge, reportType } = mergeRequest(query, span, sourceReport, 0);
  const sourceReference = { buildId, filename: file, only: false };
  const asked = { mode, merge, reportType, sourceReference };
  const answer = await call(base, method, asked, asking);
  const { source, total, warnings } = answer;
  if (source === undefined) throw new RangeError('the answer has no lines');
  const { record, text, whyEmpty } = source;
  const coverage = coverageOf(answer);
  return { text, whyEmpty, total, coverage, warnings, values: readValues(record, file) };
}

/** Reads the record. The server also answers with files whose names end with the one asked for. */
function readValues(record: Uint8Array, file: string): LineValue[] {
  const table = tableFromIPC(record, { useBigInt: true });
  const rows = table.toArray() as {
    readonly filename: string;
    readonly line_number: bigint;
    readonly flat: bigint;
    readonly cumulative: bigint;
  }[];
  return rows
    .filter(({ filename }) => filename === file)
    .map(({ line_number: line, flat, cumulative }) => ({
      line: Number(line),
      self: flat,
      total: cumulative,
    }));
}
