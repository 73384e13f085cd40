// Reads the definition of own code from a query: the prefixes of its last `own` stage.

const quoted = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`/g;

/** Returns the prefixes of the last `own` stage; undefined if there is none. */
export function ownOfQuery(query: string): readonly string[] | undefined {
  const emptied = query.replace(quoted, (text) => `"${'_'.repeat(text.length - 2)}"`);
  const last = [...emptied.matchAll(/\|\s*own\s*\(([^)]*)\)/g)].at(-1);
  if (last === undefined) return undefined;
  const written = query.slice(last.index, last.index + last[0].length);
  return Array.from(written.matchAll(quoted), ([text]) => readQuoted(text));
}

/** Returns the string in quotes; the page escapes only quotes and backslashes. */
function readQuoted(text: string): string {
  const inner = text.slice(1, -1);
  return text.startsWith('`') ? inner : inner.replace(/\\(.)/g, '$1');
}

/** Returns the service that a query selects by one of `labels`; "" if there is none, or several. */
export function serviceOfQuery(query: string, labels: readonly string[]): string {
  for (const label of labels) {
    const found = new Set(
      Array.from(
        query.matchAll(new RegExp(`[{,<(\\s]${label}\\s*=\\s*"([^"\\\\]+)"`, 'g')),
        (one) => one[1],
      ),
    );
    if (found.size > 0) return found.size === 1 ? [...found][0] : '';
  }
  return '';
}
