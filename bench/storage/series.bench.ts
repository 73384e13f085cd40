// Benchmarks of a million series and of ten million rows: memory of a store and of a head, pauses
// while a head grows, and selection relative to an intersection of sorted arrays. Each runs in its
// own process.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { reportRatio } from '../measure.ts';
import type { HeadReport } from './fill-head-process.ts';
import type { StoreReport } from './fill-store-process.ts';

const mega = 1_000_000;

function fill(...options: readonly string[]): HeadReport {
  const program = join(import.meta.dirname, 'fill-head-process.ts');
  const output = execFileSync(process.execPath, ['--expose-gc', program, ...options]);
  return JSON.parse(String(output));
}

function report(name: string, { rssBytes, arrayBytes, usedBytes, seconds }: HeadReport): void {
  const megas = (bytes: number): string => (bytes / mega).toFixed(0);
  const memory = `RSS ${megas(rssBytes)} MB, arrays ${megas(arrayBytes)} MB`;
  console.log(`${name}: ${memory}, it says ${megas(usedBytes)} MB; ${seconds.toFixed(1)} s`);
}

/** Fills a store with new series as fast as possible. */
function fillStore(count: number): StoreReport {
  const program = join(import.meta.dirname, 'fill-store-process.ts');
  return JSON.parse(String(execFileSync(process.execPath, [program, String(count)])));
}

const store = fillStore(mega);
const storeMegas = (store.rssBytesMax / mega).toFixed(0);
console.log(`a store of a million new series: ${storeMegas} MB, ${store.seconds.toFixed(0)} s`);
reportRatio('RSS of a store of a million new series / 300 MB', store.rssBytesMax / 3e8, 1, false);
const series = fill('series', String(mega));
report('a million idle series', series);
const perSeries = (series.rssBytes - series.idleBytes) / mega;
console.log(`${perSeries.toFixed(0)} bytes a series more than an idle process`);
reportRatio('RSS of a million series / 300 MB', series.rssBytes / (300 * mega), 1, false);
reportRatio('what it says it takes / its arrays', series.usedBytes / series.arrayBytes, 0.85, true);
const { longestMillis, longestWaitMillis, over5 } = series;
console.log(
  `longest CPU time of one write ${longestMillis.toFixed(2)} ms, of one that leaves the head ` +
    `alone ${longestWaitMillis.toFixed(2)} ms; ${over5} of ${mega} over 5 ms`,
);
for (const { name, found, micros, ratio } of series.selections) {
  console.log(`${name}: ${found} of ${mega} series in ${micros.toFixed(0)} us`);
  reportRatio(`${name} / sorted-array intersection`, ratio, 2, false);
}
for (const valueColumns of [1, 2]) {
  const rows = fill('rows', String(valueColumns));
  report(`ten million rows of ${valueColumns} values`, rows);
  reportRatio('RSS of ten million rows / 400 MB', rows.rssBytes / (400 * mega), 1, false);
}
