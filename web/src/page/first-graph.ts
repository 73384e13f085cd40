// Waits for the first graph, so that all other modules are loaded after it.

/** Longest wait; a slower graph does not delay the rest of the page. */
const longestMillis = 3_000;

const { promise, resolve } = Promise.withResolvers<void>();

/** Resolves when the first graph is visible, or when no graph is expected soon. */
export const firstGraph: Promise<void> = promise;

/** Ends the wait for the graph. */
export function noteFirstGraph(): void {
  performance.mark('first graph');
  resolve();
}

/** Starts to wait for the graph. */
export function expectFirstGraph(): void {
  setTimeout(noteFirstGraph, longestMillis);
}
