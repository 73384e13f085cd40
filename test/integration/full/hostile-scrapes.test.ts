// Tests a real server that scrapes good targets next to hostile targets. Each of these is hostile
// in a different way.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { memoryMegabytes } from '../../../bench/figures.ts';
import { isFull, rounds } from '../../../src/base/testing/rounds.ts';
import { getText, type JsonSeries } from '../../support/json-api.ts';
import { hostileJobs, startHostileTargets } from '../../support/hostile/hostile-targets.ts';
import { parseMetrics } from '../../support/metrics-text.ts';
import { cpuProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer } from '../../support/server.ts';

/** Expected errors, by the name of the target. */
const errors: Readonly<Record<string, RegExp>> = {
  connect: /Connect Timeout|no complete answer/i,
  tls: /Connect Timeout|no complete answer|TLS/i,
  headers: /no complete answer within/,
  body: /no complete answer within/,
  drip: /no complete answer within/,
  endless: /more than the limit of|no complete answer/,
  long: /terminated|closed|aborted|other side/i,
  short: /failed to parse profile|Content-Length|Parse Error|data after/i,
  redirect: /redirect loop/i,
  bomb: /larger than the limit of|more than the limit/,
  garbage: /failed to parse profile/,
};

interface Target {
  readonly health: string;
  readonly lastError: string;
}

test(
  'hostile targets fail, each with its reason, and good ones do not',
  { timeout: 600_000 },
  async (t) => {
    const scratch = await scratchDirectory();
    const profile = gzippedPprof(cpuProfile({ timeNanos: 1n, samples: [['main;a', 1n]] }));
    const targets = await startHostileTargets(profile, () => undefined);
    const { yaml, goodHosts } = hostileJobs(targets, {
      count: 100,
      hostileShare: 0.3,
      interval: '2s',
      timeout: '1s',
    });
    await mkdir(join(scratch.path, 'server'));
    const server = await startServer({
      storagePath: join(scratch.path, 'server/data'),
      config: yaml,
      scrapeResults: true,
    });
    t.after(async () => {
      await server.kill();
      await targets.close();
      await scratch.remove();
    });
    const read = async (): Promise<
      Readonly<Record<string, { readonly targets: readonly Target[] }>>
    > => JSON.parse(await getText(server.url, '/targets', { state: 'STATE_ACTIVE' })).targets;
    const mistakes = async (): Promise<string[]> => {
      const jobs = await read();
      const good = jobs['good']?.targets ?? [];
      const bad = good.filter(({ health }) => health !== 'HEALTH_GOOD');
      return [
        ...(good.length === goodHosts.length ? [] : [`${good.length} good targets`]),
        ...bad.map(({ health, lastError }) => `good: ${health} ${lastError}`),
        ...Object.entries(errors).flatMap(([kind, want]) =>
          (jobs[kind]?.targets ?? []).flatMap(({ health, lastError }) =>
            health === 'HEALTH_BAD' && want.test(lastError)
              ? []
              : [`${kind}: ${health} ${lastError}`],
          ),
        ),
      ];
    };
    const settled = async (): Promise<void> => {
      let left: string[] = [];
      for (let tries = 0; tries < 300; tries += 1) {
        left = await mistakes();
        if (left.length === 0) return;
        await delay(200);
      }
      assert.deepEqual([...new Set(left)], []);
    };
    await settled();
    // Each scrape is a sample of its target's own series: 1, or 0 with a reason.
    const jobs = ['good', ...Object.keys(errors)];
    let results = await readResults(server.url);
    while (jobs.some((job) => results.up[job] === undefined)) {
      await delay(200);
      results = await readResults(server.url);
    }
    for (const kind of Object.keys(errors)) {
      assert.deepEqual([...new Set(results.up[kind])], [0], `${kind}: ${results.up[kind]}`);
    }
    // On a busy machine, a good target may have been late once.
    assert.ok(results.up['good'].includes(1));
    assert.match(results.reasons['good'], /\bok\b/);
    assert.match(results.reasons['headers'], /deadline/);
    assert.match(results.reasons['garbage'], /write/);
    // In full tests, this stays true for three minutes: no good scrape is left out or late by more
    // than half a second, and memory does not grow.
    const ofGood = async (name: string): Promise<number> => {
      const text = await (await fetch(`${server.url}/metrics`)).text();
      const found = parseMetrics(text).find(
        (sample) => sample.name === name && sample.labels.get('scrape_job') === 'good',
      );
      return found?.value ?? 0;
    };
    const start = (await memoryMegabytes(server.pid)).now;
    for (let left = rounds(0, 36); left > 0; left -= 1) {
      await delay(5_000);
      await settled();
    }
    const scrapes = await ofGood('parca_target_scrapes_total');
    const skipped = await ofGood('parca_target_scrapes_skipped_total');
    const late = await ofGood('parca_target_scrapes_late_total');
    assert.ok(scrapes >= goodHosts.length);
    if (isFull) {
      assert.ok(skipped <= scrapes / 1_000, `${skipped} left out next to ${scrapes}`);
      assert.ok(late <= scrapes / 1_000, `${late} late of ${scrapes}`);
    }
    const { now } = await memoryMegabytes(server.pid);
    assert.ok(now - start <= 128, `memory grew from ${start} to ${now} MB`);
  },
);

interface Results {
  /** Values of `scrape:up` by job. */
  readonly up: Readonly<Record<string, readonly number[]>>;
  /** Function names in `scrape:duration` by job; these are the reasons of failures. */
  readonly reasons: Readonly<Record<string, string>>;
}

async function readResults(url: string): Promise<Results> {
  const [start, end] = [-3_600_000, 3_600_000].map((offset) =>
    new Date(Date.now() + offset).toISOString(),
  );
  const { series } = JSON.parse(
    await getText(url, '/profiles/query_range', {
      query: 'scrape:up{profile="p"}',
      start,
      end,
      step: '1s',
    }),
  ) as { readonly series: readonly JsonSeries[] };
  const up: Record<string, number[]> = {};
  for (const { labelset, samples } of series) {
    const job = labelset.labels.find(({ name }) => name === 'job')?.value ?? '';
    (up[job] ??= []).push(...samples.map(({ value }) => Number(value)));
  }
  const reasons: Record<string, string> = {};
  for (const job of Object.keys(up)) {
    const { top } = JSON.parse(
      await getText(url, '/profiles/query', {
        mode: 'MODE_MERGE',
        'merge.query': `scrape:duration{job="${job}"}`,
        'merge.start': start,
        'merge.end': end,
        reportType: 'REPORT_TYPE_TOP',
      }),
    ) as TopAnswer;
    reasons[job] = top.list.map(({ meta }) => meta.function.name).join(' ');
  }
  return { up, reasons };
}

interface TopAnswer {
  readonly top: {
    readonly list: readonly { readonly meta: { readonly function: { readonly name: string } } }[];
  };
}
