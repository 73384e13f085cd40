// Thread that imports small files one after another.
import { type InputLimits, setInputLimits } from '../../../src/base/input-limits.ts';
import { lowerThreadPriority } from '../../../src/base/node/thread-priority.ts';
import { answerQuestions } from '../../../src/base/threads/kept-thread.ts';
import { type FileImport, importFile } from '../../../src/formats/import/import-file.ts';

interface Question {
  readonly file: FileImport;
  readonly limits: InputLimits;
}

lowerThreadPriority('awaited');
answerQuestions(async (question) => {
  const { file, limits } = question as Question;
  setInputLimits(limits);
  return importFile(file);
});
