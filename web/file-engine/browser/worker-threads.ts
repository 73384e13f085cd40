// Node's worker threads in the browser; this code does not count as a worker.

export const workerData = null;
export const parentPort = null;
