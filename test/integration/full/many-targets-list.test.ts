// Tests huge lists of targets: they are written in slices, one list at a time, and are refused if
// too many lists wait.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type ServiceError, status } from '@grpc/grpc-js';
import { parca } from '../../../proto/gen/scrape.js';
import { targetAnswersWaitingMax } from '../../../src/api/limits.ts';
import type { TargetStatus } from '../../../src/scrape/interface.ts';
import { startApi } from '../../support/api.ts';
import { connect, unary } from '../../support/grpc-client.ts';

const { TargetsResponse } = parca.scrape.v1alpha1;
const method = '/parca.scrape.v1alpha1.ScrapeService/Targets';

function makeStatus(i: number): TargetStatus {
  const address = `10.0.${i >> 8}.${i & 255}:80`;
  return {
    job: `job${i % 3}`,
    discoveredLabels: [{ name: '__address__', value: address }],
    labels: [{ name: 'instance', value: address }],
    profileName: 'process_cpu',
    url: `http://${address}/debug/pprof/profile`,
    intervalMillis: 10_000,
    deadlineMillis: 10_000,
    health: 'good',
    lastError: '',
    errorCount: 0,
    firstErrorNanos: 0n,
    lastScrapeNanos: 0n,
    lastScrapeDurationNanos: 0n,
    lastBodyBytes: 0,
    healthSinceNanos: 0n,
    scrapeCount: 1,
    failureCount: 0,
    recentScrapes: () => [],
  };
}

const active = Array.from({ length: 20_000 }, (_, i) => makeStatus(i));
const dropped = active.slice(0, 5);

test('lists of 20,000 targets leave the thread to others, and are whole', async (t) => {
  const api = await startApi({
    services: {
      scrape: {
        activeTargets: () => active,
        droppedTargets: () => dropped,
        testRelabeling: () => assert.fail('not asked'),
      },
    },
  });
  const client = connect(api.address);
  t.after(async () => {
    client.close();
    await api.close();
  });
  let isDone = false;
  let turns = 0;
  const count = (async () => {
    while (!isDone) {
      await turn();
      turns += 1;
    }
  })();
  const answer = await fetch(`${api.url}/api/v1/targets`);
  const { status: outcome, data } = (await answer.json()) as {
    status: string;
    data: {
      activeTargets: { scrapeUrl: string }[];
      droppedTargets: object[];
      pools: { matching: number }[];
    };
  };
  const turnsOfHttp = turns;
  const { targets } = TargetsResponse.decode(await unary(client, method, new Uint8Array(0)));
  isDone = true;
  await count;
  assert.equal(outcome, 'success');
  assert.deepEqual(
    data.activeTargets.map(({ scrapeUrl }) => scrapeUrl),
    active.map(({ url }) => url),
  );
  assert.equal(data.droppedTargets.length, dropped.length);
  assert.equal(
    data.pools.reduce((sum, { matching }) => sum + matching, 0),
    active.length + dropped.length,
  );
  const lengths = ['job0', 'job1', 'job2'].map((job) => targets[job].targets?.length);
  assert.deepEqual(lengths, [6_667 + 2, 6_667 + 2, 6_666 + 1]);
  // Each slice takes 3 ms. If a list were written in one turn, other work would get no turns.
  assert.ok(turnsOfHttp > 10 && turns - turnsOfHttp > 10, `${turnsOfHttp} of ${turns} turns`);
});

test('a caller whose lists fill the queue is refused the last of them', async (t) => {
  const api = await startApi({
    services: {
      scrape: {
        activeTargets: () => active.slice(0, 1_000),
        droppedTargets: () => [],
        testRelabeling: () => assert.fail('not asked'),
      },
    },
  });
  const client = connect(api.address);
  t.after(async () => {
    client.close();
    await api.close();
  });
  const extra = 20;
  const answers = await Promise.allSettled(
    Array.from({ length: targetAnswersWaitingMax + extra }, () =>
      unary(client, method, new Uint8Array(0)),
    ),
  );
  const errors = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  assert.ok(errors.length > 0 && errors.length < extra, `${errors.length} refused`);
  for (const error of errors as ServiceError[]) {
    assert.equal(error.code, status.RESOURCE_EXHAUSTED);
    assert.match(error.details, /^cannot list targets: \d+ requests wait, the limit is 64$/);
  }
});

for (const path of ['/api/v1/targets', '/api/targets']) {
  test(`${path}: as much is made as is read, and no more when the caller has gone`, async (t) => {
    const count = 100_000;
    let made = 0;
    let isEnded = false;
    const api = await startApi({
      services: {
        scrape: {
          *activeTargets() {
            try {
              for (; made < count; made += 1) yield makeStatus(made);
            } finally {
              isEnded = true;
            }
          },
          droppedTargets: () => [],
          testRelabeling: () => assert.fail('not asked'),
        },
      },
    });
    t.after(() => api.close());
    const whole = await fetch(`${api.url}${path}`);
    const text = await whole.text();
    assert.equal(text.match(/"http:/g)?.length, count);
    assert.ok(JSON.parse(text) !== undefined);
    made = 0;
    isEnded = false;
    const gone = new AbortController();
    const slow = await fetch(`${api.url}${path}`, { signal: gone.signal });
    const reader = slow.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    assert.ok(value !== undefined && value.length > 0);
    if (path === '/api/v1/targets') assert.ok(made < count / 2, `${made} made`);
    gone.abort();
    for (let i = 0; i < 500 && !isEnded; i += 1) await turn();
    while (!isEnded) await turn();
    made = 0;
    // Another caller's list does not wait for the lists that nobody reads.
    const another = await fetch(`${api.url}/api/v1/targets?limit=1`);
    assert.equal((await another.text()).match(/"http:/g)?.length, 3);
  });
}
