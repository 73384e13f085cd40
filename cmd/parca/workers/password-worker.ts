// Thread with low priority that compares a password with a bcrypt hash.
import bcrypt from 'bcryptjs';
import { lowerThreadPriority } from '../../../src/base/node/thread-priority.ts';
import { answerQuestion } from '../../../src/base/threads/ask-thread.ts';

interface Question {
  readonly password: string;
  readonly hash: string;
}

lowerThreadPriority('background');
await answerQuestion(async (question) => {
  const { password, hash } = question as Question;
  return bcrypt.compareSync(password, hash);
});
