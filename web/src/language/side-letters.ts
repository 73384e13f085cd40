// Names of the sides of a comparison, without the grammar, which is too large for the first load.
import type { SideName } from './comparison.ts';

/** A short word for each side. */
export type SideWords = Readonly<Record<SideName, string>>;

/** The letters of the sides, where no word says more. */
export const sideLetters: SideWords = { before: 'A', now: 'B' };
