// Compares a script's stacks with the CPU time that its functions measure.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sampler } from '../sampler.ts';
import { chooseStacks, type SampledStack, type StackFrame } from './stacks.ts';

/** Sampler options for tests of scripts in an interpreter. */
export const samplerOptions = {
  frequencyHz: 997,
  tableBytesMax: 64 << 20,
  ringBytes: 4 << 20,
  waitingBytesMax: 64 << 20,
};

/** Allowed deviation of a function's share. */
const tolerance = 0.03;

/** Returns the commands in an environment variable, separated by ':'. */
export function commandsOf(variable: string): string[][] {
  const commands = (process.env[variable] ?? '').split(':').filter((one) => one !== '');
  return commands.map((one) => one.split(' '));
}

/**
 * Runs a program, and returns its stacks. Also returns the CPU seconds that the program spent in
 * each place; the program measures them and prints them as JSON.
 */
export async function sampleProgram(
  sampler: Pick<Sampler, 'take'>,
  [command = '', ...args]: readonly string[],
): Promise<{ stacks: SampledStack[]; used: Map<string, number> }> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const output = text(child.stdout);
  const stacks: SampledStack[] = [];
  const take = (): void => {
    stacks.push(...chooseStacks(sampler.take(), ({ pid }) => pid === child.pid));
  };
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let isRunning = true;
  void ended.then(() => (isRunning = false));
  while (isRunning) {
    await sleep(200);
    take();
  }
  await sleep(200);
  take();
  return { stacks, used: new Map(Object.entries(JSON.parse(await output))) };
}

/**
 * Returns the name of a frame's function; '' for native frames, and for functions without a name.
 */
export function functionName({ scriptFunction }: StackFrame): string {
  return scriptFunction?.name ?? '';
}

/**
 * Compares each place's share of the samples with its share of the CPU time. A sample in a place
 * that never ran would mean that a name or line is wrong.
 */
export function checkShares(places: readonly string[], used: ReadonlyMap<string, number>): void {
  const seconds = [...used.values()].reduce((sum, one) => sum + one, 0);
  const counts = new Map<string, number>();
  for (const place of places) counts.set(place, (counts.get(place) ?? 0) + 1);
  const rows = [...new Set([...used.keys(), ...counts.keys()])].map((key) => ({
    key,
    wanted: (used.get(key) ?? 0) / seconds,
    got: (counts.get(key) ?? 0) / places.length,
  }));
  const table = rows.map(
    ({ key, wanted, got }) => `${key} ${got.toFixed(3)} of ${wanted.toFixed(3)}`,
  );
  for (const { key, wanted, got } of rows) {
    assert.ok(Math.abs(wanted - got) <= tolerance, `${key} in\n${table.join('\n')}`);
    assert.ok(wanted > 0 || got === 0, `${key} is none of\n${table.join('\n')}`);
  }
}

/**
 * Returns true if there are native frames between two functions. This means that C code has called
 * the first function.
 */
export function hasNativeBetween({ user }: SampledStack, called: RegExp, caller: string): boolean {
  const from = user.findIndex((frame) => called.test(functionName(frame)));
  const to = user.findIndex((frame) => functionName(frame) === caller);
  return (
    from >= 0 &&
    to > from + 1 &&
    user.slice(from + 1, to).every((frame) => functionName(frame) === '')
  );
}
