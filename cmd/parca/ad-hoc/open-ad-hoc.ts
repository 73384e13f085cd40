// Opens the stores for the data that Pyroscope's clients keep on the server: settings and files.
import { join } from 'node:path';
import type { AdHocAnswer, AnswerAdHoc } from '../../../src/api/query/pyroscope/ad-hoc-service.ts';
import type { KeptForClients } from '../../../src/api/query/pyroscope/pyroscope-methods.ts';
import { inputLimits } from '../../../src/base/input-limits.ts';
import {
  adHocAgeMillisMax,
  adHocBytesInAllMax,
  adHocThreadsMax,
  importHeapBytesMax,
} from '../../../src/base/limits.ts';
import { memoryShare } from '../../../src/base/memory-limit.ts';
import { Slots } from '../../../src/base/slots.ts';
import { askThread } from '../../../src/base/threads/ask-thread.ts';
import { openAppSettings } from '../../../src/shares/app-settings.ts';
import { adHocProfiles, ShareStore } from '../../../src/shares/share-store.ts';
import type { Machine } from '../../machine.ts';

const script = new URL('./ad-hoc-worker.ts', import.meta.url);

/** Opened stores, and a function that stops their timers. */
export interface OpenKept extends KeptForClients {
  stop(): void;
}

/** Opens the stores in a folder, which is created if it is missing. Errors: I/O errors. */
export async function openKept(machine: Machine, path: string): Promise<OpenKept> {
  const limits = { bytesMax: adHocBytesInAllMax, ageMillisMax: adHocAgeMillisMax };
  const profiles = await ShareStore.open({ ...machine, path, limits, kind: adHocProfiles });
  const settings = await openAppSettings({ ...machine, path: join(path, 'settings.json') });
  const answer = createAnswer();
  return { settings, adHoc: { profiles, answer }, stop: () => profiles.stop() };
}

/** Creates a function that builds flame graphs in a thread, one after another. */
function createAnswer(): AnswerAdHoc {
  const threads = new Slots(adHocThreadsMax);
  return (asked, signal) => {
    return threads.run(() => {
      const thread = {
        script,
        name: 'ad-hoc',
        task: 'read profile',
        whyCancelled: 'it takes too long',
        heapBytesMax: memoryShare('importHeap', importHeapBytesMax),
      };
      const question = { asked, limits: { ...inputLimits } };
      return askThread<AdHocAnswer>(thread, question, signal);
    }, signal);
  };
}
