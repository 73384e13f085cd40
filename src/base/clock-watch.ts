// Notices when the wall clock is set. Profile times, retention and compaction depend on the wall
// clock.
import type { Clock, Timer } from './clock.ts';
import { clockJumpMillisMin, clockLookMillis } from './limits.ts';
import type { Logger } from './logger.ts';

/** Logs each jump of the wall clock relative to the monotonic clock, until it is cancelled. */
export function watchClock(clock: Clock, logger: Logger): Timer {
  let wall = clock.nowMillis();
  let monotonic = clock.monotonicMillis();
  let timer: Timer;
  const look = (): void => {
    const nowWall = clock.nowMillis();
    const nowMonotonic = clock.monotonicMillis();
    const jumpMillis = nowWall - wall - (nowMonotonic - monotonic);
    if (Math.abs(jumpMillis) >= clockJumpMillisMin) {
      logger.warn('the clock was set, or the machine was suspended', {
        jumpSeconds: Math.round(jumpMillis / 100) / 10,
        before: new Date(nowWall - jumpMillis).toISOString(),
        now: new Date(nowWall).toISOString(),
      });
    }
    wall = nowWall;
    monotonic = nowMonotonic;
    timer = clock.setTimer(clockLookMillis, look);
  };
  timer = clock.setTimer(clockLookMillis, look);
  return { cancel: () => timer.cancel() };
}
