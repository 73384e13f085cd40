// Starts what the dashboards in deploy/grafana show: a server with a bucket and with profiles of a
// fictitious shop, and a Prometheus that scrapes the server every second.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { push as pushMessages } from '../../proto/gen/push.js';
import { makeTar } from '../../src/sources/testing/make-tar.ts';
import { gzippedPprof } from './profiles/pprof-builder.ts';
import { scratchDirectory, startServer, type TestServer } from './server.ts';
import { testTool } from './tools.ts';

const cpuType = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
const { PushRequest } = pushMessages.v1;

/** Server and Prometheus. */
export interface WatchedServer {
  readonly server: TestServer;
  readonly prometheusUrl: string;
  stop(): Promise<void>;
}

/** Job name of the server in its own profiles and in Prometheus. */
export const selfJob = 'parca';
const stackDepthMax = 64;
/** A target whose port no process listens on. */
const gone = { targets: ['127.0.0.1:1'] };

/** Starts both servers; the profile server scrapes itself, so there are profiles of it, too. */
export async function startWatchedServer(): Promise<WatchedServer> {
  const scratch = await scratchDirectory();
  const rules = join(scratch.path, 'rules.yml');
  const rule = { record: 'job:cpu:cores', expr: 'cores(process_cpu | by (job) [5m])' };
  await writeFile(
    rules,
    JSON.stringify({ groups: [{ name: 'cpu', interval: '1s', rules: [rule] }] }),
  );
  const bucket = { type: 'FILESYSTEM', config: { directory: join(scratch.path, 'bucket') } };
  const server = await startServer({
    storagePath: join(scratch.path, 'data'),
    config: JSON.stringify({
      object_storage: { bucket },
      rule_files: [rules],
      scrape_configs: [{ job_name: 'gone', scrape_interval: '1s', static_configs: [gone] }],
    }),
    flags: [`--profile-max-stack-depth=${stackDepthMax}`],
    selfScrape: true,
  });
  const port = await freePort();
  const config = join(scratch.path, 'prometheus.yml');
  const job = {
    job_name: selfJob,
    scrape_interval: '1s',
    static_configs: [{ targets: [new URL(server.url).host] }],
  };
  await writeFile(config, JSON.stringify({ scrape_configs: [job] }));
  await mkdir(join(scratch.path, 'tsdb'));
  const program = spawn(
    join(dirname(testTool('TEST_PROMTOOL')), 'prometheus'),
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(scratch.path, 'tsdb')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const stop = async (): Promise<void> => {
    await end(program);
    await server.stop();
    await scratch.remove();
  };
  return { server, prometheusUrl: `http://127.0.0.1:${port}`, stop };
}

async function end(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const exited = once(program, 'exit');
  program.kill();
  await exited;
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}

/**
 * Does once what the server's panels count: a valid push and query, some pushes and queries that
 * are refused, and an upload of sources. `turn` makes each call different.
 */
export async function keepBusy({ server }: WatchedServer, turn: number): Promise<void> {
  const now = Date.now();
  const one = { type: cpuType, labels: { service_name: 'cron' }, timeMillis: now, seconds: 1 };
  await pushStacks(server.url, [{ ...one, stacks: [['main.main;cron.(*Job).Run', 1e9]] }]);
  const deep = Array.from({ length: stackDepthMax + 1 }, () => 'main').join(';');
  await pushStacks(server.url, [{ ...one, stacks: [[deep, 1]] }]).catch(expectRefusal);
  await fetch(`${server.url}/api/v1/push?job=broken`, { method: 'POST', body: 'no profile' });
  for (const query of ['process_cpu', 'process_cpu{']) {
    await fetch(
      `${server.url}/api/v1/export?${new URLSearchParams({ query, format: 'collapsed' })}`,
    );
  }
  const sources = makeTar([{ path: 'busy.go', content: `package busy // ${turn}` }]);
  const buildId = (0xfeed0000 + turn).toString(16);
  await fetch(`${server.url}/api/v1/debuginfo?type=sources&build_id=${buildId}`, {
    method: 'POST',
    body: sources,
  });
}

function expectRefusal(error: unknown): void {
  if (!(error instanceof Error && error.message.includes('frames'))) throw error;
}

/** A profile of one type: the type's name in Pyroscope, and stacks with their values. */
export interface TypedStacks {
  readonly type: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly timeMillis: number;
  readonly seconds: number;
  readonly stacks: readonly (readonly [string, number])[];
}

/** Pushes profiles in one request to `PusherService`, like Pyroscope's SDKs. */
export async function pushStacks(url: string, profiles: readonly TypedStacks[]): Promise<void> {
  const series = profiles.map(({ type, labels, timeMillis, seconds, stacks }) => {
    const [name, sampleType, unit, periodType, periodUnit] = type.split(':');
    const rawProfile = gzippedPprof({
      sampleTypes: [[sampleType, unit]],
      periodType: [periodType, periodUnit],
      period: 1n,
      timeNanos: BigInt(timeMillis) * 1_000_000n,
      durationNanos: BigInt(seconds) * 1_000_000_000n,
      samples: stacks.map(([stack, value]) => [stack, BigInt(Math.round(value))]),
    });
    const all = { __name__: name, __delta__: 'false', ...labels };
    return {
      labels: Object.entries(all).map(([label, value]) => ({ name: label, value })),
      samples: [{ rawProfile }],
    };
  });
  const response = await fetch(`${url}/push.v1.PusherService/Push`, {
    method: 'POST',
    headers: { 'content-type': 'application/proto' },
    body: Buffer.from(PushRequest.encode({ series }).finish()),
  });
  if (!response.ok) throw new Error(await response.text());
}
