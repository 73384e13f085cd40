// Reads JSON of other servers: a value that is missing or has another type is read as empty.

export type Json = Readonly<Record<string, unknown>>;

export function mapAt(json: Json, key: string): Json {
  const value = json[key];
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

export function listAt(json: Json, key: string): readonly Json[] {
  const value = json[key];
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** Returns a string, a number or a boolean as a string; "" for any other value. */
export function stringAt(json: Json, key: string): string {
  const value = json[key];
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}

/** Returns the objects in an answer, which should be a list. */
export function readList(answer: unknown): readonly Json[] {
  return listAt({ answer }, 'answer');
}

/** Returns the strings in the list at `key`, without its other items; [] if it is not a list. */
export function stringsAt(json: Json, key: string): readonly string[] {
  const value = json[key];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
