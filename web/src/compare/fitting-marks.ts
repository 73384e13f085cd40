// Selects the stored marks that apply to a query.
import { listMatchers, type MatcherText } from '../language/matchers.ts';
import type { StoredMark } from '../rpc/marks.ts';

/**
 * Returns the marks that may apply to a query: all marks except those whose labels contradict its
 * matchers.
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
  // Operators that begin with "!" negate the matcher.
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
