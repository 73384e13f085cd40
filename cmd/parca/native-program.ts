// The program parca-symbolizer, which may be built while the server is running.
import { statSync } from 'node:fs';
import type { Clock, Timer } from '../../src/base/clock.ts';
import { nativeProgramCheckMillis } from '../../src/base/limits.ts';
import type { Logger } from '../../src/base/logger.ts';

export interface NativeProgramOptions {
  readonly path: string;
  /** True while the program is being built. The build is logged elsewhere. */
  readonly isBeingBuilt?: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called when the program appears or has been replaced. */
  readonly onBuilt: () => void;
}

/** Checks for the program at intervals while it is missing. */
export class NativeProgram {
  readonly #options: NativeProgramOptions;
  #timer: Timer | undefined;
  /** Identifies a build: size and modification time; "0 0" if there is no program. */
  identity: string;

  constructor(options: NativeProgramOptions) {
    this.#options = options;
    const { path, logger, isBeingBuilt = false } = options;
    this.identity = identify(path);
    if (this.isThere) return;
    if (!isBeingBuilt) {
      const what = 'the server reads DWARF itself: more slowly, and of files up to 128 MiB';
      logger.info(what, { missing: path, remedy: 'npm run build:symbolizer' });
    }
    this.#lookLater();
  }

  get isThere(): boolean {
    return this.identity !== noProgram;
  }

  stop(): void {
    this.#timer?.cancel();
  }

  /** Checks whether the program exists, or has been replaced. */
  look(): void {
    const { path, logger, onBuilt } = this.#options;
    this.#timer?.cancel();
    const before = this.identity;
    this.identity = identify(path);
    if (!this.isThere) this.#lookLater();
    if (!this.isThere || this.identity === before) return;
    logger.info('the symbolizer is there now: it reads lines', { path });
    onBuilt();
  }

  #lookLater(): void {
    this.#timer = this.#options.clock.setTimer(nativeProgramCheckMillis, () => this.look());
  }
}

const noProgram = '0 0';

function identify(path: string): string {
  const state = statSync(path, { throwIfNoEntry: false });
  return state === undefined ? noProgram : `${state.size} ${state.mtimeMs}`;
}
