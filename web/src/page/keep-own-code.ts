// Requests and stores the prefixes of own code: on the server, or else in this browser.
import { getJson } from '../rpc/json.ts';
import { isNotKept, sendJson } from '../rpc/send-json.ts';
import { serviceOf, sharedKey, sharedText, tasteKey } from './own-code.ts';
import { keepTaste } from './taste.ts';

/** Requests the prefixes that the server has stored. */
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
    // The last known prefixes remain.
  }
}

/**
 * Stores the prefixes for the service of a query. Returns true if they are on the server, where
 * everybody uses them. Errors: RpcError of a server that may accept them later.
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
