// The thread that converts one large JSON request to a message.
import { type InputLimits, setInputLimits } from '../../../base/input-limits.ts';
import { answerQuestion } from '../../../base/threads/ask-thread.ts';
import { messageOfJson } from './json-body.ts';

interface Question {
  readonly path: string;
  readonly body: Uint8Array;
  readonly limits: InputLimits;
}

await answerQuestion(async (question) => {
  const { path, body, limits } = question as Question;
  setInputLimits(limits);
  return messageOfJson(path, body);
});
