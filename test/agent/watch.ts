// Measures the longest time for which an agent does not respond.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestAgent } from './support.ts';

/** A running watch. */
export interface Watch {
  /** Ends the watch; resolves to the longest time in milliseconds. */
  stop(): Promise<number>;
}

/**
 * Requests the agent's status again and again. Does not count the time for which the agent's
 * threads or the test's thread waited for a CPU.
 */
export function watch(agent: TestAgent): Watch {
  let isStopped = false;
  const run = async (): Promise<number> => {
    let longest = 0;
    while (!isStopped) {
      const [start, waited] = [performance.now(), waitedMillis(agent.pid)];
      await agent.status();
      const millis = performance.now() - start - (waitedMillis(agent.pid) - waited);
      longest = Math.max(longest, millis);
      await sleep(20);
    }
    return longest;
  };
  const running = run();
  return {
    stop: () => {
      isStopped = true;
      return running;
    },
  };
}

/**
 * Returns the time for which threads of the agent and the first thread of the test waited for a
 * CPU.
 */
function waitedMillis(pid: number): number {
  const ofThread = (id: number | string, thread: number | string): number =>
    Number(readFileSync(`/proc/${id}/task/${thread}/schedstat`, 'latin1').split(' ')[1]) / 1e6;
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce(
    (sum, thread) => sum + ofThread(pid, thread),
    ofThread(process.pid, process.pid),
  );
}
