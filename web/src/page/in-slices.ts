// Updates the page without a long task.
import { startTransition } from 'react';

/**
 * Time for an update in slices. A moving pointer makes React begin the slices again, so later an
 * update is made at once.
 */
const slicedMillisMax = 100;

/**
 * Makes an update in slices, and once more at once if `signal` is not aborted before. So `update`
 * sets states to the same objects each time.
 */
export function updateInSlices(update: () => void, signal: AbortSignal): void {
  startTransition(update);
  setTimeout(() => {
    if (!signal.aborted) update();
  }, slicedMillisMax);
}
