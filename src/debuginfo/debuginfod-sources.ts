// Source files of debuginfod servers, which are fetched when somebody views them.
import type { Dispatcher } from 'undici';
import type { Clock } from '../base/clock.ts';
import { AppError, errorMessage } from '../base/errors.ts';
import { LeastRecent } from '../base/least-recent.ts';
import {
  debuginfodMissMillis,
  debuginfodSourceMillisMax,
  debuginfodSourcesBytesMax,
} from './limits.ts';
import { sourceFileBytesMax } from '../base/limits.ts';
import type { SourceAnswer, SourceReader } from '../sources/interface.ts';
import { buildIdPattern, requestDebuginfo } from './debuginfod-client.ts';

export interface DebuginfodSourcesOptions {
  readonly servers: () => readonly string[];
  readonly dispatcher: () => Dispatcher;
  readonly userAgent: string;
  readonly clock: Clock;
}

/** A cached answer, and the time at which it expires. */
interface Kept {
  readonly answer: SourceAnswer;
  readonly untilMillis: number;
}

/** Reads source files from servers that are tried one by one. Answers are cached in memory. */
export class DebuginfodSources implements SourceReader {
  readonly #options: DebuginfodSourcesOptions;
  readonly #kept = new LeastRecent<Kept>(
    debuginfodSourcesBytesMax,
    ({ answer }) => 200 + (answer.text ?? answer.reason).length,
  );

  constructor(options: DebuginfodSourcesOptions) {
    this.#options = options;
  }

  async readSource(buildId: string, fileName: string, signal: AbortSignal): Promise<SourceAnswer> {
    const servers = this.#options.servers();
    // Only absolute names are requested, because compilers record absolute names of files.
    const isAsked = buildIdPattern.test(buildId) && fileName.startsWith('/');
    if (servers.length === 0 || !isAsked) return { reason: '' };
    const key = `${buildId} ${fileName} ${servers.join(' ')}`;
    const nowMillis = this.#options.clock.monotonicMillis();
    const known = this.#kept.get(key);
    if (known !== undefined && known.untilMillis > nowMillis) return known.answer;
    const answer = await this.#ask(servers, buildId, fileName, signal);
    this.#kept.put(key, { answer, untilMillis: nowMillis + debuginfodMissMillis });
    return answer;
  }

  async #ask(
    servers: readonly string[],
    buildId: string,
    fileName: string,
    signal: AbortSignal,
  ): Promise<SourceAnswer> {
    const reasons: string[] = [];
    for (const server of servers) {
      try {
        const text = await this.#askOne(server, buildId, fileName, signal);
        if (text !== undefined) return { text };
        reasons.push(`${server} does not have ${fileName}`);
      } catch (error) {
        signal.throwIfAborted();
        reasons.push(errorMessage(error));
      }
    }
    return { reason: reasons.join('; ') };
  }

  async #askOne(
    server: string,
    buildId: string,
    source: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { clock, userAgent, dispatcher } = this.#options;
    const own = new AbortController();
    const timer = clock.setTimer(debuginfodSourceMillisMax, () => {
      const why = `${server} has taken more than ${debuginfodSourceMillisMax} ms`;
      own.abort(new AppError('deadline-exceeded', why));
    });
    try {
      const body = await requestDebuginfo({
        server,
        buildId,
        source,
        dispatcher: dispatcher(),
        userAgent,
        signal: AbortSignal.any([signal, own.signal]),
      });
      return body && (await readText(body, server));
    } finally {
      timer.cancel();
      // If the body is not needed, this stops the transfer.
      own.abort();
    }
  }
}

async function readText(body: AsyncIterable<Uint8Array>, server: string): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > sourceFileBytesMax) {
      const why = `${server} sends more than ${sourceFileBytesMax} bytes`;
      throw new AppError('resource-exhausted', why);
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
