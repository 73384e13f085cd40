// A thread for tests. Depending on the question, it answers with the question and the number of
// questions so far, fails, uses more and more memory, or does not answer.
import { AppError } from '../../errors.ts';
import { answerQuestions } from '../kept-thread.ts';

let count = 0;
answerQuestions(async (question) => {
  const { text, bytes } = question as { readonly text: string; readonly bytes?: Uint8Array };
  count += 1;
  if (text === 'fail') throw new AppError('invalid-argument', 'cannot fail');
  if (text === 'never') await new Promise(() => undefined);
  const all = [];
  while (text === 'grow') all.push({ a: [1, 2, 3] });
  return `${text} ${count}${bytes === undefined ? '' : ` of ${bytes.length} bytes`}`;
});
