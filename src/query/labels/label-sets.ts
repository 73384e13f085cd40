// The label sets of the series that a query covers.
import { AppError } from '../../base/errors.ts';
import { labelSetsMax } from '../limits.ts';
import { sortTexts } from '../../base/text/sort-texts.ts';
import { type LabelSet, labelSetKey } from '../../model/labels.ts';
import type { Querier } from '../../storage/interface.ts';
import type { LabelQuestion, LabelSets } from '../interface.ts';
import { resolveLabelQuestion } from '../plan/select.ts';
import type { QueryContext } from '../running/context.ts';
import { visitSeries } from './label-counts.ts';

/** Returns the label sets, each once for all of its profile types, sorted by their string form. */
export async function listLabelSets(
  question: LabelQuestion,
  querier: Querier,
  context: QueryContext,
): Promise<LabelSets> {
  const queries = await resolveLabelQuestion(question, querier);
  const byKey = new Map<string, LabelSet>();
  const missing = await visitSeries(queries, querier, context, ({ labels }) => {
    byKey.set(labelSetKey(labels), labels);
    if (byKey.size <= labelSetsMax) return;
    throw new AppError(
      'resource-exhausted',
      `cannot list series: more than ${labelSetsMax} match; ask for fewer by match`,
    );
  });
  const sorted = await sortTexts([...byKey.keys()], context);
  return { labelSets: sorted.flatMap((key) => [byKey.get(key) ?? []]), missing };
}
