// Sets environment variables of the test's process.
import type { TestContext } from 'node:test';

/** Values before the first change by the running test. */
const originals = new Map<string, string | undefined>();

/**
 * Sets environment variables of this process until the end of a test; undefined removes a variable.
 */
export function setVariables(
  t: TestContext,
  variables: Readonly<Record<string, string | undefined>>,
): void {
  for (const [name, value] of Object.entries(variables)) {
    if (!originals.has(name)) originals.set(name, process.env[name]);
    set(name, value);
  }
  t.after(() => {
    for (const [name, value] of originals) set(name, value);
    originals.clear();
  });
}

function set(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
