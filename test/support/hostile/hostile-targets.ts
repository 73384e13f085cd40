// Scrape targets that misbehave, with a server for each kind of misbehaviour, and good targets.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

/** A kind of misbehaviour, which is also the name of its job. */
type HostileKind = string;

/**
 * Servers that listen on all addresses of the loopback network, so that each server acts as many
 * targets.
 */
export interface HostileTargets {
  readonly ports: ReadonlyMap<HostileKind, number>;
  /** Port of the good targets, which respond with the profile. */
  readonly goodPort: number;
  /** Stops all servers. */
  close(): Promise<void>;
}

const bombBytes = 256 * 1024 * 1024;
const dripMillis = 1_000;
/**
 * Pause between the chunks of endless bodies, so that this process has time for its other targets.
 */
const endlessMillis = 10;
const bodyLimit = '1MB';

/** Starts all servers; `onScrape` gets the address of the good target that was scraped. */
export async function startHostileTargets(
  profile: Uint8Array,
  onScrape: (host: string) => void,
): Promise<HostileTargets> {
  const bomb = gzipSync(Buffer.alloc(bombBytes));
  const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
    headers: () => undefined,
    body: (response) => void response.write('part'),
    drip: (response) => {
      const timer = setInterval(() => void response.write('x'), dripMillis);
      response.on('close', () => void clearInterval(timer));
    },
    endless: (response) => {
      const chunk = Buffer.alloc(65_536);
      const timer = setInterval(() => void response.write(chunk), endlessMillis);
      response.on('close', () => void clearInterval(timer));
    },
    long: (response) => {
      response.writeHead(200, { 'content-length': '1000000' });
      response.write('short');
      setImmediate(() => void response.destroy());
    },
    redirect: (response) => void response.writeHead(302, { location: '/p' }).end(),
    bomb: (response) => void response.end(bomb),
    garbage: (response) => void response.end(Buffer.from('no profile at all\0\x1f\x8b')),
  };
  const good = createServer((request, response) => {
    onScrape(request.headers.host ?? '');
    response.end(profile);
  });
  const servers: Server[] = [good];
  const sockets = new Set<Socket>();
  const ports = new Map<HostileKind, number>();
  for (const [kind, answer] of Object.entries(answers)) {
    servers.push(createServer((_request, response) => answer(response)));
    ports.set(kind, await listen(servers[servers.length - 1]));
  }
  const tls = createTcpServer();
  // Sends more bytes than it announces, in one chunk.
  const short = createTcpServer((socket) => {
    socket.once(
      'data',
      () => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nmuch more'),
    );
  });
  servers.push(tls, short);
  ports.set('tls', await listen(tls)).set('short', await listen(short));
  for (const server of servers) {
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => void sockets.delete(socket));
    });
  }
  const stopped = await startStopped();
  ports.set('connect', stopped.port);
  return {
    ports,
    goodPort: await listen(good),
    async close() {
      stopped.child.kill('SIGKILL');
      for (const socket of sockets) socket.destroy();
      await Promise.all(
        servers.map((server) => new Promise((resolve) => void server.close(resolve))),
      );
    },
  };
}

async function listen(server: Server): Promise<number> {
  // If the backlog were full, the kernel would respond instead of the target.
  server.listen({ port: 0, host: '0.0.0.0', backlog: 4_096 });
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Starts a process that listens, and suspends it: once its backlog is full, connections hang. */
async function startStopped(): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const script =
    'const server = require("net").createServer();' +
    'server.listen({ port: 0, host: "0.0.0.0", backlog: 1 }, () => console.log(server.address().port))';
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  child.kill('SIGSTOP');
  return { child, port: Number(chunk.toString()) };
}

