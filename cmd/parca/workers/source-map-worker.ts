// Thread with low priority that reads source maps from the real disk.
import { createFiles } from '../../../src/base/node/files.ts';
import { lowerThreadPriority } from '../../../src/base/node/thread-priority.ts';
import { answerQuestion } from '../../../src/base/threads/ask-thread.ts';
import type { MapRequest } from '../../../src/symbolize/source-map/map-reader.ts';
import { answerByMap } from '../../../src/symbolize/source-map/source-maps.ts';

lowerThreadPriority('background');
await answerQuestion((request) => answerByMap(createFiles(), request as MapRequest));
