// Shows the error in the query; if a profile type is ambiguous, shows a button for each candidate.
import type { Explore } from '../answers/use-explore.ts';
import { useLoaded } from '../page/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import { grpcInvalidArgument } from '../rpc/grpc-web.ts';

interface TypeChoiceProps {
  /** Message of the server's error. */
  readonly message: string;
  readonly query: string;
  readonly onQuery: (query: string) => void;
}

/** The buttons; empty if the error is not about an ambiguous type. */
function TypeChoice({ message, query, onQuery }: TypeChoiceProps) {
  const ambiguity = useLoaded(() => import('../../../src/promql-like/ambiguity.ts'));
  const found = ambiguity?.readAmbiguity(message);
  if (ambiguity === undefined || found === undefined) return null;
  const choices = found.candidates.flatMap((candidate) => {
    const chosen = ambiguity.withCandidate(query, found, candidate);
    return chosen === undefined ? [] : [{ candidate, chosen }];
  });
  return (
    <span className="type-choice" role="group" aria-label="Profile types to choose from">
      {choices.map(({ candidate, chosen }) => (
        <button
          type="button"
          className="button mono"
          key={candidate}
          onClick={() => onQuery(chosen)}
        >
          {candidate}
        </button>
      ))}
    </span>
  );
}

/** Returns a message with a full stop at its end. */
function formatSentence(message: string): string {
  return /[.?]$/.test(message) ? message : `${message}.`;
}

interface QueryErrorProps {
  readonly explore: Explore;
  readonly onQuery: (query: string) => void;
}

/** Shows an error in the query once for all panels. */
export function QueryError({ explore, onQuery }: QueryErrorProps) {
  const error = [explore.metrics, explore.icicle, explore.top]
    .map((resource) => resource.error)
    .find((found) => found?.code === grpcInvalidArgument);
  if (error === undefined) return null;
  const stays = explore.icicle.value === undefined ? '' : ' What you see is the last result.';
  return (
    <div className="query-error" role="alert">
      <Icon name="warning" />
      <div>
        <b>The query is not understood.</b> {formatSentence(error.message)}
        {stays}
        <TypeChoice message={error.message} query={explore.query} onQuery={onQuery} />
      </div>
    </div>
  );
}
