// Finds the labels that a query groups by, although none of its profiles has them.
import { formatGroupNote } from '../../model/group-note.ts';
import type { LabelMatcher } from '../../model/matcher.ts';
import type { Stage } from '../../promql-like/query.ts';
import type { ResolvedTypes } from '../../promql-like/resolve.ts';
import type { Querier, TimeRange } from '../../storage/interface.ts';

/** Profiles that a query selects. */
interface SelectedProfiles {
  readonly matchers: readonly LabelMatcher[];
  readonly profileTypes: ResolvedTypes;
  readonly ranges: readonly TimeRange[];
}

/** Returns the labels of the last `by` in a query. */
export function groupedLabels(stages: readonly Stage[]): string[] {
  const last = stages.findLast((stage) => stage.kind === 'by');
  if (last?.kind !== 'by') return [];
  return last.names.flatMap(({ kind, name }) => (kind === 'label' ? [name] : []));
}

/** Returns a sentence for each of `labels` that no profile has. */
export async function groupNotes(
  labels: readonly string[],
  { matchers, profileTypes, ranges }: SelectedProfiles,
  querier: Querier,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  if (labels.length === 0) return [];
  const names = new Set<string>();
  for (const range of ranges) {
    for (const profileType of profileTypes) {
      const some = await querier.labelNames({ matchers, profileType, range }, signal);
      for (const name of some) names.add(name);
    }
  }
  // If there is no profile at all, another sentence says so.
  if (names.size === 0) return [];
  return labels
    .filter((label) => !names.has(label))
    .map((label) => formatGroupNote(label, [...names].sort()));
}
