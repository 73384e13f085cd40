// `node bench/findings/planted.ts [SEEDS [SERVICES [cpu|memory|allocations [FIRST]]]]`: searches 200
// simulated services for changes in each hour of two weeks, and prints the share of 50 planted
// regressions that was found, the false findings, and the time to detection.
import { finishAtOnce } from '../../src/base/pacer.ts';
import { windowMillis } from '../../src/findings/statistics/limits.ts';
import { findChanges, type FoundChange } from '../../src/findings/statistics/find-changes.ts';
import type { ServiceWindows } from '../../src/findings/statistics/windows.ts';
import { simulateMemory } from './simulated-memory.ts';
import {
  allocationSamples,
  hours,
  type Plant,
  type Planted,
  type PlantKind,
  type SimulatedService,
  simulateService,
} from './simulated-service.ts';

const services = Number(process.argv[3] ?? 200);
const regressions = services / 4;
const resource = process.argv[4] ?? 'cpu';
const firstSeed = Number(process.argv[5] ?? 1);
const falseRate = 0.01;
const costMin = 0.005;
/** Samples from which a change of 5 % should be found. */
const manySamples = resource === 'memory' ? 2_000 : 10_000;

/** Result for a planted regression. */
interface Outcome {
  readonly plant: Plant;
  /**
   * Number of samples on the side with fewer samples. Memory in use counts once, however often it
   * is seen.
   */
  readonly sideSamples: number;
  readonly found: FoundChange | undefined;
  readonly hours: number;
}

/** Returns the size of a planted regression: from 2 % to 300 %, in equal logarithmic steps. */
function sizeOf(i: number): number {
  return 0.02 * 150 ** (i / (regressions - 1));
}

const kinds: readonly PlantKind[] = ['deploy', 'deploy', 'deploy', 'unexplained', 'drift'];

const seeds = Number(process.argv[2] ?? 1);
const outcomes: Outcome[] = [];
const falseFindings: { readonly cost: number; readonly text: string }[] = [];
let extraFunctions = 0;
const started = process.cpuUsage();
for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
  for (let i = 0; i < services; i += 1) {
    const planted =
      i < regressions ? { kind: kinds[(i * 7) % kinds.length], size: sizeOf(i) } : undefined;
    runService(seed * 100_003 + i * 17, planted);
  }
}
report();

function runService(seed: number, planted: Planted): void {
  const { windows, events, plant } = simulate(seed, planted);
  let sinceMillis = windows.startMillis[0];
  let outcome: Pick<Outcome, 'found' | 'hours'> = { found: undefined, hours: 0 };
  for (let hour = 12; hour <= hours; hour += 1) {
    const now = windows.startMillis[0] + hour * windowMillis;
    const known = events.filter(({ doneMillis }) => doneMillis <= now);
    const context = { events: known, sinceMillis, falseRate, costMin };
    for (const found of finishAtOnce(findChanges(upTo(windows, hour), context))) {
      sinceMillis = Math.max(sinceMillis, found.doneMillis);
      const isRight =
        plant !== undefined &&
        hour > plant.hour &&
        outcome.found === undefined &&
        found.functions.some(({ name, cost }) => plant.names.has(name) && cost > 0);
      if (isRight) {
        outcome = { found, hours: hour - plant.hour };
        extraFunctions += found.functions.filter(({ name }) => !plant.names.has(name)).length;
        continue;
      }
      // A drift keeps growing after it is found, so finding it again is not a false finding.
      const isMore =
        plant !== undefined &&
        outcome.found !== undefined &&
        plant.kind === 'drift' &&
        found.functions.some(({ name }) => plant.names.has(name));
      if (isMore) continue;
      const [{ name, cost, evidence }] = found.functions;
      falseFindings.push({
        cost,
        text: `seed ${seed} hour ${hour} ${found.kind} ${name} ${cost.toFixed(4)} e=${evidence.toExponential(1)} plant ${plant?.kind} ${plant?.hour} ${plant?.size.toFixed(3)} ${plant?.name}`,
      });
    }
  }
  if (plant !== undefined) {
    const sum = (from: number, to: number): number =>
      windows.samples.subarray(from, to).reduce((all, one) => all + one, 0);
    const at = plant.hour;
    const next = events.find(
      ({ startMillis }) => startMillis > windows.startMillis[0] + at * windowMillis,
    );
    const end =
      next === undefined ? hours : (next.startMillis - windows.startMillis[0]) / windowMillis;
    const after = plant.kind === 'deploy' ? Math.min(at + 72, end) : at + 24;
    const isHeld = windows.holdsSamples === true;
    const sideSamples = Math.min(
      sum(0, at) / (isHeld ? at : 1),
      sum(at, after) / (isHeld ? after - at : 1),
    );
    outcomes.push({ plant, sideSamples, ...outcome });
  }
}

