// Requests the values by line of a source file, and its content. Loaded together with the lines
// panel.
import { tableFromIPC } from '@uwdata/flechette';
import { addLz4 } from '../rpc/arrow-lz4.ts';
import { readCoverage } from '../tree/coverage.ts';
import type { Coverage } from '../format/measure.ts';
import { mergeRequest, type Span } from '../rpc/api.ts';
import type { Asking } from '../rpc/asking.ts';
import { linesRequest, linesResponse, sourceReport } from '../rpc/lines.gen.ts';
import { call } from '../rpc/grpc-web.ts';

const method = {
  path: 'parca.query.v1alpha1.QueryService/Query',
  request: linesRequest,
  response: linesResponse,
};

addLz4();

/** A file in one build; build id "" = any build. */
export interface FileOfBuild {
  readonly file: string;
  readonly buildId: string;
}

/** Values of one line. */
export interface LineValue {
  readonly line: number;
  /** Function that most of the value belongs to; "" from servers of earlier versions. */
  readonly functionName: string;
  readonly self: bigint;
  readonly total: bigint;
}

export interface LinesAnswer {
  /** Content of the file; "" = not available. */
  readonly text: string;
  /** Reason why the content is not available. */
  readonly whyEmpty: string;
  /** Lines with values, by line number. */
  readonly values: readonly LineValue[];
  /** Total of the selection, and its covered time. */
  readonly total: bigint;
  readonly coverage: Coverage;
  readonly warnings: readonly string[];
}

/** Requests the lines of a file. */
export async function askLines(
  base: string,
  query: string,
  span: Span,
  { file, buildId }: FileOfBuild,
  asking: Asking,
): Promise<LinesAnswer> {
  const { mode, merge, reportType } = mergeRequest(query, span, sourceReport, 0);
  const sourceReference = { buildId, filename: file, sourceOnly: false };
  const asked = { mode, merge, reportType, sourceReference };
  const answer = await call(base, method, asked, asking);
  const { source, total, warnings } = answer;
  if (source === undefined) throw new RangeError('the answer has no lines');
  const { record, source: text, whyEmpty } = source;
  const coverage = readCoverage(answer);
  return { text, whyEmpty, total, coverage, warnings, values: readValues(record, file) };
}

/** Reads the record. The server also returns files whose names end with the requested name. */
function readValues(record: Uint8Array, file: string): LineValue[] {
  const table = tableFromIPC(record, { useBigInt: true });
  const rows = table.toArray() as {
    readonly filename: string;
    readonly line_number: bigint;
    readonly flat: bigint;
    readonly cumulative: bigint;
    readonly function_name?: string;
  }[];
  return rows
    .filter(({ filename }) => filename === file)
    .map(({ line_number: line, flat, cumulative, function_name: functionName = '' }) => ({
      line: Number(line),
      functionName,
      self: flat,
      total: cumulative,
    }));
}
