// Starts real ClickHouse servers on loopback: the newest engine in one process, and Debian's
// server.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { silentLogger } from '../../src/base/logger.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createRandom } from '../../src/base/node/random.ts';
import { clickHouseServers } from '../../src/storage/clickhouse/open.ts';
import type { ClickHouseServers } from '../../src/storage/clickhouse/server.ts';
import { ClickHouseStorage } from '../../src/storage/clickhouse/storage.ts';
import { testTool } from './tools.ts';

const readyMillisMax = 60_000;
const chdbProgram = new URL('../clickhouse/chdb-server.py', import.meta.url).pathname;

/** A running server, with its HTTP interface. */
export interface TestClickHouse {
  readonly url: string;
  /** Sends SIGKILL and waits; stored data stays for `start`. */
  kill(): Promise<void>;
  /** Starts the server again at the same address. */
  start(): Promise<void>;
  /** Stops the server and removes everything. */
  remove(): Promise<void>;
}

/** Starts chdb, the newest engine as a library; its data is lost when it ends. */
export async function startChdb(): Promise<Pick<TestClickHouse, 'url' | 'remove'>> {
  const child = spawn(testTool('TEST_PYTHON'), [chdbProgram], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout, 'data');
  const remove = () => end(child);
  return { url: `http://127.0.0.1:${String(port).trim()}`, remove };
}

/**
 * Starts Debian's server of 2018 on free ports. `settings` and `config` are XML elements to add to
 * its default profile and its config file.
 */
export async function startClickHouse(settings = '', config = ''): Promise<TestClickHouse> {
  const ports = await freePorts();
  const server = await serverIn(await makeFolder(), ports, config, settings);
  await server.start();
  return server;
}

/** Two replicas of one cluster, named `replicas`, with the coordinator that they need. */
export interface TestCluster {
  readonly replicas: readonly TestClickHouse[];
  remove(): Promise<void>;
}

export async function startCluster(): Promise<TestCluster> {
  const folder = await makeFolder();
  const [coordinatorPort] = await portsFor(1);
  const coordinator = await startCoordinator(folder, coordinatorPort);
  const ports = [await freePorts(), await freePorts()];
  const replicas: TestClickHouse[] = [];
  for (const [i, own] of ports.entries()) {
    const config = replicaConfig(coordinatorPort, ports, i);
    const server = await serverIn(join(folder, `replica-${i}`), own, config);
    await server.start();
    replicas.push(server);
  }
  const remove = async (): Promise<void> => {
    for (const server of replicas) await server.remove();
    await end(coordinator);
    await rm(folder, { recursive: true, force: true });
  };
  return { replicas, remove };
}

interface Ports {
  readonly http: number;
  readonly tcp: number;
  readonly interserver: number;
}

async function freePorts(): Promise<Ports> {
  const [http, tcp, interserver] = await portsFor(3);
  return { http, tcp, interserver };
}

function makeFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'parca-clickhouse-'));
}

/** Starts a server; `config` is added to its config file. */
async function serverIn(
  folder: string,
  ports: Ports,
  config: string,
  settings = '',
): Promise<TestClickHouse> {
  const url = `http://127.0.0.1:${ports.http}`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'users.xml'), usersConfig(settings));
  await writeFile(join(folder, 'config.xml'), serverConfig(folder, ports, config));
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const flags = [`--config-file=${join(folder, 'config.xml')}`];
    child = spawn(testTool('TEST_CLICKHOUSE'), flags, { cwd: folder, stdio: 'ignore' });
    await answering(child, url);
  };
  const kill = async (): Promise<void> => {
    if (child !== undefined) await end(child);
    child = undefined;
  };
  const remove = async (): Promise<void> => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  };
  return { url, start, kill, remove };
}

