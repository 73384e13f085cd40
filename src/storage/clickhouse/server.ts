// The ClickHouse servers of a store: statements, queries and inserts of rows.
import { Readable } from 'node:stream';
import {
  type ClickHouseClient,
  ClickHouseError,
  type ClickHouseSettings,
} from '@clickhouse/client';
import { ByteReader } from '../../base/bytes.ts';
import { type Clock, sleep } from '../../base/clock.ts';
import { AppError, type ErrorCode, errorMessage } from '../../base/errors.ts';
import {
  clickHouseAnswerBytesMax,
  clickHouseAnswerMillisMax,
  clickHouseKillMillisMax,
  clickHouseProgressMillis,
  statementBytesMax,
  storageRetryMillis,
} from '../limits.ts';
import { memoryShare } from '../../base/memory-limit.ts';
import type { Logger } from '../../base/logger.ts';
import { type Random, randomHex } from '../../base/random.ts';
import type { ReadContext } from '../interface.ts';
import { onCluster, quoteName } from './schema.ts';

/** Codes of ClickHouse exceptions that mean something more specific than "internal". */
const codesOfErrors: Readonly<Record<string, ErrorCode>> = {
  '158': 'resource-exhausted', // TOO_MANY_ROWS
  '159': 'deadline-exceeded', // TIMEOUT_EXCEEDED
  '160': 'deadline-exceeded', // TOO_SLOW
  '202': 'resource-exhausted', // TOO_MANY_SIMULTANEOUS_QUERIES
  '241': 'resource-exhausted', // MEMORY_LIMIT_EXCEEDED
  '242': 'unavailable', // TABLE_IS_READ_ONLY
  '243': 'resource-exhausted', // NOT_ENOUGH_SPACE
  '252': 'unavailable', // TOO_MANY_PARTS
  '285': 'unavailable', // TOO_FEW_LIVE_REPLICAS
  '286': 'unavailable', // UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE
  '307': 'resource-exhausted', // TOO_MANY_BYTES
  '319': 'unavailable', // UNKNOWN_STATUS_OF_INSERT
  '394': 'cancelled', // QUERY_WAS_CANCELLED
  '396': 'resource-exhausted', // TOO_MANY_ROWS_OR_BYTES
  '516': 'unauthenticated', // AUTHENTICATION_FAILED
};

export interface ClickHouseMachine {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** The caller of a query: its signal, and the memory budget of the query. */
export type StatementContext = Pick<ReadContext, 'signal' | 'throwIfAborted'> &
  Partial<Pick<ReadContext, 'budget'>>;

/** Wraps a signal as an StatementContext, for statements without a memory budget. */
export function toAsker(signal: AbortSignal | undefined): StatementContext | undefined {
  return signal && { signal, throwIfAborted: () => signal.throwIfAborted() };
}

/** A server's client, and the server's name for messages. */
export interface NamedClient {
  readonly address: string;
  readonly client: ClickHouseClient;
}

/** Sends statements to the first of several servers that answers. */
export class ClickHouseServers {
  readonly #clients: readonly NamedClient[];
  readonly #machine: ClickHouseMachine;
  readonly #insertSettings: ClickHouseSettings;
  /** The server that answered last, which is tried first. */
  #current = 0;
  /** False for servers before 20.1, which refuse settings that they do not know. */
  #isModern = false;
  /** KILL statements that are still running. */
  readonly #ending = new Set<Promise<void>>();

  constructor(
    clients: readonly NamedClient[],
    machine: ClickHouseMachine,
    insertSettings: ClickHouseSettings = {},
  ) {
    this.#clients = clients;
    this.#machine = machine;
    this.#insertSettings = insertSettings;
  }

