// Simulated memory in use of a service over two weeks: tables that stay until the process ends,
// caches that fill, and memory of requests, in instances that restart with each deploy and by
// themselves. A sample stays as long as its memory, so a restart draws new samples of the same
// amount.
import { seededRandom } from '../../src/base/random.ts';
import { Draws } from './draws.ts';
import {
  type Deploy,
  hours,
  makeDeploys,
  nameOf,
  place,
  type Planted,
  type SimulatedService,
  toEvent,
  toWindows,
  weightAt,
} from './simulated-service.ts';

/** Samples of the heap of an instance, one for each 512 KiB: 64 MiB to 16 GiB. */
const heapSamples = [128, 32_768] as const;
const instancesMax = 12;
/** Hours after which an instance restarts by itself, on average. */
const lifeHours = 240;
/** Heap profiles of an instance an hour that are independent of each other, as to requests. */
const freshSnapshots = 20;

/** A function, and how long its memory stays. */
interface Node {
  readonly parent: number;
  readonly cost: number;
  readonly kind: 'table' | 'cache' | 'requests';
  /** Part of a table that is replaced each hour. */
  readonly churn: number;
  /** Hours until a cache is nearly full. */
  readonly fillHours: number;
  readonly noise: number;
}

/** An instance: the samples of the tables and caches of each function. */
interface Instance {
  readonly held: Float64Array;
  /** Samples that there would be on average. */
  readonly wanted: Float64Array;
  startHour: number;
}

/** Creates the memory of a service from a seed; `planted` describes its regression, if any. */
export function simulateMemory(seed: number, planted: Planted): SimulatedService {
  const draw = new Draws(seededRandom(seed));
  const nodes = makeNodes(draw);
  const deploys = makeDeploys(draw);
  const plant = planted === undefined ? undefined : place(draw, nodes, deploys, planted);
  const total = nodes.reduce((sum, { cost }) => sum + cost, 0);
  const heap = draw.logUniform(...heapSamples);
  const instances = Array.from({ length: 1 + draw.below(instancesMax) }, (): Instance => ({
    held: new Float64Array(nodes.length),
    wanted: new Float64Array(nodes.length),
    startHour: 0,
  }));
  for (const one of instances) restart(one, -48);
  const [dailyLoad, weekend] = [draw.uniform(0.2, 0.9), draw.uniform(0.3, 1)];
  const flat = nodes.map(() => new Float32Array(hours));
  for (let hour = 0; hour < hours; hour += 1) {
    const day = Math.floor(hour / 24) % 7;
    const load =
      (1 + dailyLoad * Math.sin((2 * Math.PI * (hour - 8)) / 24)) * (day >= 5 ? weekend : 1);
    instances.forEach((instance, i) => {
      if (isDeployed(deploys, hour, i / instances.length) || draw.isTrue(1 / lifeHours)) {
        restart(instance, hour);
      }
      nodes.forEach((node, row) => {
        const isPlanted = plant?.name === nameOf(row);
        const more = isPlanted ? plant.size * total * weightAt(plant, deploys, hour) : 0;
        const want = ((node.cost + more) * heap) / total;
        const samples =
          node.kind === 'requests'
            ? requests(draw, want * load * Math.exp(node.noise * draw.normal()))
            : held(draw, instance, row, node, want, hour);
        flat[row][hour] += samples / instances.length;
      });
    });
  }
  const windows = { ...toWindows(nodes, flat), holdsSamples: true };
  return { windows, events: deploys.map(toEvent), plant };
}

function restart(instance: Instance, hour: number): void {
  instance.held.fill(0);
  instance.wanted.fill(0);
  instance.startHour = hour;
}

/** Returns true if a deploy restarts an instance; `place` is its place in the rollout, 0..1. */
function isDeployed(deploys: readonly Deploy[], now: number, place: number): boolean {
  return deploys.some(
    ({ hour, rolloutHours }) => hour + Math.floor(place * (rolloutHours + 1)) === now,
  );
}

/** Returns the mean of the samples of several snapshots. */
function requests(draw: Draws, want: number): number {
  return draw.poisson(want * freshSnapshots) / freshSnapshots;
}

/** Lets the memory of a table or cache grow or shrink to what is wanted; returns its samples. */
function held(
  draw: Draws,
  { held: samples, wanted, startHour }: Instance,
  row: number,
  { kind, churn, fillHours }: Node,
  want: number,
  hour: number,
): number {
  const age = hour - startHour + 1;
  const now = kind === 'cache' ? want * (1 - Math.exp(-age / fillHours)) : want;
  // Memory that stays keeps its samples, however many more or fewer these are than on average.
  const gone = Math.min(samples[row], draw.poisson(samples[row] * churn));
  samples[row] += draw.poisson(Math.max(0, now - wanted[row]) + wanted[row] * churn) - gone;
  wanted[row] = Math.max(now, wanted[row]);
  return samples[row];
}

function makeNodes(draw: Draws): Node[] {
  const count = 20 + draw.below(70);
  return Array.from({ length: count }, (_, i) => {
    const kind = draw.unit();
    return {
      parent: i === 0 ? -1 : draw.below(Math.min(i, 1 + Math.ceil(i / 2))),
      cost: (-Math.log(draw.unit())) ** 2 * (i < 5 ? 0.2 : 1),
      kind: kind < 0.5 ? 'table' : kind < 0.65 ? 'cache' : 'requests',
      churn: draw.isTrue(0.5) ? 0 : draw.logUniform(0.001, 0.05),
      fillHours: draw.logUniform(0.5, 8),
      noise: draw.logUniform(0.02, 0.12),
    };
  });
}
