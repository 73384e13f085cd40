// A real S3 server for tests: MinIO on loopback, with an empty bucket in a folder of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { S3Bucket } from '../../src/config/config.ts';
import { testTool } from './tools.ts';

const readyMillisMax = 60_000;
const accessKey = 'test-only-user';
const secretKey = 'test-only-password';
const bucket = 'profiles';

/** A running server. */
export interface Minio {
  /** Configuration of its bucket, which is empty at first. */
  readonly config: S3Bucket;
  /** host:port. */
  readonly endpoint: string;
  /** Ends it; stored data stays for `start`. */
  stop(): Promise<void>;
  /** Runs it again at the same address. */
  start(): Promise<void>;
  /** Ends it and removes everything. */
  remove(): Promise<void>;
}

/** Starts MinIO on free ports and resolves when it answers. */
export async function startMinio(): Promise<Minio> {
  const folder = await mkdtemp(join(tmpdir(), 'parca-minio-'));
  // Each folder of its disk is a bucket.
  await mkdir(join(folder, bucket));
  const [endpoint, console] = await freeAddresses();
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    child = run(folder, endpoint, console);
    await ready(child, endpoint);
  };
  const stop = async (): Promise<void> => {
    if (child !== undefined) await end(child);
    child = undefined;
  };
  await start();
  return {
    config: {
      type: 'S3',
      bucket,
      endpoint,
      accessKey,
      secretKey,
      sessionToken: '',
      stsUrl: '',
      region: '',
      insecure: true,
      lookup: 'auto',
    },
    endpoint,
    stop,
    start,
    remove: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function run(folder: string, endpoint: string, console: string): ChildProcess {
  const args = ['server', '--quiet', '--address', endpoint, '--console-address', console, folder];
  const credentials = { MINIO_ROOT_USER: accessKey, MINIO_ROOT_PASSWORD: secretKey };
  const env = { PATH: process.env['PATH'], HOME: folder, ...credentials, MINIO_BROWSER: 'off' };
  return spawn(testTool('TEST_MINIO'), args, { env, stdio: 'ignore' });
}

async function ready(child: ChildProcess, endpoint: string): Promise<void> {
  const deadline = Date.now() + readyMillisMax;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`MinIO ended with code ${child.exitCode}`);
    const answer = await fetch(`http://${endpoint}/minio/health/ready`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('MinIO did not get ready');
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
