// The types of lock.mjs for TypeScript.
export function withLock<T>(path: string, work: () => Promise<T>): Promise<T>;
