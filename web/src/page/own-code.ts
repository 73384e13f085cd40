// Prefixes of own code that the reader sets: kept for each service on the server, and in this
// browser where the server takes none.
import { serviceLabels } from '../../../src/model/service-labels.ts';
import { ownOfQuery, serviceOfQuery } from '../language/own-code.ts';
import { Store, useStore } from './store.ts';
import { readTaste } from './taste.ts';

/** Prefixes that the server gave last: a visit begins with them before it answers. */
export const sharedKey = 'own code of all';
/** Text of them: a service with its prefixes a line, as in the query of a URL. */
export const sharedText = new Store(readTaste(sharedKey) ?? '');

/** Returns the key of the prefixes that this browser keeps for a service. */
export function tasteKey(service: string): string {
  return `own code of ${service}`;
}

/** Returns the service of a query; "" for none, or several. */
export function serviceOf(query: string): string {
  return serviceOfQuery(query, serviceLabels);
}

/**
 * Returns the prefixes of own code: those of the query, else those of this browser, else those of
 * the server; none if rules decide.
 */
export function useOwnPrefixes(query: string): readonly string[] {
  const shared = useStore(sharedText);
  return ownOfQuery(query) ?? readTaste(tasteKey(serviceOf(query)))?.split('\n') ?? find();

  function find(): readonly string[] {
    const service = serviceOf(query);
    const all = shared.split('\n').map((line) => new URLSearchParams(line));
    return all.find((one) => one.get('service') === service)?.getAll('prefix') ?? [];
  }
}
