// Functions of the kernel, updated as modules are loaded and unloaded.
import { readFileSync } from 'node:fs';
import type { Clock } from '../../src/base/clock.ts';
import { errorMessage } from '../../src/base/errors.ts';
import { kallsymsBytesMax, kallsymsRereadMillis } from '../limits.ts';
import { readStart } from '../process/proc-folder.ts';
import { KernelSymbols } from './kernel-symbols.ts';

/** Symbols from /proc/kallsyms. The file is read again at intervals. */
export class KernelNames {
  readonly #clock: Clock;
  #symbols = new KernelSymbols(Buffer.alloc(0));
  #readMillis = -Infinity;
  #why = '';

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  current(): KernelSymbols {
    const now = this.#clock.monotonicMillis();
    if (now - this.#readMillis < kallsymsRereadMillis) return this.#symbols;
    this.#readMillis = now;
    this.#why = '';
    try {
      this.#symbols = new KernelSymbols(readStart('/proc/kallsyms', kallsymsBytesMax));
    } catch (error) {
      this.#why = errorMessage(error);
    }
    if (this.#symbols.length === 0 && this.#why === '') this.#why = hiddenBecause();
    return this.#symbols;
  }

  /** Returns the reason why kernel functions have no names; "" if they have names. */
  problem(): string {
    this.current();
    return this.#why === '' ? '' : `kernel functions have no names: ${this.#why}`;
  }
}

function hiddenBecause(): string {
  const setting = readFileSync('/proc/sys/kernel/kptr_restrict', 'latin1').trim();
  return `kernel.kptr_restrict is ${setting}, and CAP_SYSLOG may be missing`;
}
