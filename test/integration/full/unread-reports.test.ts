// Tests reports that nobody reads: the thread makes one report at a time, and the server holds at
// most `--http-max-answer-memory` of them, however many callers do not read.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Long from 'long';
import { parca } from '../../../proto/gen/query.js';
import { frameMessage } from '../../../src/api/transport/grpc/message-frames.ts';
import { startFilledServer } from '../../support/filled-server.ts';
import { parseMetrics } from '../../support/metrics-text.ts';
import { cpuProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';

const mebi = 1024 * 1024;
const callerCount = 300;
/** Number of simultaneous callers, which is also the limit of waiting queries. */
const waveCount = 100;
const heldBytesMax = 16 * mebi;
/** Bytes for everything else: the reports thread, caches, and reports made until the next check. */
const besidesBytesMax = 320 * mebi;

/** Timeout for the reports of all callers on a busy machine. */
const whole = { timeout: 300_000 };

const start = Date.parse('2026-01-01T00:00:00Z');
const server = await startFilledServer(['--http-max-answer-memory=16MiB'], (push) => {
  const samples = Array.from(
    { length: 40_000 },
    (_, i) => [`main;${`${i * 2_654_435_761} `.repeat(8)}`, 1n] as const,
  );
  const timeNanos = BigInt(start) * 1_000_000n;
  return push({ __name__: 'process_cpu' }, gzippedPprof(cpuProfile({ timeNanos, samples })));
});
after(() => {
  for (const session of sessions) session.destroy();
  return server.stop();
});

const sessions: ClientHttp2Session[] = [];

/** Requests a report that no other caller has requested. */
function ask(i: number): ClientHttp2Stream {
  const session = connect(server.url);
  session.on('error', () => undefined);
  sessions.push(session);
  const { QueryRequest } = parca.query.v1alpha1;
  const message = QueryRequest.encode({
    mode: QueryRequest.Mode.MODE_MERGE,
    merge: {
      query: 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta',
      start: { seconds: Long.fromNumber(start / 1_000 - 1 - i) },
      end: { seconds: Long.fromNumber(start / 1_000 + 60) },
    },
    reportType: QueryRequest.ReportType.REPORT_TYPE_TABLE_ARROW,
  }).finish();
  const stream = session.request({
    ':method': 'POST',
    ':path': '/parca.query.v1alpha1.QueryService/Query',
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  stream.on('error', () => undefined);
  stream.end(frameMessage(message));
  return stream;
}

async function countBytes(stream: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0;
  for await (const chunk of stream) bytes += chunk.length;
  return bytes;
}

function peakBytes(): number {
  const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'latin1'));
  return Number(found?.[1]) * 1024;
}

/** Returns the number of answers that were cut off because they took too much memory. */
async function cutOffCount(): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const found = parseMetrics(text).find(
    ({ name, labels }) =>
      name === 'parca_api_answers_cut_off_total' && labels.get('limit') === 'memory',
  );
  return found?.value ?? 0;
}

test(
  'callers who read nothing of large reports cost no more memory than the limit',
  whole,
  async () => {
    const answerBytes = await countBytes(ask(callerCount));
    assert.ok(callerCount * answerBytes > 600 * mebi, `${answerBytes} bytes of a report`);
    const before = peakBytes();
    for (let first = 0; first < callerCount; first += waveCount) {
      const streams = Array.from({ length: waveCount }, (_, i) => ask(first + i));
      await Promise.all(streams.map((stream) => once(stream, 'response')));
    }
    const heldMax = heldBytesMax / answerBytes;
    while (callerCount - (await cutOffCount()) > heldMax) await sleep(50);
    const grown = peakBytes() - before;
    assert.ok(grown < heldBytesMax + besidesBytesMax, `${grown} bytes more at the peak`);
  },
);
