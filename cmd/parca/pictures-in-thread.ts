// Draws pictures of comparisons. Gets the report from the engine, and draws it in a thread that is
// kept.
import type { Clock } from '../../src/base/clock.ts';
import { AppError } from '../../src/base/errors.ts';
import { FairQueue } from '../../src/base/fair-queue.ts';
import {
  pictureAnswerBytesMax,
  pictureHeapBytesMax,
  pictureMillis,
  picturesWaitingMax,
  importThreadIdleMillis,
} from '../../src/base/limits.ts';
import { memoryShare } from '../../src/base/memory-limit.ts';
import { KeptThread } from '../../src/base/threads/kept-thread.ts';
import { areNamesPending } from '../../src/model/name-gaps.ts';
import { parseQuery } from '../../src/promql-like/parse.ts';
import type {
  AnswerSharing,
  AskedPicture,
  DrawPicture,
  EncodedAnswer,
  ProfileSelector,
  QueryCaller,
  QueryEngine,
} from '../../src/query/interface.ts';
import type { PictureQuestion } from '../../web/picture/draw-picture.ts';

const script = new URL('./workers/picture-worker.ts', import.meta.url);

/** Method of the query engine that pictures need. */
export type PictureEngine = Pick<QueryEngine, 'encodedReport'>;

/** Share of the total below which a frame is narrower than a pixel. */
const trimFraction = 0.000_5;

/**
 * Creates a function that draws one picture after the other. Equal pictures are drawn once while
 * their data is unchanged, as a message goes to several addresses, and is repeated.
 */
export function createPictureDrawer(
  clock: Clock,
  engine: PictureEngine,
  answers: AnswerSharing,
): DrawPicture {
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
  const drawAlone = async (asked: AskedPicture, caller: QueryCaller): Promise<EncodedAnswer> => {
    const turn = await queue.take(caller.caller ?? '', 1, caller.signal);
    const startMillis = clock.monotonicMillis();
    try {
      const { question, isWhole } = await askEngine(engine, asked, caller);
      return { bytes: await thread.ask(question, [], caller.signal), isWhole };
    } finally {
      turn.end(clock.monotonicMillis() - startMillis);
    }
  };
  return (asked, caller) =>
    answers.once({ picture: asked }, caller, (own) => drawAlone(asked, own));
}

async function askEngine(
  engine: PictureEngine,
  { select, title, foot }: AskedPicture,
  caller: QueryCaller,
): Promise<{ readonly question: PictureQuestion; readonly isWhole: boolean }> {
  const query = parseQuery(select.compared.query);
  const { bytes, missing, nameGaps } = await engine.encodedReport(
    {
      // The page's code scales the base.
      select: { ...select, baseScale: 'none' },
      report: 'flame-graph',
      nodeTrimFraction: 0,
      rootTrimFraction: trimFraction,
      groupBy: [],
    },
    'message',
    caller,
  );
  if (bytes.length > pictureAnswerBytesMax) {
    const why = `the graph has ${bytes.length} bytes, the limit is ${pictureAnswerBytesMax}`;
    throw new AppError('resource-exhausted', `cannot draw a picture: ${why}`);
  }
  const isWhole = missing.length === 0 && !areNamesPending(nameGaps);
  const question: PictureQuestion = {
    answer: bytes,
    scale:
      select.baseScale === 'load' || select.baseScale === 'total' ? select.baseScale : 'seconds',
    isIncrease: query.stages.some(({ kind }) => kind === 'increase'),
    title,
    facts: [
      select.compared.query,
      query.operand.kind === 'diff' && select.base === undefined
        ? `${describeTime(select.compared)} (UTC)`
        : describeTimes(select.compared, select.base ?? timeBefore(select.compared)),
    ],
    foot,
  };
  return { question, isWhole };
}

function describeTimes(compared: ProfileSelector, base: ProfileSelector): string {
  return `Now ${describeTime(compared)}, compared with ${describeTime(base)} (UTC)`;
}

/**
 * Returns a selector for the time of the same length right before, which the engine uses as the
 * base.
 */
function timeBefore(compared: ProfileSelector): ProfileSelector {
  if (compared.mode === 'single') return compared;
  const { from, to } = compared.range;
  return { ...compared, range: { from: from - (to - from) - 1n, to: from - 1n } };
}

/** Length of `2026-01-31 `. */
const dayLength = 11;

function describeTime(side: ProfileSelector): string {
  if (side.mode === 'single') return formatTime(side.timeNanos);
  const [from, to] = [side.range.from, side.range.to].map(formatTime);
  return `${from} to ${to.startsWith(from.slice(0, dayLength)) ? to.slice(dayLength) : to}`;
}

/**
 * Returns a time such as `2026-01-31 09:05:00`. It is rounded, because a range ends with its last
 * nanosecond.
 */
function formatTime(nanos: bigint): string {
  const millis = Math.round(Number(nanos) / 1e6);
  return new Date(millis).toISOString().slice(0, 19).replace('T', ' ');
}
