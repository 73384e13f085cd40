// Replaces Node's worker_threads in the browser; the engine's code does not count as a worker.

export const workerData = null;
export const parentPort = null;
