// The seam of names: query asks for the calls at an address, resolvers find them out.
import type { NamedLine } from '../model/dictionary-translator.ts';

/** One call at an address; calls that the compiler inlined have rows of their own. */
export type SourceFrame = NamedLine;

/** A file that names are read from. */
export interface SymbolSource {
  readonly path: string;
  readonly hasDwarf: boolean;
  readonly hasGoLineTable: boolean;
  /** Rises when a better file takes its place. */
  readonly generation: number;
}

/** The best file for a build id; undefined while there is none. */
export type FindSource = (buildId: string) => SymbolSource | undefined;

/**
 * Reads names from one file.
 *
 * Addresses are ELF virtual addresses. The answer has an entry for each of them, with the innermost
 * call first; it is empty where the file knows nothing.
 *
 * Errors: AppError that says why the file gives no names.
 */
export interface Resolver {
  resolve(
    source: SymbolSource,
    addresses: readonly number[],
    signal: AbortSignal,
  ): Promise<readonly (readonly SourceFrame[])[]>;
}
