// Starts servers on loopback that implement the protocols of the clouds' object stores.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freeAddresses } from './minio.ts';
import { testTool } from './tools.ts';

const readyMillisMax = 60_000;

/** A running server. */
export interface BucketServer {
  /** host:port. */
  readonly endpoint: string;
  /** The server's folder, which `remove` deletes. */
  readonly folder: string;
  /** Kills the server; stored data stays for `start`. */
  stop(): Promise<void>;
  /** Starts the server again at the same address. */
  start(): Promise<void>;
  /** Stops the server and removes everything. */
  remove(): Promise<void>;
}

/** Starts a fake Google Cloud Storage with an empty bucket `profiles`. */
export async function startFakeGcs(externalUrl?: string): Promise<BucketServer> {
  return startServer(async (folder, endpoint) => {
    const root = join(folder, 'gcs');
    await mkdir(join(root, 'profiles'), { recursive: true });
    const [host, port] = endpoint.split(':');
    const args = [
      ['-scheme', 'http'],
      ['-host', host],
      ['-port', port],
      ['-external-url', externalUrl ?? `http://${endpoint}`],
      ['-public-host', endpoint],
      ['-backend', 'filesystem'],
      ['-filesystem-root', root],
      ['-log-level', 'error'],
    ];
    return spawn(testTool('TEST_FAKE_GCS'), args.flat(), { stdio: 'ignore' });
  });
}

/** Starts Azurite. With a certificate, it requires TLS and tokens of Azure identities. */
export async function startAzurite(
  makeTls?: (folder: string) => { readonly certFile: string; readonly keyFile: string },
): Promise<BucketServer> {
  return startServer(async (folder, endpoint) => {
    const [host, port] = endpoint.split(':');
    const tls = makeTls?.(folder);
    const place = ['--blobHost', host, '--blobPort', port, '--location', folder];
    const quiet = ['--silent', '--disableTelemetry', '--skipApiVersionCheck'];
    const args = [
      testTool('TEST_AZURITE'),
      ...place,
      ...quiet,
      ...(tls === undefined
        ? []
        : ['--cert', tls.certFile, '--key', tls.keyFile, '--oauth', 'basic']),
    ];
    return spawn(process.execPath, args, { stdio: 'ignore' });
    // Azurite writes its list of blobs from time to time, and when it ends.
  }, 'SIGTERM');
}

/** Starts moto, a fake of Amazon's S3 and STS, which keeps everything in memory. */
export async function startMoto(): Promise<BucketServer> {
  return startServer(async (_folder, endpoint) => {
    const [host, port] = endpoint.split(':');
    const args = ['-m', 'moto.server', '-H', host, '-p', port];
    const env = {
      PATH: process.env['PATH'],
      PYTHONPATH: testTool('TEST_MOTO'),
      S3_UPLOAD_PART_MIN_SIZE: '1',
    };
    return spawn(testTool('TEST_PYTHON'), args, { env, stdio: 'ignore' });
  });
}

/** Name of Azurite's account, whose key is publicly known. */
export const azuriteAccount = 'devstoreaccount1';
const azuriteKey =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

/** Returns the connection string of an Azurite without TLS. */
export function azuriteConnection(endpoint: string): string {
  return [
    'DefaultEndpointsProtocol=http',
    `AccountName=${azuriteAccount}`,
    `AccountKey=${azuriteKey}`,
    `BlobEndpoint=http://${endpoint}/${azuriteAccount}`,
  ].join(';');
}

/** Makes a certificate for names and addresses, signed by its own authority. */
export function makeCertificate(
  folder: string,
  names: string,
): { readonly certFile: string; readonly keyFile: string } {
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const subject = ['-subj', '/CN=test', '-days', '2', '-addext', `subjectAltName=${names}`];
  const files = ['-keyout', keyFile, '-out', certFile];
  const args = ['req', '-x509', ...key, ...subject, ...files];
  const { status, stderr } = spawnSync(testTool('TEST_OPENSSL'), args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl failed: ${stderr}`);
  return { certFile, keyFile };
}

async function startServer(
  run: (folder: string, endpoint: string) => Promise<ChildProcess>,
  endSignal: NodeJS.Signals = 'SIGKILL',
): Promise<BucketServer> {
  const folder = await mkdtemp(join(tmpdir(), 'parca-bucket-'));
  const [endpoint] = await freeAddresses();
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    child = await run(folder, endpoint);
    await ready(child, endpoint);
  };
  const stop = async (): Promise<void> => {
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill(endSignal);
      await ended;
    }
    child = undefined;
  };
  await start();
  const remove = async (): Promise<void> => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { endpoint, folder, stop, start, remove };
}

async function ready(child: ChildProcess, endpoint: string): Promise<void> {
  const [host, port] = endpoint.split(':');
  const deadline = Date.now() + readyMillisMax;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server ended with code ${child.exitCode}`);
    const socket = createConnection({ host, port: Number(port) });
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the server did not get ready');
}
