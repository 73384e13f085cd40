// Requests the progress of all queries of this page together.
import { getJson } from './json.ts';

/** Progress of a running query. */
export interface Progress {
  /** True if the query waits for other users' queries. */
  readonly isWaiting: boolean;
  /** Number of selected rows, and how many of them are summed up. */
  readonly rowsSelected: number;
  readonly rowsDone: number;
}

interface ListedQuery {
  readonly tags: readonly string[];
  readonly state: 'waiting' | 'running';
  readonly rows: { readonly done: number; readonly selected: number };
}

/** Returns the progress by tag; a query that is not running has none. */
export async function askProgress(
  base: string,
  tags: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Progress>> {
  const parameters = new URLSearchParams(tags.map((tag) => ['tag', tag]));
  const json = await getJson(base, 'queries', parameters, { signal });
  const { queries } = json as { readonly queries: readonly ListedQuery[] };
  return new Map(
    queries.flatMap(({ tags: listed, state, rows }) => {
      const isWaiting = state === 'waiting';
      const progress = { isWaiting, rowsSelected: rows.selected, rowsDone: rows.done };
      return listed.map((tag) => [tag, progress] as const);
    }),
  );
}

/** Longest wait for a response before the next request. */
const askMillisMax = 5_000;

type Listener = (progress: Progress | undefined) => void;
type Ask = (tags: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, Progress>>;

/** Polls the server while any query is watched. */
export class ProgressPoll {
  readonly #ask: Ask;
  readonly #pause: () => Promise<void>;
  readonly #listeners = new Map<string, Listener>();
  #isRunning = false;

  /** `pause` resolves when the next request is due. */
  constructor(ask: Ask, pause: () => Promise<void>) {
    this.#ask = ask;
    this.#pause = pause;
  }

  /**
   * Calls `listener` with the progress, or undefined while unknown; returns a function that stops
   * watching.
   */
  watch(tag: string, listener: Listener): () => void {
    this.#listeners.set(tag, listener);
    if (!this.#isRunning) void this.#run();
    return () => this.#listeners.delete(tag);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // Queries that are watched at the same time share one request.
    await Promise.resolve();
    while (this.#listeners.size > 0) {
      const found = await this.#read();
      for (const [tag, listener] of this.#listeners) listener(found?.get(tag));
      await this.#pause();
    }
    this.#isRunning = false;
  }

  async #read(): Promise<ReadonlyMap<string, Progress> | undefined> {
    try {
      return await this.#ask([...this.#listeners.keys()], AbortSignal.timeout(askMillisMax));
    } catch {
      // The query itself reports problems with the server.
      return undefined;
    }
  }
}
