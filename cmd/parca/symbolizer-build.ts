// Builds the symbolizer in the background if the server was started by `npm start`.
import type { Logger } from '../../src/base/logger.ts';
import { BackgroundProgram } from '../../src/base/node/background-program.ts';

export interface SymbolizerBuildOptions {
  /** Script that runs the build with the lowest priority, unless everything is up to date. */
  readonly script: string;
  readonly logger: Logger;
  /** Called when the program exists, whether or not it was newly built. */
  readonly onDone: () => void;
}

/**
 * Prefix of the script's own lines. Its other output comes from compilers, or lists missing tools.
 */
const progress = /^set-up: /;
const remedy = 'npm run build:symbolizer';

/** A run of the script. */
export class SymbolizerBuild {
  readonly #options: SymbolizerBuildOptions;
  #program: BackgroundProgram | undefined;
  #isStopped = false;

  constructor(options: SymbolizerBuildOptions) {
    this.#options = options;
  }

  start(): void {
    if (!this.#isStopped) void this.#run();
  }

  async #run(): Promise<void> {
    const { script, logger, onDone } = this.#options;
    let isBuilding = false;
    this.#program = new BackgroundProgram(process.execPath, [script], (output) => {
      if (isBuilding || !progress.test(output)) return;
      isBuilding = true;
      logger.info('building parca-symbolizer, which reads DWARF faster', { script });
    });
    const { isDone, output } = await this.#program.ended;
    if (this.#isStopped) return;
    if (isDone) return onDone();
    const lines = output.split('\n').filter((line) => line !== '');
    const why = lines.find((line) => line.startsWith('error')) ?? lines.at(-1);
    const message = 'the server reads DWARF itself: more slowly, and of files up to 128 MiB';
    // If the build did not start, Rust is not installed. This is not a failure.
    if (isBuilding) logger.warn(message, { why, remedy });
    else logger.info(message, { why, remedy });
  }

  /** Stops the build. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#program?.stop();
  }
}
