// Tests of uploads to the server and to a bucket that the server names.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { parca } from '../../proto/gen/debuginfo.js';
import { DebuginfoClient } from './debuginfo-client.ts';

const messages = parca.debuginfo.v1alpha1;
const { UploadStrategy: strategies } = messages.UploadInstructions;
const offer = { buildId: 'ab12', kind: 'gnu' } as const;
const { signal } = new AbortController();

const puts: { readonly path: string; readonly length: string; readonly body: string }[] = [];
let status = 200;
const bucket = createServer((incoming, response) => {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => {
    const { url: path = '', headers, method } = incoming;
    const length = `${method} ${headers['content-length']}`;
    puts.push({ path, length, body: Buffer.concat(chunks).toString() });
    response.writeHead(status).end();
  });
});
await new Promise<void>((resolve) => bucket.listen(0, '127.0.0.1', resolve));
after(() => bucket.close());
const { port } = bucket.address() as AddressInfo;

/**
 * Creates a client for a server that responds with `instructions`, and records the called methods.
 */
function createClient(uploadStrategy: number, signedUrl = '') {
  const methods: string[] = [];
  const note = (path: string): void => void methods.push(path.slice(path.lastIndexOf('/') + 1));
  const client = new DebuginfoClient({
    call: async (method) => {
      note(method);
      const uploadInstructions = { buildId: 'ab12', uploadId: 'u1', uploadStrategy, signedUrl };
      return method.endsWith('InitiateUpload')
        ? messages.InitiateUploadResponse.encode({ uploadInstructions }).finish()
        : new Uint8Array(0);
    },
    sendStream: async (method) => {
      note(method);
      return new Uint8Array(0);
    },
  });
  const file = {
    size: 10,
    hash: 'h',
    pieces: async function* () {
      yield new TextEncoder().encode('debug ');
      yield new TextEncoder().encode('info');
    },
  };
  return { methods, upload: () => client.upload(offer, file, 10_000, signal) };
}

test('a file goes to the server that wants it', async () => {
  const { methods, upload } = createClient(strategies.UPLOAD_STRATEGY_GRPC);
  await upload();
  assert.deepEqual(methods, ['InitiateUpload', 'Upload', 'MarkUploadFinished']);
});

test('a file goes to a bucket by a signed address, with its length', async () => {
  const url = `http://127.0.0.1:${port}/key?signature=secret`;
  const { methods, upload } = createClient(strategies.UPLOAD_STRATEGY_SIGNED_URL, url);
  await upload();
  assert.deepEqual(puts, [{ path: '/key?signature=secret', length: 'PUT 10', body: 'debug info' }]);
  assert.deepEqual(methods, ['InitiateUpload', 'MarkUploadFinished']);
  status = 403;
  await assert.rejects(upload, {
    code: 'unavailable',
    message: `cannot upload debug information to 127.0.0.1:${port}: it answers with status 403`,
  });
  assert.equal(methods.filter((name) => name === 'MarkUploadFinished').length, 1);
});

test('an unknown way is named', async () => {
  await assert.rejects(createClient(9).upload, {
    code: 'unimplemented',
    message: 'cannot upload debug information: the server wants upload strategy 9',
  });
});
