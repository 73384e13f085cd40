// How the page asks: what ends a question, and by which tag the server lists it while it runs.

export interface Asking {
  /** Aborted when the answer is not wanted any more; the server then stops working on it. */
  readonly signal: AbortSignal;
  /** Absent where nobody follows the progress. */
  readonly tag?: string | undefined;
}

/** The header of a tag, see docs/api.md. */
export function tagHeaders({ tag }: Asking): Readonly<Record<string, string>> {
  return tag === undefined ? {} : { 'parca-query-tag': tag };
}

/** Tells this page from others; `randomUUID` is not there without TLS. */
const page = crypto.getRandomValues(new BigUint64Array(1))[0].toString(36);
let lastNumber = 0;

/** A tag that no other question has. */
export function newTag(): string {
  lastNumber += 1;
  return `${page}.${lastNumber}`;
}
