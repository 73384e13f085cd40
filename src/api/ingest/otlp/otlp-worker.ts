// The thread that reads one large OTLP request.
import { type InputLimits, setInputLimits } from '../../../base/input-limits.ts';
import { answerQuestion } from '../../../base/threads/ask-thread.ts';
import { decodeOtlpBody } from './otlp-body.ts';

interface Question {
  readonly body: Uint8Array;
  readonly isJson: boolean;
  readonly limits: InputLimits;
}

await answerQuestion(async (question) => {
  const { body, isJson, limits } = question as Question;
  setInputLimits(limits);
  return decodeOtlpBody(body, isJson);
});
