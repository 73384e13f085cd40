// Profiles of addresses without names, and the stacks that a server makes of them.
import assert from 'node:assert/strict';
import type { Client } from '@grpc/grpc-js';
import Long from 'long';
import protobuf from 'protobufjs/minimal.js';
import { unary, writeRawPath, writeRawRequest } from './grpc-client.ts';

const timeNanos = 1_790_000_000_000_000_000n;

/** One binary and a stack of addresses in it. */
export interface UnnamedStack {
  readonly path: string;
  readonly buildId: string;
  /** ELF virtual addresses, the innermost first. */
  readonly addresses: readonly number[];
  /** Name of the function at each address; absent: none. */
  readonly names?: readonly string[];
}

/** Encodes a CPU profile of one stack with 7 samples, as agents send it. */
function unnamedProfile({ path, buildId, addresses, names = [] }: UnnamedStack): Uint8Array {
  const strings = ['', 'samples', 'count', 'cpu', 'nanoseconds', path, buildId, ...names];
  const writer = new protobuf.Writer();
  const field = (number: number, write: (inner: protobuf.Writer) => void): void => {
    writer.uint32((number << 3) | 2).fork();
    write(writer);
    writer.ldelim();
  };
  field(1, (to) => void to.uint32(0x08).int32(1).uint32(0x10).int32(2));
  field(2, (to) => {
    for (let id = 1; id <= addresses.length; id += 1) to.uint32(0x08).uint64(id);
    to.uint32(0x10).int64(7);
  });
  field(3, (to) => {
    to.uint32(0x08).uint64(1).uint32(0x10).uint64(0).uint32(0x18).uint64(0x4000_0000);
    to.uint32(0x28).int64(5).uint32(0x30).int64(6);
  });
  addresses.forEach((address, i) => {
    field(4, (to) => {
      to.uint32(0x08).uint64(i + 1);
      to.uint32(0x10).uint64(1).uint32(0x18).uint64(address);
      if (i < names.length)
        to.uint32(0x22)
          .fork()
          .uint32(0x08)
          .uint64(i + 1)
          .ldelim();
    });
  });
  names.forEach((_, i) => {
    field(5, (to) => {
      to.uint32(0x08).uint64(i + 1);
      for (const key of [0x10, 0x18]) to.uint32(key).int64(7 + i);
    });
  });
  for (const text of strings) writer.uint32((6 << 3) | 2).string(text);
  writer.uint32(9 << 3).int64(Long.fromString(timeNanos.toString()));
  writer.uint32(10 << 3).int64(Long.fromNumber(1e9));
  field(11, (to) => void to.uint32(0x08).int32(3).uint32(0x10).int32(4));
  writer.uint32(12 << 3).int64(1);
  return writer.finish();
}

/** Writes the profile of a stack as the job `job`. */
export async function pushUnnamed(client: Client, job: string, stack: UnnamedStack): Promise<void> {
  await unary(
    client,
    writeRawPath,
    writeRawRequest({ __name__: 'app', job }, unnamedProfile(stack)),
  );
}

/** An answer about the stacks of one job. */
export interface StacksAnswer {
  /** One line for each stack, the root first. */
  readonly text: string;
  readonly warnings: readonly string[];
}

/** Asks once. */
export async function askStacks(url: string, job: string): Promise<StacksAnswer> {
  const response = await fetch(`${url}/api/v1/export?${parametersOf(job)}&format=collapsed`);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const warnings = JSON.parse(response.headers.get('parca-warnings') ?? '[]') as string[];
  return { text: text.trim(), warnings };
}

/** Parameters of a question about all profiles of a job. */
export function parametersOf(job: string): URLSearchParams {
  const millis = Number(timeNanos / 1_000_000n);
  return new URLSearchParams({
    query: `app:samples:count:cpu:nanoseconds:delta{job="${job}"}`,
    start: new Date(millis - 60_000).toISOString(),
    end: new Date(millis + 60_000).toISOString(),
  });
}

/** Asks until no address waits for its name, as the page does. */
export async function askNamedStacks(url: string, job: string): Promise<StacksAnswer> {
  for (let tries = 0; tries < 400; tries += 1) {
    const answer = await askStacks(url, job);
    if (!answer.warnings.some((sentence) => sentence.includes('being looked up'))) return answer;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('names did not come');
}
