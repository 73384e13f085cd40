// Converts the headers of an answer into the form that vendors' clients expect.

/** Headers of an answer, by name in lower case. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Returns the headers with one value each. Several values of a header are joined. */
export function joinedHeaders(headers: AnswerHeaders): Record<string, string> {
  const all: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) all[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return all;
}
