import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../base/fake/clock.ts';
import { AppError } from '../base/errors.ts';
import { type MetricLabels, type Metrics, noMetrics } from '../base/metrics.ts';
import type { Server } from '../base/node/grpc-client.ts';
import { countCalls } from './counted-server.ts';

/** Returns metrics, and a list to which they add the name and the labels of each count. */
function listMetrics(): { readonly metrics: Metrics; readonly counted: string[] } {
  const counted: string[] = [];
  const counter = (name: string) => ({
    add: (_by?: number, labels?: MetricLabels) =>
      void counted.push(`${name} ${Object.values(labels ?? {}).join(' ')}`),
  });
  return { metrics: { ...noMetrics, counter }, counted };
}

async function* messages(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(3);
  yield new Uint8Array(4);
}

const failure = new AppError('unavailable', 'cannot call', {
  cause: Object.assign(new Error('x'), { code: 14 }),
});
const server: Server = {
  call: async (method) => {
    if (method.endsWith('Bad')) throw failure;
    return new Uint8Array(1);
  },
  async sendStream(_method, given) {
    for await (const message of given) void message;
    return new Uint8Array(0);
  },
  async *stream(_method, given) {
    yield* given;
    throw new Error('lost');
  },
  close: () => undefined,
};

test('calls are counted by type, method and status, with the bytes of their requests', async () => {
  const { metrics, counted } = listMetrics();
  const ended: string[] = [];
  const counting = countCalls(server, metrics, createFakeClock(0), (...call) => {
    ended.push(call.join(' '));
  });
  await counting.call('/a.S/Good', new Uint8Array(5), 1);
  await assert.rejects(counting.call('/a.S/Bad', new Uint8Array(6), 1), failure);
  await counting.sendStream('/a.S/Send', messages(), 1);
  const both = async (): Promise<void> => {
    for await (const message of counting.stream('/a.S/Both', messages(), 1)) void message;
  };
  await assert.rejects(both(), /lost/);
  assert.deepEqual(
    counted.filter((line) => line.includes('handled')),
    [
      'grpc_client_handled_total unary a.S Good OK',
      'grpc_client_handled_total unary a.S Bad Unavailable',
      'grpc_client_handled_total client_stream a.S Send OK',
      'grpc_client_handled_total bidi_stream a.S Both Unknown',
    ],
  );
  assert.equal(counted.length, 8);
  assert.deepEqual(ended, [
    '/a.S/Good OK 5',
    '/a.S/Bad Unavailable 6',
    '/a.S/Send OK 7',
    '/a.S/Both Unknown 7',
  ]);
});
