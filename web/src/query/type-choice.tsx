// What a short profile type may mean: a button for each type that a query can have in its place.
import { useLoaded } from '../page/use-loaded.ts';

interface TypeChoiceProps {
  /** Of the server's error. */
  readonly message: string;
  readonly query: string;
  readonly onQuery: (query: string) => void;
}

/** Nothing where the message is about something else. */
export function TypeChoice({ message, query, onQuery }: TypeChoiceProps) {
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
