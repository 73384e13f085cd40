// Benchmark of a unary call: server CPU time of our framing on node:http2 relative to grpc-js.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, unary, writeRawPath, writeRawRequest } from '../test/support/grpc-client.ts';
import { median, reportRatio } from './measure.ts';

const inFlight = 32;
const turns = 5;
const program = new URL('transport-server.ts', import.meta.url).pathname;
/** Bytes of a profile, and calls per turn. */
const payloads = [
  [1_000, 8_000],
  [41_000, 1_000],
  [1_000_000, 60],
] as const;

async function start(kind: string): Promise<{ child: ChildProcess; address: string }> {
  const child = fork(program, [kind]);
  const [message] = await once(child, 'message');
  return { child, address: String(Object(message).address) };
}

async function cpuMicros(child: ChildProcess): Promise<number> {
  const answer = once(child, 'message');
  child.send('cpu');
  return Number(Object((await answer)[0]).cpuMicros);
}

/** Returns the microseconds of server CPU time per call. */
async function turn(
  { child, address }: { child: ChildProcess; address: string },
  request: Uint8Array,
  calls: number,
): Promise<number> {
  const client = connect(address);
  await unary(client, writeRawPath, request);
  const before = await cpuMicros(child);
  let left = calls;
  const caller = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await unary(client, writeRawPath, request);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, caller));
  const spent = (await cpuMicros(child)) - before;
  client.close();
  return spent / calls;
}

const ours = await start('ours');
const grpcJs = await start('grpc-js');
for (const [bytes, calls] of payloads) {
  const request = writeRawRequest({ __name__: 'process_cpu' }, new Uint8Array(bytes).fill(1));
  const results: [number, number][] = [];
  for (let i = -1; i < turns; i += 1) {
    const pair: [number, number] = [
      await turn(ours, request, calls),
      await turn(grpcJs, request, calls),
    ];
    if (i >= 0) results.push(pair);
  }
  const [own, theirs] = [0, 1].map((side) => median(results.map((pair) => pair[side])));
  console.log(`${bytes} bytes: ours ${own.toFixed(0)} us, grpc-js ${theirs.toFixed(0)} us a call`);
  const ratio = median(results.map(([a, b]) => a / b));
  reportRatio(`unary call, ${bytes} bytes, to grpc-js`, ratio, bytes < 2_000 ? 1.1 : 0.9, false);
}
ours.child.disconnect();
grpcJs.child.disconnect();
