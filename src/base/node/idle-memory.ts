// Releases unused memory of the main thread while the server is idle.
import type { Clock, Timer } from '../clock.ts';
import {
  mainIdleBytesMax,
  mainIdleCpuMax,
  mainIdleHeapBytesMax,
  mainIdleMillis,
} from '../limits.ts';
import { createIdleCollector } from './memory.ts';
import { cpuMillisOfThread } from './turn-meter.ts';

/**
 * Releases memory whenever this thread is idle, until the returned function is called. V8 itself
 * waits until the heap has doubled, which takes hours in an idle server.
 */
export function collectWhenIdle(
  clock: Clock,
  collect: () => void = createIdleCollector(mainIdleBytesMax),
): () => void {
  let cpuMillis = cpuMillisOfThread();
  let timer: Timer;
  const look = (): void => {
    const now = cpuMillisOfThread();
    const isIdle = now - cpuMillis < mainIdleMillis * mainIdleCpuMax;
    if (isIdle && process.memoryUsage().heapUsed < mainIdleHeapBytesMax) collect();
    cpuMillis = cpuMillisOfThread();
    timer = clock.setTimer(mainIdleMillis, look);
  };
  timer = clock.setTimer(mainIdleMillis, look);
  return () => timer.cancel();
}
