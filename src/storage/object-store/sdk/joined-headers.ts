// Headers of an answer in the form that vendors' clients expect.

/** Headers of an answer by names in lower case. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Returns headers, each with one value. */
export function joinedHeaders(headers: AnswerHeaders): Record<string, string> {
  const all: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) all[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return all;
}
