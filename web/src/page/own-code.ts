// Prefixes of own code that the reader sets, kept for each service.
import { serviceLabels } from '../../../src/model/service-labels.ts';
import { ownOfQuery, serviceOfQuery } from '../language/own-code.ts';
import { keepTaste, readTaste } from './taste.ts';

function tasteKey(query: string): string {
  return `own code of ${serviceOfQuery(query, serviceLabels)}`;
}

/** Returns the prefixes of own code: those of the query, else those kept; none if rules decide. */
export function ownPrefixes(query: string): readonly string[] {
  return ownOfQuery(query) ?? readTaste(tasteKey(query))?.split('\n') ?? [];
}

/** Keeps the prefixes for the service of a query. */
export function keepOwnPrefixes(query: string, prefixes: readonly string[]): void {
  keepTaste(tasteKey(query), prefixes.length === 0 ? undefined : prefixes.join('\n'));
}