/** Starts ZooKeeper, which coordinates the replicas. */
async function startCoordinator(folder: string, port: number): Promise<ChildProcess> {
  const config = join(folder, 'zookeeper.cfg');
  const lines = [
    'tickTime=500',
    `dataDir=${join(folder, 'zookeeper')}`,
    `clientPort=${port}`,
    'clientPortAddress=127.0.0.1',
    'admin.enableServer=false',
  ];
  await writeFile(config, lines.join('\n'));
  const script = testTool('TEST_ZOOKEEPER');
  const child = spawn(script, ['start-foreground', config], {
    env: { ...process.env, ZOO_LOG_DIR: folder, JVMFLAGS: '-Xmx128m' },
    stdio: 'ignore',
  });
  const last = Date.now() + readyMillisMax;
  while (Date.now() < last && child.exitCode === null) {
    if (await listens(port)) return child;
    await setTimeout(50);
  }
  throw new Error('ZooKeeper does not listen');
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/**
 * Number of databases created so far; the number is used in names, so that each store starts empty.
 */
let databases = 0;

/** Opens an empty store on a server. */
export function openEmptyStore(url: string): Promise<ClickHouseStorage> {
  databases += 1;
  return openStore([url], `parca_${databases}`, '');
}

/** Opens a store on several servers, which are tried in turn. */
export async function openStore(
  urls: readonly string[],
  database: string,
  cluster: string,
): Promise<ClickHouseStorage> {
  const first = serversAt(urls, 'default');
  await first.makeDatabase(database, cluster);
  await first.close();
  return ClickHouseStorage.open(serversAt(urls, database), machine, cluster);
}

const machine = { clock: createClock(), random: createRandom(), logger: silentLogger };

/** Returns clients of several servers, which are tried in turn. */
export function serversAt(urls: readonly string[], database: string): ClickHouseServers {
  const ofTests = {
    username: 'default',
    password: '',
    cluster: '',
    insertQuorum: 0,
    keepNanos: 0n,
  };
  return clickHouseServers(machine, { urls, database, ...ofTests }, database);
}

async function answering(child: ChildProcess, url: string): Promise<void> {
  const last = Date.now() + readyMillisMax;
  while (Date.now() < last && child.exitCode === null) {
    try {
      const answer = await fetch(`${url}/ping`);
      if (answer.ok) return;
    } catch {
      // The server is not listening yet.
    }
    await setTimeout(50);
  }
  throw new Error(`ClickHouse at ${url} does not answer`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/**
 * Returns ports that are currently free; they are all held open at the same time, so that they
 * differ.
 */
async function portsFor(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  });
  await Promise.all(
    servers.map((server) => {
      const closed = once(server, 'close');
      server.close();
      return closed;
    }),
  );
  return ports;
}

function serverConfig(folder: string, ports: Ports, config: string): string {
  return `<?xml version="1.0"?>
<yandex>
  <logger><level>error</level><console>1</console></logger>
  <http_port>${ports.http}</http_port>
  <tcp_port>${ports.tcp}</tcp_port>
  <interserver_http_port>${ports.interserver}</interserver_http_port>
  <interserver_http_host>127.0.0.1</interserver_http_host>
  <listen_host>127.0.0.1</listen_host>
  <path>${folder}/data/</path>
  <tmp_path>${folder}/tmp/</tmp_path>
  <mark_cache_size>67108864</mark_cache_size>
  <users_config>${folder}/users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  ${config}
</yandex>
`;
}

function replicaConfig(coordinatorPort: number, ports: readonly Ports[], number: number): string {
  const replicas = ports.map(
    ({ tcp }) => `<replica><host>127.0.0.1</host><port>${tcp}</port></replica>`,
  );
  return `
  <zookeeper><node><host>127.0.0.1</host><port>${coordinatorPort}</port></node></zookeeper>
  <macros><shard>0</shard><replica>${number}</replica></macros>
  <remote_servers><replicas><shard>
    <internal_replication>true</internal_replication>
    ${replicas.join('')}
  </shard></replicas></remote_servers>
  <distributed_ddl><path>/clickhouse/task_queue/ddl</path></distributed_ddl>`;
}

const usersConfig = (settings: string): string => `<?xml version="1.0"?>
<yandex>
  <profiles><default>${settings}</default></profiles>
  <users>
    <default>
      <password></password>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
    </default>
  </users>
  <quotas><default></default></quotas>
</yandex>
`;
