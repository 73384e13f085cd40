// Environment variables in a config file: `${NAME}`, and `${NAME:-default}`.
import { type Document, isScalar, parseDocument, type Scalar, visit } from 'yaml';

export type Environment = Readonly<Record<string, string | undefined>>;

const variable = /\$?\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * Replaces variables in all values of a document. Each value is replaced separately, so that a
 * variable cannot add keys. `$${NAME}` stands for a literal `${NAME}`; references to groups of a
 * regular expression, such as `$1`, stay unchanged. Calls `report` with the position of a variable
 * that is not set and has no default.
 */
export function expandEnvironment(
  document: Document,
  environment: Environment,
  report: (message: string, offset: number) => void,
): void {
  visit(document, {
    Scalar(key, node) {
      const text = typeof node.value === 'string' ? node.value : '';
      if (key === 'key' || !text.includes('${')) return;
      const expanded = text.replace(variable, (whole, name: string, initial?: string) => {
        if (whole.startsWith('$$')) return whole.slice(1);
        const value = environment[name] ?? initial;
        if (value === undefined) {
          report(`the variable ${name} is not set`, node.range?.[0] ?? 0);
        }
        return value ?? '';
      });
      setText(node, expanded);
    },
  });
}

/**
 * Sets the value of a scalar. If the scalar has no quotes, text that looks like a number or a
 * boolean becomes one.
 */
function setText(node: Scalar, text: string): void {
  node.value = text;
  node.source = text;
  if (node.type !== 'PLAIN') return;
  const { contents, errors } = parseDocument(text);
  if (errors.length === 0 && isScalar(contents)) node.value = contents.value;
}
