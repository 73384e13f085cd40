// Whether the server names functions: it does when it takes debug information.
import { type Clock } from '../../src/base/clock.ts';
import { errorCode } from '../../src/base/errors.ts';
import { type Logger } from '../../src/base/logger.ts';
import { symbolizerProbeMillis } from '../limits.ts';
import { type Server } from './grpc-client.ts';

/** Source: proto/parca/debuginfo/v1alpha1/debuginfo.proto of Parca. */
const shouldInitiateUpload = '/parca.debuginfo.v1alpha1.DebuginfoService/ShouldInitiateUpload';

const callMillisMax = 5_000;

/** Asks now and then. */
export class SymbolizerProbe {
  readonly #server: Pick<Server, 'call'>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** Undefined until the server has answered. */
  #names: boolean | undefined;
  #askedMillis = -Infinity;

  constructor(server: Pick<Server, 'call'>, clock: Clock, logger: Logger) {
    this.#server = server;
    this.#clock = clock;
    this.#logger = logger;
  }

  /**
   * Whether the server names functions, as far as is known; starts to ask when the answer is old.
   * A server that has never answered counts as one that does not.
   */
  serverNamesFunctions(): boolean {
    const now = this.#clock.monotonicMillis();
    if (now - this.#askedMillis >= symbolizerProbeMillis) {
      this.#askedMillis = now;
      void this.#ask();
    }
    return this.#names ?? false;
  }

  async #ask(): Promise<void> {
    let names: boolean;
    try {
      await this.#server.call(shouldInitiateUpload, new Uint8Array(0), callMillisMax);
      names = true;
    } catch (error) {
      const code = errorCode(error);
      // Without a build id the request is refused by a server that knows it.
      if (code === 'unimplemented') names = false;
      else if (code === 'invalid-argument') names = true;
      else return;
    }
    if (names !== this.#names) {
      this.#logger.info(
        names
          ? 'the server names functions of files'
          : 'the server does not take debug information: the agent names functions of files',
      );
    }
    this.#names = names;
  }
}
