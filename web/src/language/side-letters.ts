// Letters for the sides of a comparison. They are in a separate module because the grammar is too
// large for the first load.
import type { SideName } from './comparison.ts';

/** A short word for each side. */
export type SideWords = Readonly<Record<SideName, string>>;

/** Letters for the sides if there are no better words. */
export const sideLetters: SideWords = { before: 'A', now: 'B' };
