// Work on the items of a list, a limited number at a time.

/**
 * Calls `work` for every item in order, with at most `count` unfinished at a time. Stops at the
 * first failure, waits for unfinished work, and rejects with the failure.
 */
export async function forEachAtOnce<T>(
  items: readonly T[],
  count: number,
  work: (item: T) => Promise<void> | undefined,
): Promise<void> {
  let next = 0;
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    while (next < items.length && !hasFailed) {
      const item = items[next];
      next += 1;
      try {
        const working = work(item);
        if (working !== undefined) await working;
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const workers = Array.from({ length: Math.min(count, items.length) }, worker);
  const results = await Promise.allSettled(workers);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
