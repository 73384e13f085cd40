// Tests reflection as grpcurl uses it: list, describe, and a call that needs the descriptors.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { services } from '../../proto/gen/descriptors.ts';
import { type TestApi, startApi } from '../support/api.ts';
import { testTool } from '../support/tools.ts';

const run = promisify(execFile);
let server: TestApi;

before(async () => {
  server = await startApi();
});

after(() => server.close());

async function grpcurl(...args: string[]): Promise<string> {
  const options = ['-plaintext', ...args.filter((arg) => arg.startsWith('-'))];
  const rest = args.filter((arg) => !arg.startsWith('-'));
  const { stdout } = await run(testTool('TEST_GRPCURL'), [...options, server.address, ...rest]);
  return stdout;
}

test('all services are listed', async () => {
  const listed = (await grpcurl('list')).trim().split('\n');
  assert.deepEqual(listed, Object.keys(services).sort());
});

test('every service and message is described', async () => {
  for (const service of (await grpcurl('list')).trim().split('\n')) {
    assert.match(await grpcurl('describe', service), new RegExp(`^${service} is a service:`));
  }
  const request = await grpcurl('describe', 'parca.query.v1alpha1.QueryRequest');
  assert.match(request, /oneof options/);
  assert.match(request, /optional float root_trim_threshold = 100;/);
  const targets = await grpcurl('describe', 'parca.scrape.v1alpha1.TargetsResponse');
  assert.match(targets, /map<string, \.parca\.scrape\.v1alpha1\.Targets> targets = 1;/);
});

test('a call by name works', async () => {
  const method = 'parca.query.v1alpha1.QueryService/HasProfileData';
  assert.deepEqual(JSON.parse(await grpcurl(method)), {});
  await assert.rejects(grpcurl('describe', 'a.B'), /Symbol not found: a\.B/);
});
