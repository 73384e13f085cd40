// Lines and addresses to show for locations, if they differ from the stored ones.
import type { Dictionary } from '../dictionary.ts';

/** One call, with strings instead of rows. */
export interface ShownLine {
  readonly functionName: string;
  /** The mangled name; equal to the name if nothing was demangled. */
  readonly systemName: string;
  /** Source file; "" if unknown. */
  readonly fileName: string;
  /** Line number; 0 if unknown. */
  readonly line: number;
  /** First line of the function; 0 when unknown. */
  readonly startLine: number;
  /** Column number; 0 if unknown. */
  readonly column: number;
}

/** Lines and addresses to show for the locations of one dictionary. */
export interface ShownLines {
  /** Returns the calls, the innermost first; undefined if the location keeps its own lines. */
  find(location: number): readonly ShownLine[] | undefined;
  /** Returns the number to subtract from the address of a location without lines of its own. */
  findBias(location: number): number;
  /**
   * Returns the locations whose lines or bias have changed since the state with number `since`,
   * with their new lines.
   */
  renew(since: number): ReadonlyMap<number, readonly ShownLine[] | undefined>;
}

/** Function that returns the lines to show for a dictionary. */
export type ShowLines = (from: Dictionary) => ShownLines;
