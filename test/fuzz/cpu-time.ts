// Measures CPU time, which does not depend on other programs on the machine.

const triesMax = 5;

/**
 * Calls `run` and returns its result. Throws only if several runs in a row take more than
 * `millisMax` of the thread's CPU time, because compilation or garbage collection may prolong one.
 */
export async function withinCpuTime<T>(millisMax: number, run: () => T | Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const start = process.threadCpuUsage();
    const result = await run();
    const { user, system } = process.threadCpuUsage(start);
    const millis = (user + system) / 1000;
    if (millis <= millisMax) return result;
    if (tries === triesMax) throw new Error(`took ${millis.toFixed(0)} ms, limit ${millisMax}`);
  }
}
