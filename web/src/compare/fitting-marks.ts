// Chooses the stored marks that are about the programs of a query.
import { listMatchers, type MatcherText } from '../language/matchers.ts';
import type { StoredMark } from '../rpc/marks.ts';

/**
 * Returns the marks that may be about what a query selects: without those whose labels contradict
 * its conditions.
 */
export function chooseFitting<Mark extends Pick<StoredMark, 'labels'>>(
  marks: readonly Mark[],
  query: string,
): readonly Mark[] {
  const matchers = listMatchers(query);
  return marks.filter(({ labels }) =>
    Object.entries(labels).every(([name, value]) => {
      const own = matchers.filter((matcher) => matcher.name === name);
      return own.length === 0 || own.some((matcher) => isMatch(matcher, value));
    }),
  );
}

function isMatch({ operator, value: wanted }: MatcherText, value: string): boolean {
  const isWanted = operator.endsWith('~') ? matchesPattern(wanted, value) : wanted === value;
  // Operators that begin with "!" select all others.
  return isWanted !== operator.startsWith('!');
}

function matchesPattern(pattern: string, value: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u').test(value);
  } catch {
    // If the query cannot be parsed, the server reports it.
    return true;
  }
}