  /** Reads the server's version, which decides which features are used. Errors: as in `ask`. */
  async readVersion(): Promise<{ readonly version: string; readonly isModern: boolean }> {
    const version = new ByteReader(await this.ask('SELECT version()')).text();
    this.#isModern = Number.parseInt(version, 10) >= 20;
    return { version, isModern: this.#isModern };
  }

  /** Creates a database, on a cluster or on one server (cluster ""). Errors: as in `ask`. */
  async makeDatabase(name: string, cluster: string): Promise<void> {
    await this.run(`CREATE DATABASE IF NOT EXISTS ${quoteName(name)}${onCluster(cluster)}`);
  }

  /** Runs a statement that has no result. Errors: as in `ask`. */
  async run(statement: string): Promise<void> {
    await this.#onAny((client) => client.command({ query: statement }));
  }

  /**
   * Returns the result rows in RowBinary. ClickHouse stops a statement whose answer is no longer
   * wanted. `onProgress` is called from time to time with the share of rows that was read.
   *
   * Errors: AppError with a code for ClickHouse's exception, 'unavailable' when no server answers,
   * 'resource-exhausted' for an answer that takes too much memory; the error that `context` throws
   * when the answer is no longer wanted.
   */
  async ask(
    statement: string,
    context?: StatementContext,
    onProgress?: (share: number) => void,
  ): Promise<Uint8Array> {
    const settings: ClickHouseSettings = {
      max_query_size: String(statementBytesMax),
      max_execution_time: clickHouseAnswerMillisMax / 1000,
      // The server stops working on an answer when the connection is closed.
      ...(this.#isModern ? { cancel_http_readonly_queries_on_client_close: 1 } : {}),
    };
    const read = async (client: ClickHouseClient): Promise<Uint8Array> => {
      const id = this.#newId();
      const done = new AbortController();
      if (onProgress !== undefined) void this.#watch(client, id, onProgress, done.signal);
      try {
        const { stream } = await client.exec({
          query: `${statement} FORMAT RowBinary`,
          query_id: id,
          clickhouse_settings: settings,
          ...(context === undefined ? {} : { abort_signal: context.signal }),
        });
        return await readAnswer(stream, context);
      } catch (error) {
        // The server may hang, so the caller does not wait for KILL.
        if (context?.signal.aborted === true) this.#kill(client, id);
        throw error;
      } finally {
        done.abort();
      }
    };
    try {
      return await this.#onAny(read, context?.signal);
    } catch (error) {
      context?.throwIfAborted();
      throw error;
    }
  }

  /**
   * Inserts rows in RowBinary; resolves when the server has stored them. Inserting rows again
   * changes nothing.
   *
   * Errors: as in `ask`.
   */
  async insert(table: string, rows: Uint8Array): Promise<void> {
    await this.#onAny(async (client) => {
      const { stream } = await client.exec({
        query: `INSERT INTO ${table} FORMAT RowBinary`,
        values: Readable.from([rows], { objectMode: false }),
        clickhouse_settings: {
          // Late profiles may belong to any day, and so to any partition.
          ...(this.#isModern ? { max_partitions_per_insert_block: '0' } : {}),
          ...this.#insertSettings,
        },
      });
      for await (const chunk of stream) void chunk;
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#ending);
    await Promise.all(this.#clients.map(({ client }) => client.close()));
  }

  #newId(): string {
    return `parca-${randomHex(this.#machine.random, 4)}`;
  }

  /** Reports the progress of a statement until the signal is aborted. Never rejects. */
  async #watch(
    client: ClickHouseClient,
    id: string,
    onProgress: (share: number) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, logger } = this.#machine;
    try {
      for (;;) {
        await sleep(clock, clickHouseProgressMillis, signal);
        const { stream } = await client.exec({
          query:
            'SELECT toFloat64(read_rows / greatest(greatest(total_rows_approx, read_rows), 1)) ' +
            `FROM system.processes WHERE query_id = '${id}' FORMAT RowBinary`,
          abort_signal: signal,
        });
        for await (const bytes of stream) {
          if (bytes.length === 8 && !signal.aborted) onProgress(bytes.readDoubleLE());
        }
      }
    } catch (error) {
      // The statement continues without progress reports.
      if (signal.aborted) return;
      logger.debug('no progress of a statement', { error: errorMessage(error) });
    }
  }

  /** Kills a statement, because servers before 20.1 do not stop when their client disconnects. */
  #kill(client: ClickHouseClient, id: string): void {
    const { logger } = this.#machine;
    const ending = client
      .command({
        query: `KILL QUERY WHERE query_id = '${id}' ASYNC`,
        abort_signal: AbortSignal.timeout(clickHouseKillMillisMax),
      })
      .then(() => undefined)
      .catch((error: unknown) => {
        logger.warn('cannot end a statement in ClickHouse', { id, error: errorMessage(error) });
      })
      .finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  async #onAny<T>(ask: (client: ClickHouseClient) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const failures: string[] = [];
    for (let i = 0; i < this.#clients.length; i += 1) {
      const at = (this.#current + i) % this.#clients.length;
      const { client, address } = this.#clients[at];
      try {
        const answer = await ask(client);
        this.#current = at;
        return answer;
      } catch (error) {
        if (signal?.aborted === true || error instanceof AppError) throw error;
        const code = codeOfException(error);
        if (code !== undefined && code !== 'unavailable') {
          throw new AppError(code, `cannot ask ClickHouse at ${address}: ${errorMessage(error)}`, {
            cause: error,
          });
        }
        failures.push(`${address}: ${errorMessage(error)}`);
        this.#machine.logger.warn('a ClickHouse server does not answer', {
          address,
          error: errorMessage(error),
        });
      }
    }
    throw new AppError('unavailable', `cannot ask ClickHouse: ${failures.join('; ')}`, {
      retryAfterMillis: storageRetryMillis,
    });
  }
}

/**
 * Reads an answer of unknown size. Until the answer is complete, its memory counts against the
 * query's budget.
 *
 * Errors: AppError 'resource-exhausted'.
 */
async function readAnswer(
  stream: AsyncIterable<Uint8Array>,
  asker: StatementContext | undefined,
): Promise<Uint8Array> {
  const bytesMax = memoryShare('queries', clickHouseAnswerBytesMax);
  const chunks: Uint8Array[] = [];
  let total = 0;
  try {
    for await (const chunk of stream) {
      total += chunk.length;
      asker?.budget?.hold(chunk.length);
      if (total > bytesMax) {
        const why = `its answer has more than ${bytesMax} bytes`;
        throw new AppError('resource-exhausted', `cannot ask ClickHouse: ${why}`);
      }
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    asker?.budget?.release(total);
  }
}

/** Returns the code of a ClickHouse exception; undefined for connection errors. */
function codeOfException(error: unknown): ErrorCode | undefined {
  // The client parses the code of new servers. Old servers put it at the start of the message.
  const code: unknown = error instanceof ClickHouseError ? error.code : undefined;
  const number = code ?? /^Code: (\d+)/.exec(errorMessage(error))?.[1];
  return number === undefined ? undefined : (codesOfErrors[String(number)] ?? 'internal');
}
