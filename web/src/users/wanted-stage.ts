// The stage that keeps the stacks with the functions that the page of users asks about.
import { quoteString } from '../../../src/promql-like/string.ts';
import type { Wanted } from './ask-users.ts';

/** Returns the stage. */
export function wantedStage({ wanted, wantedKind }: Wanted): string {
  const condition = {
    function: 'function equals',
    package: 'package equals',
    pattern: 'function matches',
  }[wantedKind];
  return `stack ${condition} ${quoteString(wanted)}`;
}
