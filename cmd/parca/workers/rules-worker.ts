// Thread that parses relabeling rules for callers of the API.
import { lowerThreadPriority } from '../../../src/base/node/thread-priority.ts';
import { answerQuestions } from '../../../src/base/threads/kept-thread.ts';
import { readTestedRules } from '../../../src/scrape/relabel-steps.ts';

lowerThreadPriority('background');
answerQuestions(async (yaml) => readTestedRules(String(yaml)));
