// Tests that frames of a minified bundle get their original names once its source map is uploaded.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bundleSources, makeBundle } from '../../../src/symbolize/testing/make-bundle.ts';
import { type FilledServer, startFilledServer } from '../../support/filled-server.ts';
import { encodeLineProfile, type LineFrame } from '../../support/profiles/line-profile.ts';

const debugId = '85314830-023f-4cf1-a267-535f4e37bb17';
const millis = 1_790_000_000_000;
const script = '/app/dist/app.mjs';
const range = {
  start: new Date(millis - 1_000).toISOString(),
  end: new Date(millis + 1_000).toISOString(),
};

const { stack, map } = await makeBundle(true);
const frames: LineFrame[] = stack.slice(0, 3).map((frame) => ({ ...frame, file: script }));
const timeNanos = BigInt(millis) * 1_000_000n;
const server: FilledServer = await startFilledServer([], async (push) => {
  const samples: [number, ...LineFrame[]][] = [[7, ...frames]];
  const buildId = debugId.replaceAll('-', '');
  await push({ __name__: 'browser' }, encodeLineProfile({ timeNanos, buildId, samples }));
  await push({ __name__: 'node' }, encodeLineProfile({ timeNanos, buildId: '', samples }));
});
after(() => server.stop());

/** Returns the stacks of the first answer as strings. */
async function stacks(name: string): Promise<string> {
  const query = `${name}:samples:count:cpu:nanoseconds:delta{}`;
  const wait = { 'symbolizer-wait': '60' };
  const parameters = new URLSearchParams({ query, ...range, format: 'collapsed', ...wait });
  const response = await fetch(`${server.url}/api/v1/export?${parameters}`);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  assert.equal(response.headers.get('parca-warnings'), null);
  return text.trim();
}

async function upload(id: string, body: string): Promise<[number, string]> {
  const parameters = new URLSearchParams({ build_id: id, type: 'source-map' });
  const url = `${server.url}/api/v1/debuginfo?${parameters}`;
  const response = await fetch(url, { method: 'POST', body });
  return [response.status, await response.text()];
}

async function askForSource(buildId: string, fileName: string): Promise<{ source?: string }> {
  const parameters = new URLSearchParams({
    mode: 'MODE_MERGE',
    'merge.query': 'browser:samples:count:cpu:nanoseconds:delta{}',
    'merge.start': range.start,
    'merge.end': range.end,
    report_type: 'REPORT_TYPE_SOURCE',
    'source_reference.build_id': buildId,
    'source_reference.filename': fileName,
  });
  const response = await fetch(`${server.url}/api/profiles/query?${parameters}`);
  return ((await response.json()) as { source: { source?: string } }).source;
}

const bundled = frames.map(({ name }) => name).reverse();
const original = 'retries;bookEntry;describeFailure 7';

test('a map by debug id names the frames of its bundle, and has their sources', async () => {
  assert.equal(await stacks('browser'), `${bundled.join(';')} 7`);
  const [code, refusal] = await upload(debugId, '{"version":3,"sources":[],"mappings":7}');
  assert.match(`${code} ${refusal}`, /^400 .*cannot read the source map: it has no mappings/);
  assert.equal(await stacks('browser'), `${bundled.join(';')} 7`);

  assert.equal((await upload(debugId, map))[0], 200);
  assert.equal(await stacks('browser'), original);
  const { source } = await askForSource(debugId.replaceAll('-', ''), 'ledger.ts');
  assert.equal(source, bundleSources['ledger.ts']);
});

test('a map by the name of its bundle names frames without a build id', async () => {
  assert.equal(await stacks('node'), `${bundled.join(';')} 7`);
  assert.equal((await upload(script, map))[0], 200);
  assert.equal(await stacks('node'), original);
});
