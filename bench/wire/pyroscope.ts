// Pyroscope in a comparison: a single process with its v2 storage in a folder.
import { push } from '../../proto/gen/push.js';
import type { Upload } from './load.ts';
import {
  answering,
  type Contender,
  end,
  freePort,
  pushesAtOnce,
  questionNames,
  startProgram,
} from './peer-process.ts';
import { pyroscopeFlags } from './pyroscope-flags.ts';

/** Flags that raise a tenant's limits, because the default limits are too low for this load. */
const withoutLimits = [
  '-distributor.ingestion-rate-limit-mb=4096',
  '-distributor.ingestion-burst-size-mb=4096',
  '-ingester.max-global-series-per-tenant=0',
];

/** Starts Pyroscope with its data in an empty folder. */
export async function startPyroscope(
  program: string,
  folder: string,
  uploads: readonly Upload[],
): Promise<Contender> {
  const ports = await Promise.all(Array.from({ length: 4 }, freePort));
  const child = startProgram(program, [...pyroscopeFlags(ports, folder), ...withoutLimits], folder);
  const url = `http://127.0.0.1:${ports[0]}`;
  await answering(`${url}/ready`, child);
  const ask = async (name: string, leadMillis: number): Promise<void> => {
    const [call, request] = makeQuestion(name, leadMillis, uploads);
    const path = `${url}/querier.v1.QuerierService/${call}`;
    const answer = String(await post(path, 'application/json', JSON.stringify(request)));
    if (!/"(total|leftTicks)":"?[1-9]/.test(answer)) throw new Error(`empty: ${answer}`);
  };
  return {
    name: 'Pyroscope',
    pid: child.pid ?? 0,
    push: (first, last) => pushToPyroscope(url, uploads.slice(first, last), pushesAtOnce),
    ask,
    stop: () => end(child),
  };
}

/** Pushes profiles through Pyroscope's API. */
export async function pushToPyroscope(
  url: string,
  uploads: readonly Upload[],
  atOnce: number,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let i = next++; i < uploads.length; i = next++) {
      await postMessage(`${url}/push.v1.PusherService/Push`, pushRequest(uploads[i]));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Sends a Connect call with a protobuf message. */
export function postMessage(url: string, message: Uint8Array): Promise<Buffer> {
  return post(url, 'application/proto', message);
}

async function post(url: string, type: string, body: string | Uint8Array): Promise<Buffer> {
  const options = { method: 'POST', headers: { 'content-type': type }, body: Buffer.from(body) };
  const response = await fetch(url, options);
  const answer = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${answer}`);
  return answer;
}

function pushRequest({ job, instance, gzipped }: Upload): Uint8Array {
  const labels = Object.entries({ __name__: 'process_cpu', service_name: job, instance });
  const series = {
    labels: labels.map(([name, value]) => ({ name, value })),
    samples: [{ rawProfile: gzipped }],
  };
  return push.v1.PushRequest.encode({ series: [series] }).finish();
}

/** Returns a call of Pyroscope's API, and its request. */
function makeQuestion(
  name: string,
  leadMillis: number,
  uploads: readonly Upload[],
): [string, object] {
  const { job, instance } = uploads[3];
  const times = uploads
    .filter((one) => one.job === job)
    .map(({ timeNanos }) => toMillis(timeNanos));
  const first = Math.min(...times) - 1_000 - leadMillis;
  const middle = times.sort((a, b) => a - b)[times.length >> 1];
  const last = Math.max(...times) + 1_000;
  const selection = (labelSelector: string, start: number, end: number): object => ({
    profileTypeID: 'process_cpu:cpu:nanoseconds:cpu:nanoseconds',
    labelSelector,
    start: String(start),
    end: String(end),
    maxNodes: '16384',
  });
  const ofService = `{service_name="${job}"}`;
  if (name === questionNames[2]) {
    const left = selection(ofService, first, middle);
    return ['Diff', { left, right: selection(ofService, middle + 1, last) }];
  }
  const selector =
    name === questionNames[0] ? ofService : `{service_name="${job}",instance="${instance}"}`;
  return ['SelectMergeStacktraces', selection(selector, first, last)];
}

function toMillis(nanos: bigint): number {
  return Number(nanos / 1_000_000n);
}
