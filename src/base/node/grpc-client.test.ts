// Calls to a real TLS server, with different authorities, server names and tokens. The certificates
// are made here.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Server as GrpcServer, ServerCredentials, type Metadata } from '@grpc/grpc-js';
import { createServer, type ServerOptions } from './grpc-client.ts';

const folder = mkdtempSync(join(tmpdir(), 'parca-tls-'));
after(() => rmSync(folder, { recursive: true }));
const file = (name: string): string => join(folder, name);

function openssl(...words: readonly string[]): void {
  execFileSync(process.env['TEST_OPENSSL'] ?? 'openssl', words, { cwd: folder, stdio: 'pipe' });
}

/**
 * Makes a key and a certificate signed by the authority; the certificate of the authority is
 * self-signed.
 */
function makeCertificate(name: string, names = '', authority = 'ca'): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const output = ['-keyout', `${name}.key`, '-out', `${name}.pem`, '-subj', `/CN=${name}`];
  const signing =
    name === authority ? [] : ['-CA', `${authority}.pem`, '-CAkey', `${authority}.key`];
  const extension = names === '' ? [] : ['-addext', `subjectAltName=${names}`];
  openssl('req', '-x509', ...key, ...output, ...signing, ...extension);
}

makeCertificate('ca');
makeCertificate('other', '', 'other');
makeCertificate('server', 'IP:127.0.0.1');
makeCertificate('named', 'DNS:elsewhere.example');
makeCertificate('client');

const method = '/test.Service/Call';
const pass = (bytes: Buffer): Buffer => bytes;

/** Starts a server that returns the header `authorization`. */
async function startServer(name: string, wantsClients = false): Promise<string> {
  const server = new GrpcServer();
  const types = { requestStream: false, responseStream: false } as const;
  const forms = {
    requestSerialize: pass,
    requestDeserialize: pass,
    responseSerialize: pass,
    responseDeserialize: pass,
  };
  server.addService(
    { call: { path: method, ...types, ...forms } },
    {
      call: (
        { metadata }: { readonly metadata: Metadata },
        answer: (error: null, value: Buffer) => void,
      ) => answer(null, Buffer.from(String(metadata.get('authorization')[0] ?? ''))),
    },
  );
  const pair = {
    private_key: readFileSync(file(`${name}.key`)),
    cert_chain: readFileSync(file(`${name}.pem`)),
  };
  const credentials = ServerCredentials.createSsl(
    readFileSync(file('ca.pem')),
    [pair],
    wantsClients,
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', credentials, (error, bound) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });
  after(() => server.forceShutdown());
  return `127.0.0.1:${port}`;
}

async function call(address: string, given: Partial<ServerOptions>): Promise<string> {
  const server = createServer({
    address,
    isInsecure: false,
    skipsVerify: false,
    caFile: '',
    clientCertFile: '',
    clientKeyFile: '',
    bearerToken: '',
    bearerTokenFile: '',
    headers: [],
    sendBytesMax: 1_000_000,
    receiveBytesMax: 1_000_000,
    ...given,
  });
  try {
    return Buffer.from(await server.call(method, new Uint8Array(1), 5_000)).toString();
  } finally {
    server.close();
  }
}

test('the certificate of the server is checked, unless it is not to be', async () => {
  const address = await startServer('server');
  const named = await startServer('named');
  const caFile = file('ca.pem');
  assert.equal(await call(address, { caFile }), '');
  const refused = { code: 'unavailable', message: /^cannot call Call of .*certificate/ };
  await assert.rejects(call(address, {}), refused);
  await assert.rejects(call(address, { caFile: file('other.pem') }), refused);
  const otherNames = { code: 'unavailable', message: /its certificate is for other names/ };
  await assert.rejects(call(named, { caFile }), otherNames);
  assert.equal(await call(named, { skipsVerify: true }), '');
  await assert.rejects(call(address, { isInsecure: true }), { code: 'unavailable' });
});

test('a server may want a certificate of the agent', async () => {
  const address = await startServer('server', true);
  const caFile = file('ca.pem');
  await assert.rejects(call(address, { caFile }), { code: 'unavailable' });
  const own = { clientCertFile: file('client.pem'), clientKeyFile: file('client.key') };
  assert.equal(await call(address, { caFile, ...own }), '');
  await assert.rejects(call(address, { caFile: file('missing.pem') }), {
    code: 'invalid-argument',
    message: /^cannot read certificate: ENOENT/,
  });
});

test('the token is sent, and its file is read before each call', async () => {
  const address = await startServer('server');
  const caFile = file('ca.pem');
  assert.equal(await call(address, { caFile, bearerToken: 'abc' }), 'Bearer abc');
  const bearerTokenFile = file('token');
  for (const token of ['first', 'second']) {
    writeFileSync(bearerTokenFile, `${token}\n`);
    assert.equal(await call(address, { caFile, bearerTokenFile }), `Bearer ${token}`);
  }
});
