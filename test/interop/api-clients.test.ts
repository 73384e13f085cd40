// Tests every method of every service with valid and invalid calls of third-party clients: grpc-go,
// connect-web with two protocols, pages of another site in Chromium, and curl.
import assert from 'node:assert/strict';
import { type ChildProcessByStdio, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { after, before, test } from 'node:test';
import {
  createFileRegistry,
  type DescMethodUnary,
  type FileRegistry,
  fromBinary,
  toBinary,
} from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, type FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import { createConnectTransport, createGrpcWebTransport } from '@connectrpc/connect-web';
import type { Client } from '@grpc/grpc-js';
import type { Browser, Page } from 'playwright-core';
import { files } from '../../proto/gen/descriptors.ts';
import { frameMessage } from '../../src/api/transport/grpc/message-frames.ts';
import { launchBrowser } from '../support/browser.ts';
import {
  type Called,
  checkMethods,
  connectCode,
  decode,
  encode,
  jsonCode,
  makeJsonRequest,
  type Outcome,
  toOutcome,
  fillRows,
  writeContractBlock,
  type Transport,
} from '../support/contract/contract.ts';
import { connect } from '../support/grpc-client.ts';
import {
  scratchDirectory,
  type ScratchDirectory,
  startServer,
  type TestServer,
} from '../support/server.ts';
import { testTool } from '../support/tools.ts';

/** A site whose pages may call the server, and a site whose pages may not. */
let friend: Server;
let stranger: Server;
let folder: ScratchDirectory;
let server: TestServer;
let client: Client;
before(async () => {
  folder = await scratchDirectory();
  [friend, stranger] = await Promise.all([openSite(), openSite()]);
  await writeContractBlock(join(folder.path, 'data'));
  server = await startServer({
    storagePath: join(folder.path, 'data'),
    flags: ['--share-url=http://shared.test', `--cors-allowed-origins=${siteUrl(friend)}`],
  });
  client = connect(server.address);
});
after(async () => {
  client.close();
  await server.stop();
  friend.close();
  stranger.close();
  await folder.remove();
});

async function openSite(): Promise<Server> {
  const site = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<title>a page</title>'),
  );
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  return site;
}

function siteUrl(site: Server): string {
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
}

test('grpc-go: each method answers, and refuses with its status and a reason', async () => {
  const program = join(folder.path, 'api-clients');
  execFileSync(testTool('TEST_NEW_GO'), ['build', '-o', program, '.'], {
    cwd: new URL('api-clients/', import.meta.url).pathname,
    env: { ...process.env, GOTOOLCHAIN: 'auto', GOFLAGS: '-mod=readonly' },
  });
  const go = spawn(program, [server.address], { stdio: ['pipe', 'pipe', 'inherit'] });
  const call = goTransport(go);
  await checkMethods(
    { name: 'grpc-go', hasStreams: true, call, code: ({ grpc }) => grpc },
    0,
    fillRows(client),
  );
  go.stdin.end();
  const [code] = await once(go, 'exit');
  assert.equal(code, 0);
});

/** Makes calls with the program in `api-clients`, one after another. */
function goTransport(go: ChildProcessByStdio<Writable, Readable, null>): Transport['call'] {
  const lines = createInterface({ input: go.stdout })[Symbol.asyncIterator]();
  return async ({ path, request, more }) => {
    const messages = [request, ...more].map((message) =>
      Buffer.from(encode(path, message)).toString('base64'),
    );
    go.stdin.write(`${JSON.stringify({ path, messages })}\n`);
    const { value } = await lines.next();
    const { answer, code, message } = JSON.parse(String(value)) as {
      readonly answer: string | null;
      readonly code: number;
      readonly message: string;
    };
    if (code !== 0) return { code, message };
    return decode(path, Buffer.from(answer ?? '', 'base64'));
  };
}

/** Returns descriptors of all services, each file after those that it imports. */
function registry(): FileRegistry {
  const ordered: FileDescriptorProto[] = [];
  const seen = new Set<string>();
  const add = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    files[path].imports.forEach(add);
    const bytes = Buffer.from(files[path].descriptor, 'base64');
    ordered.push(fromBinary(FileDescriptorProtoSchema, bytes));
  };
  Object.keys(files).forEach(add);
  return createFileRegistry({ $typeName: 'google.protobuf.FileDescriptorSet', file: ordered });
}

