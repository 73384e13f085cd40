// Tests of the two steps of Write with a test clock; test/integration has the other tests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parca } from '../../../../proto/gen/profilestore.js';
import { createFakeClock } from '../../../base/fake/clock.ts';
import { inputLimits } from '../../../base/input-limits.ts';
import { encodeSamples } from '../../../formats/parca-arrow/testing/version-1.ts';
import type { CallContext } from '../../transport/call/method.ts';
import { AgentTable } from '../agent-table.ts';
import { ProfilePushes } from '../profile-pushes.ts';
import { writeInTwoSteps } from './write-arrow.ts';

const { WriteRequest, WriteResponse } = parca.profilestore.v1alpha1;
const context: CallContext = {
  peer: '10.0.0.1',
  caller: '10.0.0.1',
  limits: { timeMillisMax: 60_000 },
  tags: [],
  signal: new AbortController().signal,
};

/** Yields the messages of a caller, which then sends nothing more. */
async function* silentAfter(messages: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const record of messages) yield WriteRequest.encode({ record }).finish();
  await new Promise(() => undefined);
}

test('a caller that falls silent is given up after five seconds', async () => {
  const clock = createFakeClock();
  const ingester = { write: async () => undefined, writeRecord: async () => undefined };
  const pushes = new ProfilePushes(ingester, new AgentTable(clock));
  const samples = encodeSamples([{ id: 'a', labels: {}, value: 1n }], 1n);
  for (const messages of [[], [samples]]) {
    const answers = writeInTwoSteps(pushes, clock, silentAfter(messages), context);
    if (messages.length > 0) {
      const first = await answers.next();
      assert.ok(first.done !== true);
      assert.ok(WriteResponse.decode(first.value).record.length > 0);
    }
    const late = { code: 'deadline-exceeded', message: 'deadline exceeded' };
    const isRefused = assert.rejects(answers.next(), late);
    await clock.advance(inputLimits.writeHandshake);
    await isRefused;
    assert.equal(clock.pendingTimers(), 0);
  }
});
