// Thread with low priority that reads uploaded files and builds a flame graph from them.
import type { AdHocQuestion } from '../../../src/api/query/pyroscope/ad-hoc-service.ts';
import { type InputLimits, setInputLimits } from '../../../src/base/input-limits.ts';
import { createClock } from '../../../src/base/node/clock.ts';
import { createRandom } from '../../../src/base/node/random.ts';
import { lowerThreadPriority } from '../../../src/base/node/thread-priority.ts';
import { answerQuestion } from '../../../src/base/threads/ask-thread.ts';
import { answerAdHoc } from './answer-ad-hoc.ts';

interface Question {
  readonly asked: AdHocQuestion;
  readonly limits: InputLimits;
}

lowerThreadPriority('background');
await answerQuestion((question) => {
  const { asked, limits } = question as Question;
  setInputLimits(limits);
  const host = { clock: createClock(), random: createRandom() };
  // The signal never aborts, because the work ends when the thread is terminated.
  return answerAdHoc(asked, host, new AbortController().signal);
});
