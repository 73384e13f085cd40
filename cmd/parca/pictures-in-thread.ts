// Draws pictures of comparisons: asks the engine, and draws its answer in a thread that is kept.
import type { Clock } from '../../src/base/clock.ts';
import { AppError } from '../../src/base/errors.ts';
import { FairQueue } from '../../src/base/fair-queue.ts';
import {
  pictureAnswerBytesMax,
  pictureHeapBytesMax,
  pictureMillis,
  picturesKeptMax,
  picturesWaitingMax,
  importThreadIdleMillis,
} from '../../src/base/limits.ts';
import { memoryShare } from '../../src/base/memory-limit.ts';
import { KeptThread } from '../../src/base/threads/kept-thread.ts';
import { parseQuery } from '../../src/promql-like/parse.ts';
import type { QueryEngine } from '../../src/query/interface.ts';
import type { AskedPicture, DrawPicture } from '../../src/rules/alert-picture.ts';
import type { PictureQuestion } from '../../web/picture/draw-picture.ts';

const script = new URL('./workers/picture-worker.ts', import.meta.url);

/** Method of the query engine that pictures need. */
export type PictureEngine = Pick<QueryEngine, 'encodedReport'>;

/** Id of the caller in the list of running queries. */
const picturesCaller = 'pictures';
/** Share of the total below which a frame is narrower than a pixel. */
const trimFraction = 0.000_5;

/**
 * Creates a function that draws one picture after the other. A picture that was drawn lately is
 * returned again, as a message goes to several addresses, and is repeated.
 */
export function createPictureDrawer(clock: Clock, engine: PictureEngine): DrawPicture {
  const thread = new KeptThread(clock, {
    script,
    name: 'pictures',
    task: 'draw a picture',
    whyCancelled: 'it takes too long',
    heapBytesMax: memoryShare('importHeap', pictureHeapBytesMax),
    idleMillis: importThreadIdleMillis,
  });
  const queue = new FairQueue({
    clock,
    limits: {
      runningMax: 1,
      reserved: 0,
      waitingMax: picturesWaitingMax,
      waitingSizeMax: Infinity,
    },
    millisPerSize: pictureMillis,
    refuse: ({ waitingCount, retryAfterMillis }) =>
      new AppError('resource-exhausted', `cannot draw a picture: ${waitingCount} others wait`, {
        retryAfterMillis,
      }),
  });
  const kept = new Map<string, Uint8Array>();
  return async (asked, signal) => {
    const turn = await queue.take(picturesCaller, 1, signal);
    const startMillis = clock.monotonicMillis();
    try {
      const key = keyOf(asked);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const question = await askEngine(engine, asked, signal);
      const picture = await thread.ask<Uint8Array>(question, [], signal);
      kept.set(key, picture);
      const [oldest] = kept.keys();
      if (kept.size > picturesKeptMax && oldest !== undefined) kept.delete(oldest);
      return picture;
    } finally {
      turn.end(clock.monotonicMillis() - startMillis);
    }
  };
}

async function askEngine(
  engine: PictureEngine,
  { select, title, facts, foot }: AskedPicture,
  signal: AbortSignal,
): Promise<PictureQuestion> {
  const { bytes } = await engine.encodedReport(
    {
      // The page's code scales the base.
      select: { ...select, baseScale: 'none' },
      report: 'flame-graph',
      nodeTrimFraction: 0,
      rootTrimFraction: trimFraction,
      groupBy: [],
    },
    'message',
    { signal, caller: picturesCaller, tags: [picturesCaller] },
  );
  if (bytes.length > pictureAnswerBytesMax) {
    const why = `the graph has ${bytes.length} bytes, the limit is ${pictureAnswerBytesMax}`;
    throw new AppError('resource-exhausted', `cannot draw a picture: ${why}`);
  }
  return {
    answer: bytes,
    scale: select.baseScale === 'load' ? 'load' : 'seconds',
    isIncrease: parseQuery(select.compared.query).stages.some(({ kind }) => kind === 'increase'),
    title,
    facts,
    foot,
  };
}

/** Returns a string that is equal for equal pictures. */
function keyOf(asked: AskedPicture): string {
  return JSON.stringify(asked, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}
