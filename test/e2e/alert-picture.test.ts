// Tests the picture of an alert by decoding it in a real browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPictureDrawer } from '../../cmd/parca/pictures-in-thread.ts';
import { createReportMaker } from '../../src/api/reports/report-maker.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { parseProfileType } from '../../src/model/profile-type.ts';
import { SharedAnswers } from '../../src/query/cache/shared-answers.ts';
import { createQueryEngine } from '../../src/query/engine/engine.ts';
import type { AskedPicture } from '../../src/query/interface.ts';
import { ReportThread } from '../../src/query/report/report-thread.ts';
import { TestStore } from '../../src/query/testing/test-store.ts';
import { lightPalette } from '../../web/src/canvas/colours.ts';
import { launchBrowser } from '../support/browser.ts';

const query = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const second = 1_000_000_000n;
/** A sample is ten milliseconds. */
const period = second / 100n;

/**
 * Makes a store whose values are numbers of samples: parse grew, draw is new, sort is gone, wait is
 * as before.
 */
function makeStore(): TestStore {
  const store = new TestStore();
  const add = (timeNanos: bigint, rows: readonly (readonly [string, bigint])[]): void => {
    store.add({
      type: parseProfileType(query),
      period,
      durationNanos: 60n * second,
      timeNanos,
      rows: rows.map(([stack, samples]) => `${stack} ${samples * period}`).join('\n'),
    });
  };
  add(60n * second, [
    ['main;parse', 1_000n],
    ['main;sort', 1_000n],
    ['main;wait', 4_000n],
    ['main;<b>fit</b>', 3n],
  ]);
  add(120n * second, [
    ['main;parse', 3_000n],
    ['main;draw', 1_000n],
    ['main;wait', 4_000n],
    ['main;<b>fit</b>', 4n],
  ]);
  return store;
}

const asked: AskedPicture = {
  select: {
    mode: 'diff',
    base: { mode: 'merge', query, range: { from: 60n * second, to: 61n * second } },
    compared: { mode: 'merge', query, range: { from: 120n * second, to: 121n * second } },
    baseScale: 'time',
  },
  title: 'shop: parse costs 0.33 cores more',
  foot: 'Since 1970-01-01 00:02:00 UTC',
};

test('a picture has the size and the colours of the graph, and is drawn once', async () => {
  const clock = createClock();
  const script = new URL('../../cmd/parca/workers/report-worker.ts', import.meta.url);
  const reportThread = new ReportThread(clock, script, createReportMaker());
  const querier = makeStore();
  const engine = createQueryEngine({
    querier,
    metrics: noMetrics,
    clock,
    reportThread,
  });
  const answers = new SharedAnswers(querier, 1_000_000, noMetrics);
  const draw = createPictureDrawer(clock, engine, answers);
  const caller = { signal: new AbortController().signal };
  const [png, again] = await Promise.all([draw(asked, caller), draw(asked, caller)]);
  assert.equal(again, png);
  const browser = await launchBrowser();
  const page = await browser.newPage();
  const { width, height, pixels } = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0);
    const data = context?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    const counts: Record<string, number> = {};
    for (let i = 0; i < data.length; i += 4) {
      const digits = [data[i], data[i + 1], data[i + 2]].map((one) =>
        one.toString(16).padStart(2, '0'),
      );
      const colour = `#${digits.join('').toUpperCase()}`;
      counts[colour] = (counts[colour] ?? 0) + 1;
    }
    return { width: canvas.width, height: canvas.height, pixels: counts };
  }, Buffer.from(png).toString('base64'));
  await browser.close();
  await reportThread.close();
  // The picture has margins, a title, three lines below it, three levels, a legend and a footer.
  assert.deepEqual(
    { width, height },
    { width: 2_000, height: 2 * (16 + 21 + 54 + 10 + 60 + 10 + 28 + 18 + 16) },
  );
  const levelHeight = 38;
  /** Pixels that have a colour, as a share of a whole level of the graph. */
  const share = (colour: string): number => (pixels[colour] ?? 0) / (1_936 * levelHeight);
  const { diff, newStripe, goneOutline, text } = lightPalette;
  // Counting the larger side of each frame, the graph has 9,004 samples.
  const near = (colour: string, want: number, what: string): void =>
    assert.ok(Math.abs(share(colour) - want) < 0.06, `${what}: ${share(colour)}, want ${want}`);
  near(diff[7], 3_000 / 9_004, 'parse has three times as much');
  near(diff[4], 4_000 / 9_004, 'wait has as much as before');
  near(diff[8], 500 / 9_004, 'half of draw, which is new');
  near(newStripe, 500 / 9_004, 'the stripes of draw');
  assert.ok(share(goneOutline) > 0, 'the outline of sort');
  assert.ok(share(text) > 0.01, 'letters');
});
