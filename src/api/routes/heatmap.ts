// Answers /api/v1/heatmap: values by the times of samples.
import { labelsToObject } from '../../model/labels.ts';
import { formatProfileType } from '../../model/profile-type.ts';
import type { SamplesAnswer } from '../../query/interface.ts';
import type { TimeRange } from '../../storage/interface.ts';
import { formatNanos } from '../transport/json/time.ts';
import {
  readCount,
  readDuration,
  readParameters,
  readQueryText,
  readRange,
  readRepeated,
} from '../transport/http/parameters.ts';
import { heatmapLinesMax } from '../limits.ts';
import type { InsightCall } from './insight-answers.ts';

const second = 1_000_000_000n;
const minute = 60n * second;

/**
 * Size of a heatmap's columns and cells: either a second with cells of 20 ms, or a minute with
 * cells of a second.
 */
interface Grid {
  readonly column: bigint;
  readonly cell: bigint;
}

/** Longest range whose columns are a second wide, so that all columns fit on a screen. */
const secondsRangeMax = 10n * minute;

/**
 * Answers a call; see docs/api.md. Errors: AppError 'invalid-argument', and errors of the engine.
 */
export async function answerHeatmap(call: InsightCall): Promise<object> {
  const given = readParameters(call.url, ['query', 'start', 'end', 'step', 'limit'], ['by']);
  const query = readQueryText(given);
  const asked = readRange(given, call.nowMillis);
  const { column, cell } = chooseGrid(asked);
  // The range is extended to begin at a whole second or minute, as columns do.
  const range = { from: asked.from - (asked.from % column), to: asked.to };
  const answer = await call.engine.querySamples(
    {
      query,
      range,
      stepNanos: readDuration(given, 'step') ?? cell,
      by: readRepeated(call.url, 'by'),
      limit: readCount(given, 'limit', 50, heatmapLinesMax),
    },
    call.caller,
  );
  return encodeHeatmap(answer, column);
}

function chooseGrid({ from, to }: TimeRange): Grid {
  const isShort = to - from <= secondsRangeMax;
  return isShort ? { column: second, cell: second / 50n } : { column: minute, cell: second };
}

function encodeHeatmap(answer: SamplesAnswer, column: bigint): object {
  const { profileTypes, valueType, startNanos, stepNanos, lines, untimed } = answer;
  return {
    profileType: formatProfileType(profileTypes[0]),
    unit: valueType.unit,
    start: formatNanos(startNanos),
    stepMillis: Number(stepNanos / 1_000_000n),
    columnMillis: Number(column / 1_000_000n),
    lines: lines.map(({ labels, total, values }) => ({
      labels: labelsToObject(labels),
      total: String(total),
      // Only the buckets that are not 0 are sent, because most buckets of a long range are empty.
      buckets: filledBuckets(values),
      values: Array.from(
        values.filter((value) => value !== 0n),
        String,
      ),
    })),
    more: { lines: answer.moreLines, total: String(answer.moreTotal) },
    untimed: String(untimed),
    warnings: answer.missing,
  };
}

/** Returns the numbers of the buckets that are not 0. */
function filledBuckets(values: BigInt64Array): number[] {
  const cells: number[] = [];
  values.forEach((value, bucket) => {
    if (value !== 0n) cells.push(bucket);
  });
  return cells;
}