/** Makes calls with connect-web; a request that is not a message replaces the encoded body. */
function byConnectWeb(protocol: 'Connect' | 'gRPC-Web'): Transport['call'] {
  const descriptors = registry();
  return async ({ path, request }: Called): Promise<Outcome> => {
    const [, serviceName, name] = path.split('/');
    const method = descriptors.getService(serviceName)?.methods.find((one) => one.name === name);
    assert.ok(method !== undefined, path);
    const isBroken = request instanceof Uint8Array;
    const bytes = encode(path, request);
    const body = protocol === 'Connect' ? bytes : Uint8Array.from(frameMessage(bytes));
    const send: typeof fetch = (url, init) => fetch(url, isBroken ? { ...init, body } : init);
    const transport =
      protocol === 'Connect'
        ? createConnectTransport({ baseUrl: server.url, useBinaryFormat: true, fetch: send })
        : createGrpcWebTransport({ baseUrl: `${server.url}/api`, fetch: send });
    const message: Record<string, unknown> = isBroken ? {} : fromBinary(method.input, bytes);
    try {
      const answer = await transport.unary(
        method as DescMethodUnary,
        ...([undefined, 20_000, undefined] as const),
        message,
      );
      return decode(path, toBinary(method.output, answer.message));
    } catch (error) {
      assert.ok(error instanceof ConnectError, String(error));
      const code = error.code === Code.Unimplemented ? 'UNIMPLEMENTED' : error.code;
      return { code, message: error.rawMessage };
    }
  };
}

for (const [i, protocol] of (['Connect', 'gRPC-Web'] as const).entries()) {
  test(`connect-web by ${protocol}: each method answers, and refuses with its status and a reason`, async () => {
    const call = byConnectWeb(protocol);
    const transport = {
      name: protocol,
      hasStreams: false,
      call,
      code: ({ grpc }: { readonly grpc: number }) => grpc,
    };
    await checkMethods(transport, 1 + i, fillRows(client));
  });
}

test('pages of an allowed site call each method from Chromium, those of others none', async (t) => {
  const browser: Browser = await launchBrowser();
  t.after(() => browser.close());
  const page = await browser.newPage();
  await page.goto(siteUrl(friend));
  const call = (called: Called): Promise<Outcome> => byPage(page, called);
  await checkMethods(
    { name: 'page', hasStreams: false, call, code: connectCode },
    3,
    fillRows(client),
  );
  await page.goto(siteUrl(stranger));
  const rows = fillRows(client);
  for (const [path, row] of Object.entries(rows).filter(([, { more }]) => more === undefined)) {
    const request = row.bad.request;
    await assert.rejects(byPage(page, { path, row, request, more: [] }), /Failed to fetch/, path);
  }
});

/** Makes calls over Connect from a page. */
async function byPage(page: Page, { path, request }: Called): Promise<Outcome> {
  const sent = Buffer.from(encode(path, request)).toString('base64');
  const { status, text } = await page.evaluate(
    async ({ url, base64 }) => {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/proto', 'connect-protocol-version': '1' },
        body: Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)),
      });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      return {
        status: answer.status,
        text: Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''),
      };
    },
    { url: server.url + path, base64: sent },
  );
  const bytes = Buffer.from(text, 'latin1');
  return status === 200 ? decode(path, bytes) : toOutcome(status, JSON.parse(bytes.toString()));
}

test('curl: each method answers in JSON, and refuses with its status and a reason', async () => {
  await checkMethods(
    { name: 'curl', hasStreams: false, call: byCurl, code: jsonCode },
    4,
    fillRows(client),
  );
});

async function byCurl(called: Called): Promise<Outcome> {
  const { verb, path, body } = makeJsonRequest(called);
  const flags = ['-sS', '--max-time', '20', '--write-out', '\n%{http_code}'];
  const data = ['--header', 'content-type: application/json', '--data-binary', '@-'];
  const url = server.url + path;
  const output = await new Promise<string>((resolve, reject) => {
    const curl = execFile(
      testTool('TEST_CURL'),
      [...flags, '--request', verb, ...(body === undefined ? [] : data), url],
      (error, stdout) => (error === null ? resolve(stdout) : reject(error)),
    );
    curl.stdin?.end(body ?? '');
  });
  const end = output.lastIndexOf('\n');
  return toOutcome(Number(output.slice(end + 1)), JSON.parse(output.slice(0, end)));
}
