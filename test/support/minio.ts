// Starts a real S3 server for tests: MinIO on loopback, with an empty bucket in its own folder.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plainBucketHttp, type S3Bucket } from '../../src/config/bucket-config.ts';
import type { TlsConfig } from '../../src/config/text-source.ts';
import { s3Defaults } from '../../src/storage/object-store/fake/bucket-defaults.ts';
import { testTool } from './tools.ts';

const readyMillisMax = 60_000;
const accessKey = 'test-only-user';
const secretKey = 'test-only-password';
const bucket = 'profiles';

/** A running server. */
export interface Minio {
  /** Configuration of the server's bucket, which is empty at first. */
  readonly config: S3Bucket;
  /** host:port. */
  readonly endpoint: string;
  /** Folder of the server's objects. */
  readonly folder: string;
  /** Stops the server; stored data stays for `start`. */
  stop(): Promise<void>;
  /** Starts the server again at the same address. */
  start(): Promise<void>;
  /** Stops the server and removes everything. */
  remove(): Promise<void>;
}

interface MinioOptions {
  /** Environment variables of the process, in addition to the keys. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Makes a certificate, with which the server uses TLS. */
  readonly makeTls?: (folder: string) => { readonly certFile: string; readonly keyFile: string };
}

/** Starts MinIO on free ports; resolves when it responds. */
export async function startMinio({ environment = {}, makeTls }: MinioOptions = {}): Promise<Minio> {
  const folder = await mkdtemp(join(tmpdir(), 'parca-minio-'));
  // MinIO serves each folder on its disk as a bucket.
  await mkdir(join(folder, bucket));
  const [endpoint, console] = await freeAddresses();
  let child: ChildProcess | undefined;
  const certs = join(folder, '.certs');
  const tls = await certificateIn(certs, makeTls);
  const start = async (): Promise<void> => {
    child = run(folder, [endpoint, console], certs, environment);
    await ready(child, `${tls === undefined ? 'http' : 'https'}://${endpoint}`);
  };
  const stop = async (): Promise<void> => {
    if (child !== undefined) await end(child);
    child = undefined;
  };
  await start();
  return {
    config: {
      ...s3Defaults,
      bucket,
      endpoint,
      accessKey,
      secretKey,
      insecure: tls === undefined,
      http: { ...plainBucketHttp, tls },
    },
    endpoint,
    folder,
    stop,
    start,
    remove: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Makes the files that MinIO looks for, and returns the settings of a client that trusts them. */
async function certificateIn(
  certs: string,
  makeTls: MinioOptions['makeTls'],
): Promise<TlsConfig | undefined> {
  await mkdir(certs);
  if (makeTls === undefined) return undefined;
  const { certFile, keyFile } = makeTls(certs);
  await rename(keyFile, join(certs, 'private.key'));
  await rename(certFile, join(certs, 'public.crt'));
  return {
    ca: { kind: 'file', path: join(certs, 'public.crt') },
    cert: undefined,
    key: undefined,
    serverName: '',
    insecureSkipVerify: false,
    minVersion: undefined,
    maxVersion: undefined,
  };
}

function run(
  folder: string,
  [endpoint, console]: readonly [string, string],
  certs: string,
  environment: Readonly<Record<string, string>>,
): ChildProcess {
  const addresses = ['--address', endpoint, '--console-address', console];
  const args = ['server', '--quiet', ...addresses, '--certs-dir', certs, folder];
  const credentials = { MINIO_ROOT_USER: accessKey, MINIO_ROOT_PASSWORD: secretKey };
  const own = { PATH: process.env['PATH'], HOME: folder, MINIO_BROWSER: 'off' };
  const env = { ...own, ...credentials, ...environment };
  return spawn(testTool('TEST_MINIO'), args, { env, stdio: 'ignore' });
}

async function ready(child: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + readyMillisMax;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`MinIO ended with code ${child.exitCode}`);
    if ((await requestStatus(`${url}/minio/health/ready`)) === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('MinIO did not get ready');
}

/** Returns the status of a response; undefined if there is none. Accepts any certificate. */
function requestStatus(url: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const asked = (url.startsWith('https') ? https : http).get(url, { rejectUnauthorized: false });
    asked.once('error', () => resolve(undefined));
    asked.once('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Returns two free addresses, for programs that cannot choose ports or must reuse theirs. */
export async function freeAddresses(): Promise<[string, string]> {
  const servers = [createServer(), createServer()];
  const addresses: string[] = [];
  for (const server of servers) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    addresses.push(typeof address === 'object' ? `127.0.0.1:${address?.port}` : '');
  }
  for (const server of servers) server.close();
  return [addresses[0], addresses[1]];
}
