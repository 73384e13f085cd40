// Marks the moment of the first graph, after which everything that it does not need is loaded.

/** Longest wait: a slower graph does not delay the rest of the page. */
const longestMillis = 3_000;

const { promise, resolve } = Promise.withResolvers<void>();

/** Resolves when the first graph is on the page, or when none will be soon. */
export const firstGraph: Promise<void> = promise;

/** Notes that the graph is there, or that the page no longer waits for it. */
export function noteFirstGraph(): void {
  performance.mark('first graph');
  resolve();
}

/** Begins to wait for the graph. */
export function expectFirstGraph(): void {
  setTimeout(noteFirstGraph, longestMillis);
}
