// Runs the real agent as a process, and queries a server for the tests' assertions.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { Profile } from 'pprof-format';
import type { AgentStatus } from '../../agent/status/status.ts';
import { getText } from '../support/json-api.ts';
import type { TestServer } from '../support/server.ts';
import type { Used } from './targets.ts';

const agentProgram = new URL('../../cmd/parca-agent/main.ts', import.meta.url).pathname;
const readyMillisMax = 180_000;

/** The type of the agent's profiles. */
export const cpuType = 'parca_agent:samples:count:cpu:nanoseconds:delta';

/** A running agent, started by a test. */
export interface TestAgent {
  readonly pid: number;
  /** Body of /status.json. */
  status(): Promise<AgentStatus>;
  /** Body of /metrics. */
  metrics(): Promise<string>;
  log(): string;
  /** Waits until `isSo` returns true for the status; fails after `secondsMax`. */
  waitFor(what: string, isSo: (status: AgentStatus) => boolean, secondsMax?: number): Promise<void>;
  /** Sends SIGTERM and waits for the end; resolves to the exit code. */
  stop(): Promise<number | null>;
}

/**
 * Returns a function that registers what to do after the tests of the file. It is done in reverse
 * order: an agent stops before its server, and a server before its folder is removed.
 */
export function cleaner(): (clean: () => Promise<unknown>) => void {
  const all: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const clean of all.toReversed()) await clean();
  });
  return (clean) => all.push(clean);
}

/** Starts an agent; resolves when it is sampling. */
export async function startAgent(flags: readonly string[]): Promise<TestAgent> {
  const child = spawn(process.execPath, [agentProgram, '--http-address=127.0.0.1:0', ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  const address = await new Promise<string>((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`agent ${why}; its log:\n${log}`));
    const timer = setTimeout(() => fail('did not get ready'), readyMillisMax);
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      const found = /msg=ready address=(\S+)/.exec(log);
      if (found === null) return;
      clearTimeout(timer);
      resolve(found[1]);
    });
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(`ended with code ${code}`);
    });
  });
  const readStatus = async (): Promise<AgentStatus> => {
    // The agent may close a reused connection just as the next request is sent.
    const headers = { connection: 'close' };
    for (;;) {
      const response = await fetch(`http://${address}/status.json`, { headers });
      const text = await response.text();
      // On a busy machine, a request that has waited for ten seconds is refused.
      if (response.status !== 408) return JSON.parse(text) as AgentStatus;
    }
  };
  return {
    pid: child.pid ?? 0,
    status: readStatus,
    metrics: async () => (await fetch(`http://${address}/metrics`)).text(),
    log: () => log,
    waitFor: async (what, isSo, secondsMax = 180) => {
      const end = performance.now() + secondsMax * 1_000;
      let status = await readStatus();
      while (!isSo(status)) {
        const shown = JSON.stringify({ ...status, processes: [], executables: [] });
        assert.ok(performance.now() < end, `${what} did not happen: ${shown}\n${log}`);
        await sleep(100);
        status = await readStatus();
      }
    },
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      }
      return child.exitCode;
    },
  };
}

/** Waits until an agent has sent more requests. */
export async function waitForRequests(agent: TestAgent, count: number): Promise<void> {
  const before = (await agent.status()).sender?.sentRequests ?? 0;
  const isMore = (now = 0): boolean => now >= before + count;
  await agent.waitFor(`${count} requests`, ({ sender }) => isMore(sender?.sentRequests), 240);
}

/** Returns the flags for an agent that sends to `server` every second. */
export function agentFlags(
  server: TestServer,
  queueDirectory: string,
  frequencyHz: number,
): string[] {
  return [
    `--remote-store-address=${server.address}`,
    '--remote-store-insecure',
    '--profiling-duration=1s',
    `--profiling-cpu-sampling-frequency=${frequencyHz}`,
    `--queue-directory=${queueDirectory}`,
    '--node=test-node',
  ];
}

/** Samples of one stack. */
export interface CountedStack {
  /**
   * Names from the leaf to the root, including inlined calls; the file's name for a frame without a
   * function name.
   */
  readonly frames: readonly string[];
  readonly samples: number;
}

const anHour = 3_600_000;

function range(): { readonly start: string; readonly end: string } {
  const [start, end] = [-anHour, anHour].map((millis) => new Date(Date.now() + millis));
  return { start: start.toISOString(), end: end.toISOString() };
}

/**
 * Returns the stacks of the series that `matchers` select, after the server has looked up all
 * names.
 */
export async function readStacks(server: TestServer, matchers: string): Promise<CountedStack[]> {
  const query = `${cpuType}{${matchers}}`;
  while (await isNaming(server, query)) await sleep(100);
  const parameters = new URLSearchParams({ query, ...range(), format: 'pprof' });
  const response = await fetch(`${server.url}/api/v1/export?${parameters}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.equal(response.status, 200, bytes.toString('utf8', 0, 500));
  const profile = Profile.decode(gunzipSync(bytes));
  const text = (row: number | bigint): string => profile.stringTable.strings[Number(row)];
  const functions = new Map(profile.function.map((one) => [one.id, text(one.name)]));
  const files = new Map(profile.mapping.map((one) => [one.id, text(one.filename)]));
  const frames = new Map(
    profile.location.map(({ id, line, mappingId }) => {
      const names = line.map(({ functionId }) => functions.get(functionId) ?? '');
      return [id, names.length > 0 ? names : [files.get(mappingId) ?? '']];
    }),
  );
  return profile.sample.map(({ locationId, value }) => ({
    frames: locationId.flatMap((id) => frames.get(id) ?? []),
    samples: Number(value[0]),
  }));
}

async function isNaming(server: TestServer, query: string): Promise<boolean> {
  const answer = await getText(server.url, '/profiles/query', {
    mode: 'MODE_MERGE',
    reportType: 'REPORT_TYPE_TOP',
    'merge.query': query,
    'merge.start': range().start,
    'merge.end': range().end,
  });
  const { warnings = [] } = JSON.parse(answer) as { readonly warnings?: readonly string[] };
  return warnings.some((text) => text.includes('being looked up'));
}

/** Returns the number of samples in stacks for which `isWanted` returns true. */
export function countSamples(
  stacks: readonly CountedStack[],
  isWanted: (frames: readonly string[]) => boolean = () => true,
): number {
  return stacks.reduce((sum, { frames, samples }) => sum + (isWanted(frames) ? samples : 0), 0);
}

/**
 * Fails unless the number of samples matches the CPU time, within a share. The sampling clock
 * continues while the hypervisor runs other machines; the CPU time of a program does not.
 */
export function assertSampled(
  samples: number,
  { cpuSeconds, stolenSeconds }: Used,
  frequencyHz: number,
  share: number,
): void {
  const least = cpuSeconds * frequencyHz * (1 - share);
  const most = (cpuSeconds + stolenSeconds) * frequencyHz * (1 + share);
  const range = `${least.toFixed(0)} to ${most.toFixed(0)} with ${stolenSeconds.toFixed(1)} s stolen`;
  assert.ok(samples >= least && samples <= most, `${samples} samples, not ${range}`);
}

/** Fails unless `actual` is within `tolerance` of `wanted`. */
export function assertNear(actual: number, wanted: number, tolerance: number, what: string): void {
  const isNear = Math.abs(actual - wanted) <= tolerance;
  assert.ok(isNear, `${what}: ${actual}, not ${wanted} within ${tolerance}`);
}
