// Prefixes of own code that the user sets. They are stored for each service on the server, or in
// this browser if the server does not accept them.
import { serviceLabels } from '../../../src/model/service-labels.ts';
import { ownOfQuery, serviceOfQuery } from '../language/own-code.ts';
import { Store, useStore } from './store.ts';
import { readTaste } from './taste.ts';

/** Key of the server's last known prefixes, which a new visit uses until the server responds. */
export const sharedKey = 'own code of all';
/** The prefixes as a string: a line for each service, in the format of a URL's query. */
export const sharedText = new Store(readTaste(sharedKey) ?? '');

/** Returns the key under which this browser stores the prefixes of a service. */
export function tasteKey(service: string): string {
  return `own code of ${service}`;
}

/** Returns the service that a query selects; "" if there is none, or several. */
export function serviceOf(query: string): string {
  return serviceOfQuery(query, serviceLabels);
}

/**
 * Returns the prefixes of own code: from the query, or else from this browser, or else from the
 * server; none if rules decide.
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
