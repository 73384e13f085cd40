// The thread that extracts the ids of stacks from a large message.
import { type InputLimits, setInputLimits } from '../../../base/input-limits.ts';
import { answerQuestion } from '../../../base/threads/ask-thread.ts';
import { answerStackIds } from '../../../formats/parca-arrow/encode-stack-ids.ts';

interface Question {
  readonly samples: Uint8Array;
  readonly limits: InputLimits;
}

await answerQuestion(async (question) => {
  const { samples, limits } = question as Question;
  setInputLimits(limits);
  return answerStackIds(samples);
});
