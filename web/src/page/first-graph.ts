// Waits for the first graph, so that all other modules are loaded after it.

/** Longest wait; a slower graph does not delay the rest of the page. */
const longestMillis = 3_000;

const { promise, resolve } = Promise.withResolvers<void>();

/** Resolves when the first graph is visible, or when no graph is expected soon. */
export const firstGraph: Promise<void> = promise;

/** Time for modules in one task, so that the page stays responsive while they are loaded. */
const sliceMillis = 5;

let turns = firstGraph;
let sliceEnd = 0;

/** Resolves after the first graph when it is the caller's turn to load a module. */
export function nextTurn(): Promise<void> {
  turns = turns.then(async () => {
    if (performance.now() < sliceEnd) return;
    await new Promise((resume) => setTimeout(resume));
    sliceEnd = performance.now() + sliceMillis;
  });
  return turns;
}

/** Ends the wait for the graph. */
export function noteFirstGraph(): void {
  performance.mark('first graph');
  resolve();
}

/**
 * Starts to wait for the graph. A press ends the wait, because it may open a part that is loaded
 * afterwards.
 */
export function expectFirstGraph(): void {
  setTimeout(noteFirstGraph, longestMillis);
  addEventListener('pointerdown', () => resolve(), { once: true, capture: true });
}
