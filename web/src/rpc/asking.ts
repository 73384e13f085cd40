// A signal that ends a request, and a tag under which the server lists it.

export interface Asking {
  /** Aborted when the answer is no longer needed; the server then stops its work. */
  readonly signal: AbortSignal;
  /** Name of the query for its progress; absent if the progress is not shown. */
  readonly tag?: string | undefined;
}

/** Returns the header of a tag, see docs/api.md. */
export function tagHeaders({ tag }: Asking): Readonly<Record<string, string>> {
  return tag === undefined ? {} : { 'parca-query-tag': tag };
}

/** String that identifies this page; without TLS, browsers do not have `randomUUID`. */
const page = crypto.getRandomValues(new BigUint64Array(1))[0].toString(36);
let lastNumber = 0;

/** Returns a unique tag. */
export function newTag(): string {
  lastNumber += 1;
  return `${page}.${lastNumber}`;
}
