// Process of the normal client that runs next to an attack. It sends a request every 100 ms from
// its own address, and reports how long the answers took.
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request as startRequest } from 'node:http';
import { password, user } from './attack.ts';
import type { Shot } from './client.ts';
import type { Kind } from './contender.ts';
import { type ProbeName, probeNames, type Probes, makeProbes } from './probes.ts';

/** Address of this client; attackers use other addresses. */
const address = '127.0.0.2';
const periodMillis = 100;
/** Maximum number of unanswered requests; no request is sent until one of them is answered. */
const waitingMax = 12;
/** Longest wait for an answer; a request without an answer counts as this long. */
const waitMillisMax = 30_000;

/** Message from the runner: a server to test, or the end of a phase. */
export type ProberOrder =
  | {
      readonly kind: Kind;
      readonly port: number;
      readonly pid: number;
      readonly hasPasswords: boolean;
    }
  | { readonly over: true };

/** Response times of a phase in milliseconds, in the order of the requests. */
export interface ProbeTimes {
  readonly wall: number[];
  /** The same times, less the time that the server's thread or this process waited for a core. */
  readonly own: number[];
  /** Statuses other than 2xx, and connection errors. */
  readonly failures: string[];
}
export type Phase = Record<ProbeName, ProbeTimes>;

const agent = new Agent({ keepAlive: true, maxSockets: 400, localAddress: address } as object);
let phase = emptyPhase();
let waiting: { phase: Phase; started: number }[] = [];

process.on('message', (order: ProberOrder) => {
  if (!('over' in order)) {
    start(order);
    return;
  }
  const over = phase;
  phase = emptyPhase();
  void finish(over);
});

function emptyPhase(): Phase {
  const times = (): ProbeTimes => ({ wall: [], own: [], failures: [] });
  return { ready: times(), push: times(), question: times() };
}

function start(order: Exclude<ProberOrder, { over: true }>): void {
  const probes = makeProbes(order.kind);
  let i = 0;
  setInterval(() => {
    // Prevents a flood of requests to a server that gets no core.
    if (waiting.length >= waitingMax) return;
    i += 1;
    for (const name of probeNames) void probe(order, probes, name, i);
  }, periodMillis);
}

async function probe(
  order: Exclude<ProberOrder, { over: true }>,
  probes: Probes,
  name: ProbeName,
  i: number,
): Promise<void> {
  const into = phase;
  const shot = probes[name](i);
  const entry = { phase: into, started: performance.now() };
  waiting.push(entry);
  const before = waits(order.pid);
  const started = performance.now();
  const failure = await ask(order.port, shot, order.hasPasswords);
  const wall = performance.now() - started;
  waiting = waiting.filter((one) => one !== entry);
  const times = into[name];
  times.wall.push(wall);
  times.own.push(Math.max(0, wall - waitMillis(name, before, waits(order.pid))));
  if (failure !== '') times.failures.push(failure);
}

function ask(port: number, { path, headers, body }: Shot, hasPasswords: boolean): Promise<string> {
  const credentials = Buffer.from(`${user}:${password}`).toString('base64');
  const options = {
    host: '127.0.0.1',
    port,
    path,
    agent,
    timeout: waitMillisMax,
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...(hasPasswords && { authorization: `Basic ${credentials}` }) },
  };
  return new Promise((resolve) => {
    const request = startRequest(options, (answer) => {
      const status = answer.statusCode ?? 0;
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', (error) => resolve(error.message));
      answer.once('end', () =>
        resolve(status < 300 ? '' : `${status} ${Buffer.concat(chunks).toString().slice(0, 120)}`),
      );
    });
    request.once('timeout', () => request.destroy(new Error('no answer')));
    request.once('error', (error) => resolve(error.message));
    request.end(body);
  });
}

/** Waits for the answers of a phase, and reports them. */
async function finish(over: Phase): Promise<void> {
  const end = performance.now() + waitMillisMax;
  while (waiting.some((one) => one.phase === over) && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  process.send?.(over);
}

/** Nanoseconds for which threads were runnable but waited for a core. */
interface Waits {
  /** Waits of this process. */
  readonly own: number;
  /** Waits of the server's thread that reads requests. */
  readonly main: number;
  readonly others: ReadonlyMap<string, number>;
}

function waits(pid: number): Waits {
  const others = new Map<string, number>();
  let main = 0;
  const own = readWait('/proc/self/schedstat');
  try {
    main = readWait(`/proc/${pid}/task/${pid}/schedstat`);
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      if (Number(thread) !== pid)
        others.set(thread, readWait(`/proc/${pid}/task/${thread}/schedstat`));
    }
  } catch {
    // The server or the thread has ended.
    return { own, main, others };
  }
  return { own, main, others };
}

function readWait(path: string): number {
  return Number(readFileSync(path, 'utf8').split(' ')[1]);
}

/**
 * Returns the milliseconds for which this process and the server's first thread waited. If the
 * answer needs other threads, adds the longest wait of one of them.
 */
function waitMillis(name: ProbeName, before: Waits, after: Waits): number {
  let longest = 0;
  for (const [thread, nanos] of name === 'ready' ? [] : after.others) {
    longest = Math.max(longest, nanos - (before.others.get(thread) ?? nanos));
  }
  return (longest + after.main - before.main + after.own - before.own) / 1e6;
}
