// Node's threads on a page, where this worker is not one of them.

export const workerData = null;
export const parentPort = null;
