// Measures the CPU time of each turn of the event loop, and logs the work of a long turn.
//
// A turn ends where immediates run. An unreferenced immediate costs the event loop 0.2 us, and does
// not keep it from sleeping. Wall time cannot be used: within a turn the loop may sleep, or wait
// for a core on a busy machine.
import { longTurnMillis, longTurnLogMillis, longTurnWorkMax, shortTurnMillis } from '../limits.ts';
import type { Logger } from '../logger.ts';
import type { Metrics } from '../metrics.ts';
import { endTurn, workOfTurn } from '../work.ts';

const secondsBuckets = [0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2.5, 10];
/** Shorter turns are measured together, to save system calls. */
const measuredMillis = 1;

/** The clocks of a thread. */
export interface ThreadTime {
  /** Returns milliseconds of a clock that never goes back. */
  readonly wallMillis: () => number;
  /** Returns the CPU time of the thread so far, in milliseconds. */
  readonly cpuMillis: () => number;
}

const thisThread: ThreadTime = {
  wallMillis: () => performance.now(),
  cpuMillis: cpuMillisOfThread,
};

/**
 * Starts to measure the turns of this thread, until the returned function is called.
 *
 * A turn of more than `longTurnMillis` is logged with the calls and jobs of that time.
 */
export function meterTurns(metrics: Metrics, logger: Logger, time = thisThread): () => void {
  const turns = metrics.histogram(
    'parca_event_loop_turn_cpu_seconds',
    `CPU time of turns of the main thread's event loop, of ${shortTurnMillis} ms or more.`,
    secondsBuckets,
  );
  let longestMillis = 0;
  metrics.observedGauge(
    'parca_event_loop_longest_turn_cpu_seconds',
    "CPU time of the longest turn of the main thread's event loop since the start.",
    () => longestMillis / 1000,
  );
  let isStopped = false;
  let wallMillis = time.wallMillis();
  let cpuMillis = time.cpuMillis();
  let loggedMillis = -Infinity;
  const end = (cpu: number, now: number): void => {
    if (cpu < shortTurnMillis) return;
    turns.observe(cpu / 1000);
    const isLongest = cpu > longestMillis;
    if (isLongest) longestMillis = cpu;
    if (cpu < longTurnMillis || (!isLongest && now - loggedMillis < longTurnLogMillis)) return;
    loggedMillis = now;
    logger.warn('the event loop was held up', {
      cpuMillis: Math.round(cpu),
      work: workOfTurn(longTurnWorkMax),
    });
  };
  const onTurn = (): void => {
    if (isStopped) return;
    const now = time.wallMillis();
    if (now - wallMillis >= measuredMillis) {
      const cpu = time.cpuMillis();
      end(cpu - cpuMillis, now);
      cpuMillis = cpu;
      wallMillis = now;
    }
    endTurn();
    setImmediate(onTurn).unref();
  };
  setImmediate(onTurn).unref();
  return () => void (isStopped = true);
}

/** Returns the CPU time of this thread so far. */
export function cpuMillisOfThread(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
