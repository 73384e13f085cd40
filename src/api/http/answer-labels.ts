// GET /api/v1/labels and /api/v1/labels/{name}/values: labels with what has them.
import { labelValuesMax } from '../../base/limits.ts';
import type { LabelQuestion, SeriesCount } from '../../query/interface.ts';
import type { InsightCall } from './insight-call.ts';
import { readCount, readParameters, readRange } from './url-parameters.ts';
import type { UrlParameters } from './url-parameters.ts';

/** docs/api.md describes the answer. Errors: AppError 'invalid-argument', and the engine's. */
export async function answerLabels(call: InsightCall): Promise<object> {
  const given = readParameters(call.url, ['query', 'start', 'end']);
  const counts = await call.engine.countLabels(questionOf(given, call), call.caller);
  return {
    labels: counts.labels.map(({ name, isOfSamples, valueCount, ...count }) => ({
      ...{ name, isOfSamples, values: valueCount },
      ...countOf(count),
    })),
    total: countOf(counts.total),
    warnings: counts.missing,
  };
}

/** As `answerLabels`, for one label. */
export async function answerLabelValues(call: InsightCall): Promise<object> {
  const given = readParameters(call.url, ['query', 'start', 'end', 'limit']);
  const limit = readCount(given, 'limit', 1_000, labelValuesMax);
  const question = questionOf(given, call);
  const counts = await call.engine.countLabelValues(call.path['name'], question, call.caller);
  const { values, absent, isOfSamples, missing } = counts;
  return {
    isOfSamples,
    values: values.slice(0, limit).map(({ value, ...count }) => ({ value, ...countOf(count) })),
    more: Math.max(0, values.length - limit),
    absent: countOf(absent),
    warnings: missing,
  };
}

function questionOf(given: UrlParameters, { nowMillis }: InsightCall): LabelQuestion {
  const query = given.get('query') ?? '';
  const match = query === '' ? [] : [query];
  return { match, profileType: '', range: readRange(given, nowMillis) };
}

function countOf({ seriesCount, profileCount }: SeriesCount): object {
  return { series: seriesCount, profiles: profileCount };
}
