// Requests the progress of all queries of this page together.
import { getJson } from './json.ts';

/** A question that is being answered. */
export interface Progress {
  /** True if queries of others must end first. */
  readonly isWaiting: boolean;
  /** Rows selected so far, and rows of them that are summed. */
  readonly rowsSelected: number;
  readonly rowsDone: number;
}

interface ListedQuery {
  readonly tags: readonly string[];
  readonly state: 'waiting' | 'running';
  readonly rows: { readonly done: number; readonly selected: number };
}

/** Returns the progress by tag; there is none for a query that is not running. */
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

/** Longest wait for an answer before the next request. */
const askMillisMax = 5_000;

type Listener = (progress: Progress | undefined) => void;
type Ask = (tags: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, Progress>>;

/** Polls the server while any question is watched. */
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
   * Calls `listener` with the progress, undefined while unknown; returns a function that stops
   * that.
   */
  watch(tag: string, listener: Listener): () => void {
    this.#listeners.set(tag, listener);
    if (!this.#isRunning) void this.#run();
    return () => this.#listeners.delete(tag);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // Queries that are watched from the same moment share one request.
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
