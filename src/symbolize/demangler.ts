// Demangles the names of functions that were pushed with mangled names, in the background.
import { errorMessage } from '../base/errors.ts';
import { untilAborted } from '../base/until-aborted.ts';
import { demangledNamesMax, mangledNameLengthMax, symbolizerBatchMax } from './limits.ts';
import type { Logger } from '../base/logger.ts';
import type { SourceFrame } from './interface.ts';

/** Returns the demangled names in the order of the mangled names. */
export type Demangle = (
  names: readonly string[],
  signal: AbortSignal,
) => Promise<readonly string[]>;

export interface DemanglerParts {
  /** Returns undefined while no demangler is available. */
  readonly demangle: () => Demangle | undefined;
  readonly logger: Logger;
  readonly namesMax?: number;
}

/** Caches demangled names by mangled name, up to a number of names. */
export class Demangler {
  readonly #parts: DemanglerParts;
  readonly #namesMax: number;
  /** Names in the order of insertion, so that the first is dropped first. */
  readonly #names = new Map<string, string>();
  readonly #waiting = new Set<string>();
  readonly #stopped = new AbortController();
  #work: Promise<void> | undefined;
  #generation = 0;
  /** Aborts the batch that is being demangled. */
  #ending = new AbortController();
  /** Number of callers that wait. */
  #callers = 0;
  /** True if a response has promised that names will be available later. */
  #isPromised = false;

  constructor(parts: DemanglerParts) {
    this.#parts = parts;
    this.#namesMax = parts.namesMax ?? demangledNamesMax;
  }

  /** Number that grows whenever the result for a name may have changed. */
  get generation(): number {
    return this.#generation;
  }

  get canDemangle(): boolean {
    return this.#parts.demangle() !== undefined;
  }

  /** Number of names that are being looked up. */
  get pendingCount(): number {
    return this.#waiting.size;
  }

  /**
   * Returns the line with a demangled name; undefined if its name is not mangled, or is still being
   * demangled.
   */
  demangled(line: SourceFrame): SourceFrame | undefined {
    const mangled = line.functionName || line.systemName;
    if (!isMangled(mangled) || mangled.length > mangledNameLengthMax) return undefined;
    const name = this.#names.get(mangled);
    if (name === undefined) this.#lookUp(mangled);
    if (name === undefined || name === mangled) return undefined;
    return { ...line, functionName: name, systemName: line.systemName || mangled };
  }

  /** Resolves when no name is being looked up. */
  async settled(): Promise<void> {
    await this.#work;
  }

  /**
   * Resolves when no name is being looked up; never rejects. `signal` ends the wait. If `caller` is
   * aborted by then and no other caller waits, the lookups are aborted, unless a response has
   * promised the names.
   */
  async settle(signal: AbortSignal, caller: AbortSignal): Promise<void> {
    this.#callers += 1;
    await untilAborted(this.settled(), signal).catch(() => undefined);
    this.#callers -= 1;
    if (this.#callers === 0 && caller.aborted && !this.#isPromised) this.#end();
  }

  /**
   * Records that a response has promised names. They are then looked up even if no caller waits.
   */
  promise(): void {
    this.#isPromised = this.#waiting.size > 0;
  }

  #end(): void {
    if (this.#waiting.size === 0) return;
    this.#waiting.clear();
    this.#ending.abort();
    this.#ending = new AbortController();
    this.#generation += 1;
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.settled();
  }

  #lookUp(mangled: string): void {
    const demangle = this.#parts.demangle();
    if (demangle === undefined || this.#stopped.signal.aborted) return;
    if (this.#waiting.size < this.#namesMax) this.#waiting.add(mangled);
    this.#work ??= this.#run(demangle);
  }

  async #run(demangle: Demangle): Promise<void> {
    // Waits until the same query has added its other names, so that they are in the first batch,
    // too.
    await Promise.resolve();
    while (this.#waiting.size > 0 && !this.#stopped.signal.aborted) {
      const batch = [...this.#waiting].slice(0, symbolizerBatchMax);
      let names: readonly string[] = batch;
      const signal = AbortSignal.any([this.#stopped.signal, this.#ending.signal]);
      try {
        names = await demangle(batch, signal);
      } catch (error) {
        if (signal.aborted) continue;
        this.#parts.logger.warn('names stay mangled', {
          names: batch.length,
          error: errorMessage(error),
        });
      }
      batch.forEach((mangled, i) => {
        this.#names.set(mangled, names[i]);
        this.#waiting.delete(mangled);
      });
      for (const oldest of this.#names.keys()) {
        if (this.#names.size <= this.#namesMax) break;
        this.#names.delete(oldest);
      }
      this.#generation += 1;
    }
    this.#isPromised = false;
    this.#work = undefined;
  }
}

/** Returns true if a name has a prefix of C++ (Itanium) or Rust: _Z, __Z, ___Z, _R. */
export function isMangled(name: string): boolean {
  return /^_(?:R|_{0,2}Z)/.test(name);
}
