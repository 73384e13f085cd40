// Tests the server as a debuginfod server: it serves uploaded files by build id.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeTar } from '../../../src/sources/testing/make-tar.ts';
import { makeElf, makeNote, makeSymbols } from '../../../src/symbolize/testing/make-elf.ts';
import { uploadDebuginfo } from '../../support/debuginfo-client.ts';
import { connect } from '../../support/grpc-client.ts';
import { scratchDirectory, startServer } from '../../support/server.ts';
import { askStacks, pushUnnamed } from '../../support/profiles/unnamed-profiles.ts';

const buildId = '00112233445566778899aabbccddeeff00112233';
const note = makeNote('GNU', 3, Uint8Array.from(Buffer.from(buildId, 'hex')));
const noteSection = { name: '.note.gnu.build-id', type: 7, content: note };
const symbols = makeSymbols('.symtab', 2, [{ name: 'main', address: 0x1000, size: 0x80 }]);
const withDwarf = makeElf([
  noteSection,
  ...symbols,
  { name: '.debug_info', type: 1, content: new Uint8Array(3_000_000).fill(7) },
]);
const program = makeElf([
  noteSection,
  ...symbols,
  { name: '.text', type: 1, flags: 6, address: 0x1000, content: Uint8Array.of(1, 2, 3, 4, 5) },
]);
const text = 'int main() { return 0; } // größe\n';

const scratch = await scratchDirectory();
after(() => scratch.remove());
const server = await startServer({ storagePath: join(scratch.path, 'data') });
after(() => server.stop());
const client = connect(server.address);
after(() => client.close());
const upload = (content: Uint8Array, type?: number): Promise<void> =>
  uploadDebuginfo(
    client,
    { buildId, hash: `${type}`, force: true, ...(type && { type }) },
    content,
  );
await upload(withDwarf);
await upload(program, 1);
await upload(makeTar([{ path: 'src/main.c', content: text }]), 2);

function get(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${server.url}/buildid/${path}`, init);
}

async function getBytes(path: string, init?: RequestInit): Promise<Buffer> {
  const response = await get(path, init);
  assert.ok(response.ok, `${path}: ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

test('debug information, program, source and section come as they were uploaded', async () => {
  assert.ok(Buffer.from(withDwarf).equals(await getBytes(`${buildId}/debuginfo`)));
  assert.ok(Buffer.from(program).equals(await getBytes(`${buildId}/executable`)));
  assert.equal((await getBytes(`${buildId}/source/src/main.c`)).toString(), text);
  assert.deepEqual([...(await getBytes(`${buildId}/section/.text`))], [1, 2, 3, 4, 5]);
  assert.equal((await getBytes(`${buildId}/section/.debug_info`)).length, 3_000_000);
});

test('headers are those of debuginfod, for HEAD too', async () => {
  const wanted = {
    'content-length': String(withDwarf.length),
    'content-type': 'application/octet-stream',
    'x-debuginfod-size': String(withDwarf.length),
    'x-debuginfod-file': `${buildId}.debug`,
    'accept-ranges': 'bytes',
  };
  for (const method of ['GET', 'HEAD']) {
    const headers = { 'accept-encoding': 'gzip' };
    const response = await get(`${buildId}/debuginfo`, { method, headers });
    assert.equal(response.status, 200, method);
    for (const [name, value] of Object.entries(wanted)) {
      assert.equal(response.headers.get(name), value, `${method} ${name}`);
    }
    assert.equal(response.headers.get('content-encoding'), null);
    const { byteLength } = await response.arrayBuffer();
    assert.equal(byteLength, method === 'GET' ? withDwarf.length : 0);
  }
});

test('one range of bytes is sent alone', async () => {
  const size = withDwarf.length;
  const ranges: readonly (readonly [header: string, status: number, start: number, end: number])[] =
    [
      ['bytes=0-3', 206, 0, 4],
      ['bytes=100-', 206, 100, size],
      ['bytes=-10', 206, size - 10, size],
      [`bytes=10-${size + 5}`, 206, 10, size],
      ['bytes=0-1,4-5', 200, 0, size],
      ['bytes=5-2', 200, 0, size],
      ['lines=1-2', 200, 0, size],
    ];
  for (const [range, status, start, end] of ranges) {
    const response = await get(`${buildId}/debuginfo`, { headers: { range } });
    assert.equal(response.status, status, range);
    const sent = Buffer.from(await response.arrayBuffer());
    assert.ok(Buffer.from(withDwarf.subarray(start, end)).equals(sent), range);
    const place = status === 206 ? `bytes ${start}-${end - 1}/${size}` : null;
    assert.equal(response.headers.get('content-range'), place, range);
  }
  const past = await get(`${buildId}/debuginfo`, { headers: { range: `bytes=${size}-` } });
  assert.deepEqual([past.status, past.headers.get('content-range')], [416, `bytes */${size}`]);
});

test('what is not there is 404, what is no build id 400', async () => {
  const missing = [
    'ffffffffffffffffffff/debuginfo',
    `${buildId}/source/none.c`,
    `${buildId}/source/..%2f..%2fetc/passwd`,
    `${buildId}/section/.none`,
    `${buildId}/section/`,
    `${buildId}/other`,
  ];
  for (const path of missing) assert.equal((await get(path)).status, 404, path);
  const wrong = ['xyz', 'abc', '..%2f..%2f..%2fetc', 'AABBCCDDEEFF', 'a'.repeat(200)];
  for (const id of wrong) assert.equal((await get(`${id}/debuginfo`)).status, 400, id);
});

test('clients that go away in the middle leave nothing open', async () => {
  for (let i = 0; i < 40; i += 1) {
    const gone = new AbortController();
    const response = await get(`${buildId}/debuginfo`, { signal: gone.signal });
    await response.body?.getReader().read();
    gone.abort();
  }
  assert.equal((await get(`${buildId}/debuginfo`)).status, 200);
});

test('two servers that are upstream of each other: names come, and no question goes in circles', async () => {
  const other = await startServer({
    storagePath: join(scratch.path, 'other'),
    flags: [`--debuginfod-upstream-servers=${server.url}`],
  });
  after(() => other.stop());
  const third = await startServer({
    storagePath: join(scratch.path, 'third'),
    flags: [`--debuginfod-upstream-servers=${other.url}`],
  });
  after(() => third.stop());
  const pushTo = async (address: string, job: string, id: string): Promise<void> => {
    const pushing = connect(address);
    await pushUnnamed(pushing, job, { path: '/app', buildId: id, addresses: [0x1010] });
    pushing.close();
  };
  await pushTo(third.address, 'app', buildId);
  // The second server has no files yet, and does not query the first server on behalf of the third.
  const before = await askStacks(third.url, 'app');
  assert.match(before.warnings.join(), new RegExp(`${other.url} does not have it`));
  await pushTo(other.address, 'app', buildId);
  assert.equal((await askStacks(other.url, 'app')).text, 'main 7');
});
