// Makes profiles of addresses without names, and reads the stacks from the server's answers.
import assert from 'node:assert/strict';
import type { Client } from '@grpc/grpc-js';
import {
  Function,
  Line,
  Location,
  Mapping,
  Profile,
  Sample,
  StringTable,
  ValueType,
} from 'pprof-format';
import { unary, writeRawPath, writeRawRequest } from '../grpc-client.ts';

/** Time of all profiles in this file. */
export const unnamedTimeNanos = 1_790_000_000_000_000_000n;

/** One binary and a stack of addresses in it. */
export interface UnnamedStack {
  readonly path: string;
  readonly buildId: string;
  /** ELF virtual addresses, the innermost first. */
  readonly addresses: readonly number[];
  /** Name of the function at each address; no names if absent. */
  readonly names?: readonly string[];
  /** Mapping of the binary; the default mapping does not say where addresses are. */
  readonly mapping?: { readonly start: number; readonly limit: number; readonly offset: number };
}

/** Encodes a CPU profile of stacks with 7 samples each, like an agent. */
export function unnamedProfile(stacks: readonly UnnamedStack[]): Uint8Array {
  const stringTable = new StringTable();
  const text = (of: string): number => stringTable.dedup(of);
  const profile = new Profile({
    stringTable,
    sampleType: [new ValueType({ type: text('samples'), unit: text('count') })],
    periodType: new ValueType({ type: text('cpu'), unit: text('nanoseconds') }),
    period: 1,
    timeNanos: unnamedTimeNanos,
    durationNanos: 1e9,
  });
  const { location, function: functions } = profile;
  for (const [i, stack] of stacks.entries()) {
    const mappingId = i + 1;
    const { path, buildId, addresses, names = [] } = stack;
    const { start, limit, offset } = stack.mapping ?? { start: 0, limit: 0x4000_0000, offset: 0 };
    profile.mapping.push(
      new Mapping({
        id: mappingId,
        memoryStart: start,
        memoryLimit: limit,
        fileOffset: offset,
        filename: text(path),
        buildId: text(buildId),
      }),
    );
    const locationId = addresses.map((address, depth) => {
      const name = names[depth];
      const line = [];
      if (name !== undefined) {
        const id = functions.length + 1;
        functions.push(new Function({ id, name: text(name), systemName: text(name) }));
        line.push(new Line({ functionId: id }));
      }
      const id = location.length + 1;
      location.push(new Location({ id, mappingId, address, line }));
      return id;
    });
    profile.sample.push(new Sample({ locationId, value: [7] }));
  }
  return profile.encode();
}

/** Writes the profile of a stack for the job `job`. */
export async function pushUnnamed(client: Client, job: string, stack: UnnamedStack): Promise<void> {
  await unary(
    client,
    writeRawPath,
    writeRawRequest({ __name__: 'app', job }, unnamedProfile([stack])),
  );
}

/** An answer with the stacks of one job. */
export interface StacksAnswer {
  /** One line for each stack, root first. */
  readonly text: string;
  readonly warnings: readonly string[];
}

/** Sends one query; its answer waits long enough for the names, even on a busy machine. */
export async function askStacks(url: string, job: string, wait = '60s'): Promise<StacksAnswer> {
  const asked = `${queryParameters(job)}&format=collapsed&symbolizer-wait=${wait}`;
  const response = await fetch(`${url}/api/v1/export?${asked}`);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const warnings = JSON.parse(response.headers.get('parca-warnings') ?? '[]') as string[];
  return { text: text.trim(), warnings };
}

/** Returns the parameters of a query for all profiles of a job. */
export function queryParameters(job: string): URLSearchParams {
  const millis = Number(unnamedTimeNanos / 1_000_000n);
  return new URLSearchParams({
    query: `app:samples:count:cpu:nanoseconds:delta{job="${job}"}`,
    start: new Date(millis - 60_000).toISOString(),
    end: new Date(millis + 60_000).toISOString(),
  });
}