function simulate(seed: number, planted: Planted): SimulatedService {
  if (resource === 'memory') return simulateMemory(seed, planted);
  if (resource === 'allocations') return simulateService(seed, planted, allocationSamples);
  return simulateService(seed, planted);
}

function upTo(
  { holdsSamples = false, startMillis, samples, functions }: ServiceWindows,
  end: number,
): ServiceWindows {
  return {
    holdsSamples,
    startMillis: startMillis.subarray(0, end),
    samples: samples.subarray(0, end),
    functions: functions.map(({ name, flat, cumulative }) => ({
      name,
      flat: flat.subarray(0, end),
      cumulative: cumulative.subarray(0, end),
    })),
  };
}

function report(): void {
  const sizes = [0.02, 0.05, 0.1, 0.3, 3.01];
  const row = (title: string, of: readonly Outcome[]): void => {
    const found = of.filter((one) => one.found !== undefined);
    const times = found.map((one) => one.hours).toSorted((a, b) => a - b);
    const time = (part: number): string => String(times[Math.floor(part * times.length)] ?? '-');
    const kind = found.filter((one) => one.found?.kind === one.plant.kind).length;
    const first = found.filter(({ plant, found: it }) =>
      plant.names.has(it?.functions[0].name ?? ''),
    );
    console.log(
      `| ${title} | ${of.length} | ${found.length} (${Math.round((100 * found.length) / Math.max(1, of.length))} %) | ${first.length} | ${kind} | ${time(0.5)} h | ${time(0.9)} h |`,
    );
  };
  console.log(
    '| regressions | planted | found | its function first | kind right | median | 90 % |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- |');
  for (const isMany of [true, false]) {
    for (let i = 0; i + 1 < sizes.length; i += 1) {
      const of = outcomes.filter(
        ({ plant, sideSamples }) =>
          plant.kind === 'deploy' &&
          sideSamples >= manySamples === isMany &&
          plant.size >= sizes[i] &&
          plant.size < sizes[i + 1],
      );
      row(
        `deploy, ${sizes[i] * 100} to ${sizes[i + 1] * 100} %, ${isMany ? '>=' : '<'} ${manySamples}`,
        of,
      );
    }
  }
  const isClear = ({ plant, sideSamples }: Outcome): boolean =>
    plant.size >= 0.05 && sideSamples >= manySamples;
  for (const kind of ['deploy', 'unexplained', 'drift']) {
    row(
      `${kind}, >= 5 %, >= ${manySamples}`,
      outcomes.filter((one) => one.plant.kind === kind && isClear(one)),
    );
  }
  row(`all of >= 5 %, >= ${manySamples}`, outcomes.filter(isClear));
  row(
    'all with fewer',
    outcomes.filter(({ sideSamples }) => sideSamples < manySamples),
  );
  row('all', outcomes);
  const months = (seeds * services * hours) / (365.25 * 2);
  console.log(
    `false findings: ${falseFindings.length} in ${months.toFixed(0)} months of services, `,
  );
  console.log(
    `${(falseFindings.length / months).toFixed(4)} a service and month, ${((6 * falseFindings.length) / months).toFixed(3)} in six months`,
  );
  const more = falseFindings.filter(({ cost }) => cost > 0).length;
  console.log(`of them with more cost: ${more}`);
  console.log(`other functions in right findings: ${extraFunctions}`);
  for (const one of falseFindings.slice(0, 40)) console.log(one.text);
  const { user } = process.cpuUsage(started);
  console.log(
    `CPU: ${(user / 1e6).toFixed(0)} s, ${(user / 1e3 / (seeds * services * hours)).toFixed(2)} ms a service and hour`,
  );
}
