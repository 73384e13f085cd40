// Thread with low priority that imports one large file.
import { type InputLimits, setInputLimits } from '../../../src/base/input-limits.ts';
import { lowerThreadPriority } from '../../../src/base/node/thread-priority.ts';
import { answerQuestion } from '../../../src/base/threads/ask-thread.ts';
import { type FileImport, importFile } from '../../../src/formats/import/import-file.ts';

interface Question {
  readonly file: FileImport;
  readonly limits: InputLimits;
}

lowerThreadPriority('background');
await answerQuestion(async (question) => {
  const { file, limits } = question as Question;
  setInputLimits(limits);
  return importFile(file);
});