/** Returns the loopback address with this index. */
function loopbackAddress(index: number): string {
  return `127.${1 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
}

export interface HostileJobs {
  /** The job `good`, and a job for each kind of misbehaviour, as YAML for `scrape_configs`. */
  readonly yaml: string;
  readonly goodHosts: readonly string[];
}

/**
 * Makes jobs with `count` targets. A share of `hostileShare` are hostile, in equal numbers of each
 * kind.
 */
export function hostileJobs(
  { ports, goodPort }: HostileTargets,
  options: {
    readonly count: number;
    readonly hostileShare: number;
    readonly interval: string;
    readonly timeout: string;
  },
): HostileJobs {
  const { count, hostileShare, interval, timeout } = options;
  const kinds = [...ports.keys()];
  const hostileCount = Math.round(count * hostileShare);
  const goodHosts = Array.from(
    { length: count - hostileCount },
    (_, i) => `${loopbackAddress(i)}:${goodPort}`,
  );
  const job = (name: string, targets: readonly string[], more: readonly string[] = []): string =>
    [
      `  - job_name: ${name}`,
      `    scrape_interval: ${interval}`,
      `    scrape_timeout: ${timeout}`,
      '    honor_timestamps: false',
      `    body_size_limit: ${bodyLimit}`,
      ...more.map((line) => `    ${line}`),
      '    profiling_config:',
      '      pprof_config:',
      ...['memory', 'block', 'goroutine', 'mutex', 'process_cpu'].map(
        (one) => `        ${one}: {enabled: false}`,
      ),
      '        p: {enabled: true, path: /p}',
      `    static_configs: [{targets: [${targets.map((target) => `'${target}'`).join(', ')}]}]`,
    ].join('\n');
  const jobs = kinds.map((kind, i) => {
    const own = Math.floor((hostileCount + i) / kinds.length);
    const hosts = Array.from({ length: own }, (_, j) => `${loopbackAddress(j)}:${ports.get(kind)}`);
    const tls = ['scheme: https', 'tls_config: {insecure_skip_verify: true}'];
    const more = kind === 'tls' ? tls : kind === 'redirect' ? ['follow_redirects: true'] : [];
    return job(kind, hosts, more);
  });
  return { yaml: ['scrape_configs:', job('good', goodHosts), ...jobs, ''].join('\n'), goodHosts };
}

/** Times at which good targets were scraped, and the lateness of each scrape. */
export class Arrivals {
  readonly #intervalMillis: number;
  readonly #times = new Map<string, number[]>();

  constructor(intervalMillis: number) {
    this.#intervalMillis = intervalMillis;
  }

  note(host: string): void {
    const times = this.#times.get(host);
    if (times === undefined) this.#times.set(host, [performance.now()]);
    else times.push(performance.now());
  }

  get count(): number {
    return [...this.#times.values()].reduce((sum, times) => sum + times.length, 0);
  }

  /**
   * Returns the lateness of each scrape between two times, and Infinity for each missing scrape.
   * Lateness is relative to the earliest scrape of the same target, because the schedule of a
   * target is known only from its scrapes.
   */
  lateness(hosts: readonly string[], fromMillis: number, toMillis: number): number[] {
    return hosts.flatMap((host) => this.#ofHost(host, fromMillis, toMillis));
  }

  #ofHost(host: string, fromMillis: number, toMillis: number): number[] {
    const interval = this.#intervalMillis;
    const times = this.#times.get(host) ?? [];
    if (times.length === 0)
      return Array<number>(Math.floor((toMillis - fromMillis) / interval)).fill(Infinity);
    const [first] = times;
    const phases = times.map(
      (time) => time - first - Math.round((time - first) / interval) * interval,
    );
    const start = first + phases.reduce((least, phase) => Math.min(least, phase), 0);
    const late: number[] = [];
    for (let due = start; due < toMillis - interval; due += interval) {
      if (due < fromMillis) continue;
      const came = times.find((time) => time >= due - 1 && time < due + interval - 1);
      late.push(came === undefined ? Infinity : Math.max(0, came - due));
    }
    return late;
  }
}
