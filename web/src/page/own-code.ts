// Prefixes of own code that the reader sets: kept for each service on the server, and in this
// browser where the server takes none.
import { serviceLabels } from '../../../src/model/service-labels.ts';
import { ownOfQuery, serviceOfQuery } from '../language/own-code.ts';
import { getJson } from '../rpc/json.ts';
import { isNotKept, sendJson } from '../rpc/send-json.ts';
import { Store, useStore } from './store.ts';
import { keepTaste, readTaste } from './taste.ts';

/** Prefixes that the server gave last: a visit begins with them before it answers. */
const sharedKey = 'own code of all';
const sharedText = new Store(readTaste(sharedKey) ?? '');

function tasteKey(service: string): string {
  return `own code of ${service}`;
}

function serviceOf(query: string): string {
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

/** Requests the prefixes that the server has. */
export async function loadOwnPrefixes(base: string): Promise<void> {
  try {
    const { signal } = new AbortController();
    const answer = await getJson(base, 'own-code', new URLSearchParams(), { signal });
    const { services } = answer as {
      readonly services: readonly { service: string; prefixes: readonly string[] }[];
    };
    const lines = services.map(({ service, prefixes }) => {
      const fields = [['service', service], ...prefixes.map((prefix) => ['prefix', prefix])];
      return new URLSearchParams(fields).toString();
    });
    const text = lines.join('\n');
    keepTaste(sharedKey, text === '' ? undefined : text);
    sharedText.set(text);
  } catch {
    // The last ones stay.
  }
}

/**
 * Keeps the prefixes for the service of a query. Returns true if they are on the server, for
 * everybody. Errors: RpcError of a server that would take them at another time.
 */
export async function keepOwnPrefixes(
  base: string,
  query: string,
  prefixes: readonly string[],
): Promise<boolean> {
  const service = serviceOf(query);
  try {
    await sendJson(base, 'POST', 'own-code', { service, prefixes });
  } catch (error) {
    if (!isNotKept(error)) throw error;
    keepTaste(tasteKey(service), prefixes.length === 0 ? undefined : prefixes.join('\n'));
    return false;
  }
  keepTaste(tasteKey(service), undefined);
  await loadOwnPrefixes(base);
  return true;
}
