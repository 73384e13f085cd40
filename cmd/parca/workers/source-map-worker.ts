// The thread that reads source maps: gives it the real disk, and a low priority.
import { createFiles } from '../../../src/base/node/files.ts';
import { lowerThreadPriority } from '../../../src/base/node/thread-priority.ts';
import { answerQuestion } from '../../../src/base/threads/ask-thread.ts';
import { answerByMap, type MapRequest } from '../../../src/symbolize/source-map/source-maps.ts';

lowerThreadPriority('background');
await answerQuestion((request) => answerByMap(createFiles(), request as MapRequest));
