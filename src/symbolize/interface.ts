// Interfaces for names: queries request the calls at an address, and resolvers find them.
import type { ShownLine } from '../model/dictionaries/shown-lines.ts';
import type { ProgramLayout } from './load-bias.ts';

/** Parts of a demangled name that are shown, as in Parca. */
export type DemangleMode = 'none' | 'simple' | 'full' | 'templates';

/** One call at an address; calls that the compiler inlined are separate. */
export type SourceFrame = ShownLine;

/** A file from which names are read. */
export interface SymbolSource {
  readonly path: string;
  readonly hasDwarf: boolean;
  readonly hasGoLineTable: boolean;
  /** The other file that contains part of the DWARF. */
  readonly alternate?: {
    /** Path of that file on the machine where the binary was built. */
    readonly name: string;
    readonly buildId: string;
    /** Path of the file on this machine; undefined if it is missing. */
    readonly path: string | undefined;
  };
}

/** Files of one build id. */
export interface BuildFiles {
  /**
   * Number that grows with each new file; 0 if there has never been a file. Names belong to a
   * generation.
   */
  readonly generation: number;
  /** Files, the best first. The other files are tried for names that the best file lacks. */
  readonly files: readonly SymbolSource[];
  /** Reason why there is no file; "" if there is one. */
  readonly reason: string;
  /** Layout of the program; absent if no file has it. */
  readonly layout?: ProgramLayout;
}

/** Searches for files at other servers, in the background. */
export interface FileFetcher {
  /** Begins to search for a file. Returns false if no server has it. Never waits. */
  fetch(buildId: string): boolean;
  /** Aborts the search for a file that no query is waiting for. `fetch` starts the search again. */
  release(buildId: string): void;
}

/**
 * Reads names from one file.
 *
 * Addresses are ELF virtual addresses. The result has an entry for each address: the calls there,
 * the innermost first, or none. `note` is called with each reason why lines of the file are missing
 * although it has DWARF. `isAhead` is true if no query waits.
 *
 * Errors: AppError with the reason why the file gives no names.
 */
export interface Resolver {
  resolve(
    source: SymbolSource,
    addresses: readonly number[],
    signal: AbortSignal,
    note?: (reason: string) => void,
    isAhead?: boolean,
  ): Promise<readonly (readonly SourceFrame[])[]>;
}

/** Result of reading files. It is kept, so that hostile files are not read again. */
export interface Verdict {
  /** Indexes of the pairs of a file and a resolver that failed. */
  readonly failed: ReadonlySet<number>;
  /** Reason why the files give no names; "" if they do. */
  readonly reason: string;
}

/** Names of one build id and generation. */
export interface BuildNames {
  /** Calls by address, the innermost first; none if the files have no names. */
  readonly frames: Map<number, readonly SourceFrame[]>;
  /** Reasons why lines are missing although there is DWARF. */
  readonly notes: Set<string>;
  /** The last verdict; undefined if there was no failure. */
  verdict?: Verdict;
}

/** Names that outlive the process. */
export interface SavedNames {
  /**
   * Returns the saved names. If reading them takes long, returns a promise, which never rejects.
   */
  load(buildId: string, generation: number): BuildNames | Promise<BuildNames>;
  /** Saves calls in the background. Drops names of earlier generations. */
  add(
    buildId: string,
    generation: number,
    addresses: readonly number[],
    frames: readonly (readonly SourceFrame[])[],
    notes: ReadonlySet<string>,
    verdict?: Verdict,
  ): void;
}
