// Sends requests to the HTTP/JSON API.
import assert from 'node:assert/strict';

type Parameters = Readonly<Record<string, string | readonly string[]>>;

/** Sends `GET <server>/api<path>?<parameters>`; returns the body. The status must be 200. */
export function getText(url: string, path: string, parameters: Parameters): Promise<string> {
  return text('GET', url, path, parameters);
}

/** Does the same as `getText`, but with POST. */
export function postText(url: string, path: string, parameters: Parameters): Promise<string> {
  return text('POST', url, path, parameters);
}

async function text(
  method: 'GET' | 'POST',
  url: string,
  path: string,
  parameters: Parameters,
): Promise<string> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of typeof value === 'string' ? [value] : value) query.append(name, one);
  }
  const response = await fetch(`${url}/api${path}?${query}`, { method });
  const body = await response.text();
  assert.equal(response.status, 200, `${method} ${path}: ${body.slice(0, 500)}`);
  return body;
}

/** One line of a metrics graph in JSON form. */
export interface JsonSeries {
  readonly labelset: { readonly labels: readonly { name: string; value: string }[] };
  readonly samples: readonly { timestamp: string; value: string; count: number }[];
}

/**
 * Calls QueryRange with one bucket for the whole range; returns the value of each series, by the
 * value of the label `by`.
 */
export async function sumBy(
  url: string,
  options: { query: string; from: Date; to: Date; by: string },
): Promise<Map<string, { value: bigint; count: number }>> {
  const { from, to } = options;
  const text = await getText(url, '/profiles/query_range', {
    query: options.query,
    start: from.toISOString(),
    end: to.toISOString(),
    step: '864000s',
    sumBy: [options.by],
  });
  const series = (JSON.parse(text) as { series: readonly JsonSeries[] }).series;
  const sums = new Map<string, { value: bigint; count: number }>();
  for (const { labelset, samples } of series) {
    const key = labelset.labels.find((label) => label.name === options.by)?.value ?? '';
    let value = 0n;
    let count = 0;
    for (const sample of samples) {
      value += BigInt(sample.value ?? 0);
      count += sample.count ?? 0;
    }
    assert.ok(!sums.has(key), `series ${key} came twice`);
    sums.set(key, { value, count });
  }
  return sums;
}

/**
 * Returns merged stacks with their values, one per line, sorted so that the order does not depend
 * on the store.
 */
export async function mergedStacks(
  url: string,
  options: { query: string; from: Date; to: Date },
): Promise<string> {
  const text = await getText(url, '/v1/export', {
    query: options.query,
    start: options.from.toISOString(),
    end: options.to.toISOString(),
    format: 'collapsed',
  });
  return text.split('\n').sort().join('\n');
}
