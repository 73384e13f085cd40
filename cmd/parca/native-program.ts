// The program parca-symbolizer, which may be built while the server runs.
import { statSync } from 'node:fs';
import type { Clock, Timer } from '../../src/base/clock.ts';
import { nativeProgramCheckMillis } from '../../src/base/limits.ts';
import type { Logger } from '../../src/base/logger.ts';

export interface NativeProgramOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called once, when a missing program has been built. */
  readonly onBuilt: () => void;
}

/** Looks for a missing program now and then. */
export class NativeProgram {
  readonly #options: NativeProgramOptions;
  #timer: Timer | undefined;
  /** Tells one build from another: size and time of change; "0 0" while there is none. */
  identity: string;

  constructor(options: NativeProgramOptions) {
    this.#options = options;
    const { path, logger } = options;
    this.identity = identityOf(path);
    if (this.isThere) return;
    logger.info('addresses get functions, but for C, C++ and Rust no lines and no readable names', {
      missing: path,
      remedy: 'npm run build:native',
    });
    this.#lookLater();
  }

  get isThere(): boolean {
    return this.identity !== noProgram;
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #lookLater(): void {
    this.#timer = this.#options.clock.setTimer(nativeProgramCheckMillis, () => this.#look());
  }

  #look(): void {
    const { path, logger, onBuilt } = this.#options;
    this.identity = identityOf(path);
    if (!this.isThere) {
      this.#lookLater();
      return;
    }
    logger.info('the symbolizer is there now: addresses get lines', { path });
    onBuilt();
  }
}

const noProgram = '0 0';

function identityOf(path: string): string {
  const state = statSync(path, { throwIfNoEntry: false });
  return state === undefined ? noProgram : `${state.size} ${state.mtimeMs}`;
}
