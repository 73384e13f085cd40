// The signal that ends a request, and the tag under which the server lists it.

export interface Asking {
  /** Aborted when the answer is no longer wanted; the server then stops working on it. */
  readonly signal: AbortSignal;
  /** Name of the query for its progress; absent if its progress is not shown. */
  readonly tag?: string | undefined;
}

/** Returns the header of a tag, see docs/api.md. */
export function tagHeaders({ tag }: Asking): Readonly<Record<string, string>> {
  return tag === undefined ? {} : { 'parca-query-tag': tag };
}

/** Distinguishes this page from others; browsers lack `randomUUID` without TLS. */
const page = crypto.getRandomValues(new BigUint64Array(1))[0].toString(36);
let lastNumber = 0;

/** Returns a tag that no other question has. */
export function newTag(): string {
  lastNumber += 1;
  return `${page}.${lastNumber}`;
}
