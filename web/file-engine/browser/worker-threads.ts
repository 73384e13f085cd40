// Threads of Node on a page: this worker is not one of them.

export const workerData = null;
export const parentPort = null;
