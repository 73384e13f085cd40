// Fills a head and prints its memory and time: `series <count>` or `rows <valueColumns>`; for
// series.bench.ts.
import { ByteReader, ByteWriter } from '../../src/base/bytes.ts';
import {
  beginWith,
  collectEarly,
  keepSemiSpaceSmall,
  smallAllocator,
} from '../../src/base/node/memory.ts';
import { finishAtOnce } from '../../src/base/pacer.ts';
import { Dictionary } from '../../src/model/dictionary.ts';
import { createMatcher } from '../../src/model/matcher.ts';
import { Head } from '../../src/storage/head/head.ts';
import type { IncomingProfile } from '../../src/storage/interface.ts';
import { encodeProfile } from '../../src/storage/head/profile-codec.ts';
import { measureInTurns } from '../measure.ts';
import { labelsOfSeries, makeProfile } from './series-profile.ts';

/**
 * Results of the process. Its longest writes are compared with the longest writes that do not
 * change the head.
 */
export interface HeadReport {
  /** Resident memory before the head is filled; `rssBytes` is measured afterwards. */
  readonly idleBytes: number;
  readonly rssBytes: number;
  readonly arrayBytes: number;
  readonly usedBytes: number;
  readonly seconds: number;
  /** Longest CPU time of one write on the main thread, including garbage collection. */
  readonly longestMillis: number;
  readonly longestWaitMillis: number;
  readonly over5: number;
  readonly selections: readonly SelectionReport[];
}

interface SelectionReport {
  readonly name: string;
  readonly found: number;
  readonly micros: number;
  readonly ratio: number;
}

// Uses the same settings as the server.
beginWith(smallAllocator());
keepSemiSpaceSmall();
collectEarly();

const writer = new ByteWriter(4096);
const head = new Head(new Dictionary([1, 2, 3]), 4 * 1024 * 1024);
let longest = 0;
let over5 = 0;

/** Writes `count` profiles. If `keep` is false, only encodes them. */
function write(count: number, profileAt: (i: number) => IncomingProfile, keep: boolean): void {
  for (let i = 0; i < count; i += 1) {
    const profile = profileAt(i);
    const before = process.threadCpuUsage();
    const ref = keep ? head.internStream({ ...profile, delta: true }) : 1;
    writer.length = 0;
    encodeProfile(writer, ref, profile);
    if (keep) head.apply(new ByteReader(writer.bytes, 4, writer.length));
    const { user, system } = process.threadCpuUsage(before);
    const millis = (user + system) / 1000;
    longest = Math.max(longest, millis);
    if (keep && millis > 5) over5 += 1;
  }
}

function fill(mode: string, size: number): void {
  if (mode === 'series') {
    write(size, (i) => makeProfile(i, labelsOfSeries(i), 1, 1), true);
    return;
  }
  const labelSets = Array.from({ length: 1000 }, (_, i) => labelsOfSeries(i));
  write(100_000, (i) => makeProfile(i, labelSets[i % 1000], 100, size), true);
}

function select(count: number): SelectionReport[] {
  const questions = [
    [
      ['job', 7, 100],
      ['namespace', 7, 70],
    ],
    [
      ['cluster', 1, 3],
      ['node', 77, 1000],
    ],
  ] as const;
  return questions.map((question) => {
    const matchers = question.map(([name, rest]) => createMatcher(name, '=', `${name}-${rest}`));
    // Streams are numbered from 1 in the order in which they were written.
    const sets = question.map(([, rest, of]) => {
      const refs = Array.from(
        { length: Math.ceil((count - rest) / of) },
        (_, i) => rest + i * of + 1,
      );
      return Uint32Array.from(refs);
    });
    let found = 0;
    let plain = 0;
    const [yardstick, own] = measureInTurns(
      [
        { name: 'intersection', run: () => void (plain = intersection(sets[0], sets[1]).length) },
        {
          name: 'candidates',
          run: () => void (found = finishAtOnce(head.index.candidates(matchers, undefined)).length),
        },
      ],
      50,
    );
    if (found !== plain) throw new Error(`${found} series are found, not ${plain}`);
    const name = question.map(([label]) => label).join(' and ');
    return { name, found, micros: own.millis * 1000, ratio: own.millis / yardstick.millis };
  });
}

/** Intersects two sorted arrays element by element. */
function intersection(a: Uint32Array, b: Uint32Array): Uint32Array {
  const result = new Uint32Array(Math.min(a.length, b.length));
  let kept = 0;
  let j = 0;
  for (let i = 0; i < a.length && j < b.length; i += 1) {
    while (j < b.length && b[j] < a[i]) j += 1;
    if (b[j] !== a[i]) continue;
    result[kept] = a[i];
    kept += 1;
  }
  return result.subarray(0, kept);
}

const [mode = 'series', size = '1000000'] = process.argv.slice(2);
globalThis.gc?.();
const idleBytes = process.memoryUsage.rss();
write(100_000, (i) => makeProfile(i, labelsOfSeries(i), 1, 1), false);
const longestWaitMillis = longest;
longest = 0;
const started = performance.now();
fill(mode, Number(size));
const seconds = (performance.now() - started) / 1000;
globalThis.gc?.();
const { rss, arrayBuffers } = process.memoryUsage();
const report: HeadReport = {
  idleBytes,
  rssBytes: rss,
  arrayBytes: arrayBuffers,
  usedBytes: head.usedBytes,
  seconds,
  longestMillis: longest,
  longestWaitMillis,
  over5,
  selections: mode === 'series' ? select(Number(size)) : [],
};
console.log(JSON.stringify(report));
