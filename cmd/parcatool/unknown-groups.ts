// Finds labels that a query groups by and that none of its profiles has.
import { AppError } from '../../src/base/errors.ts';
import { parseQuery } from '../../src/promql-like/parse.ts';
import { printSelector } from '../../src/promql-like/print.ts';
import type { Selector } from '../../src/promql-like/query.ts';
import { printable } from '../../src/base/text/printable.ts';
import { field, getJson, listOf, textOf } from './client.ts';
import { insteadOf } from './explain-nothing.ts';
import type { Profiles } from './profiles-of.ts';

/** Warns of unknown labels of `by`; says nothing where the server cannot tell. */
export async function warnOfGroups(profiles: Profiles): Promise<void> {
  for (const sentence of await unknownGroups(profiles)) profiles.client.warn?.(sentence);
}

/** Returns true for a warning about a label of `by`. */
export function isAboutGroups(sentence: string): boolean {
  return sentence.startsWith('by (');
}

async function unknownGroups(profiles: Profiles): Promise<string[]> {
  const { client, query, from, to } = profiles;
  const { operand, stages } = parseQuery(query);
  const wanted = stages.flatMap((stage) =>
    stage.kind === 'by'
      ? stage.names.flatMap(({ kind, name }) => (kind === 'label' ? [name] : []))
      : [],
  );
  if (wanted.length === 0) return [];
  const selector = operand.kind === 'diff' ? operand.compared.selector : operand;
  const names = await labelNames(client, selector, { start: from, end: to });
  if (names === undefined) return [];
  return wanted
    .filter((name) => !names.includes(name))
    .map((name) => {
      const what = `by (${name}) groups nothing: no profile of the query has this label`;
      return printable(`${what}, ${insteadOf(name, [...names, ...frameWords])}`);
    });
}

/** Words of `by` that are no labels. */
const frameWords = ['function', 'file', 'binary', 'address'];

async function labelNames(
  client: Profiles['client'],
  { profile, matchers }: Selector,
  range: { readonly start: string; readonly end: string },
): Promise<string[] | undefined> {
  try {
    const match = [printSelector({ profile, matchers })];
    const json = await getJson(client, '/api/profiles/labels', { ...range, match });
    return listOf(field(json, 'labelNames')).map(textOf);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
