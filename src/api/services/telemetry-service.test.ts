import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parca } from '../../../proto/gen/telemetry.js';
import { createFakeClock } from '../../base/fake/clock.ts';
import { type LogFields, silentLogger } from '../../base/logger.ts';
import { noMetrics } from '../../base/metrics.ts';
import { panicsLoggedMax, panicTextLengthMax } from '../limits.ts';
import { telemetryMethods } from './telemetry-service.ts';

const { ReportPanicRequest } = parca.telemetry.v1alpha1;
const context = {
  peer: 'a',
  caller: '',
  signal: new AbortController().signal,
  limits: {},
  tags: [],
};

test('the end of a report is logged, of the first ones, and the others are not decoded', async (t) => {
  const lines: LogFields[] = [];
  const logger = {
    ...silentLogger,
    error: (_: string, fields: LogFields = {}) => void lines.push(fields),
  };
  const [method] = telemetryMethods({ clock: createFakeClock(), logger, metrics: noMetrics });
  assert.ok(method.kind === 'unary' && method.dropsRequest === true);
  const stderr = `${'\u00fc'.repeat(2 * panicTextLengthMax)}\u20ac end`;
  const metadata = { kernel: '6.1', cpu: 'y'.repeat(1_000) };
  const request = ReportPanicRequest.encode({ stderr, metadata }).finish();
  await method.handle(request, context);
  assert.equal(lines[0]['stderr'], stderr.slice(-panicTextLengthMax));
  assert.equal(lines[0]['facts'], `kernel=6.1 cpu=${'y'.repeat(196)}`);
  for (let i = 1; i < panicsLoggedMax; i += 1) await method.handle(request, context);
  const decode = t.mock.method(TextDecoder.prototype, 'decode');
  await method.handle(request, context);
  assert.deepEqual([lines.length, decode.mock.callCount()], [panicsLoggedMax, 0]);
  await assert.rejects(async () => method.handle(Uint8Array.of(0x0a, 9), context), {
    code: 'invalid-argument',
  });
});
