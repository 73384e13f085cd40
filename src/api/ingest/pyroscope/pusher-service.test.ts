// Tests of requests with very many empty messages, which take two bytes each.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { push } from '../../../../proto/gen/push.js';
import { AppError } from '../../../base/errors.ts';
import { recordingsPerPushMax, unknownFieldsMax } from '../../limits.ts';
import { inputLimits } from '../../../base/input-limits.ts';
import { emptyMessages } from '../../../formats/testing/empty-messages.ts';
import { queryMethods } from '../../query/query-service.ts';
import { emptyServices } from '../../../../test/support/api.ts';
import { createFakeClock } from '../../../base/fake/clock.ts';
import { AgentTable } from '../agent-table.ts';
import { ProfilePushes } from '../profile-pushes.ts';
import type { Method } from '../../transport/call/method.ts';
import { pusherMethods } from './pusher-service.ts';

const clock = createFakeClock();
const pushes = new ProfilePushes(emptyServices.ingester, new AgentTable(clock));
const context = {
  peer: '',
  caller: '',
  signal: new AbortController().signal,
  limits: {},
  tags: [],
};

function refusal(methods: readonly Method[], name: string, bytes: Uint8Array): Promise<void> {
  const method = methods.find(({ path }) => path.endsWith(`/${name}`));
  assert.ok(method?.kind === 'unary');
  return assert.rejects(
    async () => method.handle(bytes, context),
    (error) => error instanceof AppError && error.code === 'resource-exhausted',
    name,
  );
}

test('very many series, labels, profiles or filters are refused before they are objects', async () => {
  const methods = pusherMethods(pushes, clock, assert.fail);
  const { seriesPerRequest, labelsPerSeries } = inputLimits;
  await refusal(methods, 'Push', emptyMessages(seriesPerRequest + 1, 1));
  await refusal(methods, 'Push', emptyMessages(seriesPerRequest + 1, 1, 2));
  await refusal(methods, 'Push', emptyMessages(2 * labelsPerSeries + 1, 1, 1));
  await refusal(methods, 'Push', emptyMessages(unknownFieldsMax + 1, 9));
  const queries = queryMethods({ ...emptyServices, clock });
  await refusal(queries, 'Query', emptyMessages(600_000, 12));
});

test('very many recordings of Java are refused before one is read', async () => {
  const samples = Array.from({ length: recordingsPerPushMax + 1 }, () => ({
    rawProfile: Uint8Array.of(0x46, 0x4c, 0x52, 0),
  }));
  const bytes = push.v1.PushRequest.encode({ series: [{ labels: [], samples }] }).finish();
  await refusal(pusherMethods(pushes, clock, assert.fail), 'Push', bytes);
});
