// The seam of names: query asks for the calls at an address, resolvers find them out.
import type { NamedLine } from '../model/transfer/dictionary-translator.ts';

/** One call at an address; calls that the compiler inlined have rows of their own. */
export type SourceFrame = NamedLine;

/** A file that names are read from. */
export interface SymbolSource {
  readonly path: string;
  readonly hasDwarf: boolean;
  readonly hasGoLineTable: boolean;
}

/** Files of one build id. */
export interface BuildFiles {
  /** Rises when a file is added; 0 = there never was one. Names stay those of their generation. */
  readonly generation: number;
  /** The best one first. What it does not know, the others are asked. */
  readonly files: readonly SymbolSource[];
  /** Why there is none; "" when there is one. */
  readonly reason: string;
}

/** Looks for files at other servers, in the background. */
export interface FileFetcher {
  /** Begins to look for a file; false when it is known that there is none. Never waits. */
  fetch(buildId: string): boolean;
}

/**
 * Reads names from one file.
 *
 * Addresses are ELF virtual addresses. The answer has an entry for each of them, with the innermost
 * call first; it is empty where the file knows nothing. `note` is called with each reason why lines
 * of the file are missing although it has DWARF.
 *
 * Errors: AppError that says why the file gives no names.
 */
export interface Resolver {
  resolve(
    source: SymbolSource,
    addresses: readonly number[],
    signal: AbortSignal,
    note?: (reason: string) => void,
  ): Promise<readonly (readonly SourceFrame[])[]>;
}

/** Verdict on files, so that hostile ones are not read again. */
export interface Verdict {
  /** Indexes of the pairs of a file and a resolver that failed. */
  readonly failed: ReadonlySet<number>;
  /** Reason why the files give no names; "" while they do. */
  readonly reason: string;
}

/** Names of one build id and generation. */
export interface BuildNames {
  /** Calls by address, the innermost first; empty: the files know nothing of it. */
  readonly frames: Map<number, readonly SourceFrame[]>;
  /** Why lines are missing although there is DWARF. */
  readonly notes: Set<string>;
  /** The last verdict; absent: nothing failed. */
  verdict?: Verdict;
}

/** Names that outlive the process. */
export interface SavedNames {
  /** Takes what was saved. Never waits. */
  load(buildId: string, generation: number): BuildNames;
  /** Saves calls in the background; those of earlier generations are dropped. */
  add(
    buildId: string,
    generation: number,
    addresses: readonly number[],
    frames: readonly (readonly SourceFrame[])[],
    notes: ReadonlySet<string>,
    verdict?: Verdict,
  ): void;
}
