// Stage that keeps the stacks with the functions of the users page.
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
