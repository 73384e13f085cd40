// Shows the version of a service, as a link to the changes of its last deploy, however long ago it
// was.
import { useMemo } from 'react';
import {
  compareDeploy,
  findServiceDeploys,
  type LastDeploy,
  shortVersion,
} from '../compare/versions.ts';
import { formatAge } from '../format/numbers.ts';
import { useApp } from '../page/app-context.ts';
import { useResource } from '../page/use-resource.ts';
import type { Span } from '../rpc/api.ts';
import { ComparisonLink } from './comparison-link.tsx';

/**
 * Periods before the end of the range, in milliseconds, in which deploys are searched. The result
 * for a shorter period replaces that for a longer one, because it is more precise. The period of an
 * hour finds deploys of services that have just been added: in longer periods, all of their
 * versions are in the same step.
 */
const lookBackMillis = [7 * 86_400_000, 86_400_000, 3_600_000];
/** Time after which deploys are searched again. */
const keptMillis = 600_000;

/** Returns the last deploys of services by key, for the profile types of CPU time. */
export function useServiceDeploys(
  types: readonly string[],
  { to }: Span,
): ReadonlyMap<string, LastDeploy> {
  const { api } = useApp();
  const end = Math.ceil(to / keptMillis) * keptMillis;
  const key = types.length === 0 ? undefined : `service deploys ${end} ${types.join(' ')}`;
  const answer = useResource(
    key,
    async (asking) => {
      const questions = lookBackMillis.flatMap((millis) =>
        types.toReversed().map((type) => {
          const span = { from: end - millis, to: end };
          return { query: type, profileType: type, span };
        }),
      );
      const found = await Promise.all(
        questions.map((question) => findServiceDeploys(api, question, asking)),
      );
      return new Map(found.flatMap((one) => [...one]));
    },
    { topic: 'service deploys', isQuiet: true },
  );
  return useMemo(() => answer.value ?? new Map<string, LastDeploy>(), [answer.value]);
}

interface VersionCellProps {
  readonly deploy: LastDeploy | undefined;
  /** Query of the service. */
  readonly query: string;
  readonly span: Span;
  readonly now: number;
}

/** Shows "2.15.0, 3 h"; the tooltip describes the changes of the deploy. */
export function VersionCell({ deploy, query, span, now }: VersionCellProps) {
  if (deploy === undefined) return null;
  const { before, value, since } = deploy;
  const compared = {
    query: compareDeploy(query, deploy, span),
    span,
    names: { before, now: value },
  };
  const age = formatAge(Math.ceil((now - since) / 60_000) * 60_000);
  return (
    <ComparisonLink
      compared={compared}
      label={`Compare ${value} with ${before}`}
      after={<span className="hint"> {age} ago</span>}
    >
      {shortVersion(value)}
    </ComparisonLink>
  );
}
