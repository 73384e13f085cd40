// Reading JSON whose shape is not known: what is absent or of another kind is empty.

/** The value behind a path of names. */
export function field(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = new Map<string, unknown>(Object.entries(found)).get(name);
  }
  return found;
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** An int64, which the API writes as text. */
export function int64Of(value: unknown): bigint {
  return /^-?\d+$/.test(textOf(value)) ? BigInt(textOf(value)) : 0n;
}
