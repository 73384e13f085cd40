// A simulated service over two weeks: daily and weekly cycles, noise between hours, batch jobs,
// deploys with and without a change, and at most one planted regression.
import { randomBelow, seededRandom } from '../../src/base/random.ts';
import { windowMillis } from '../../src/findings/statistics/limits.ts';
import type { ChangeEvent } from '../../src/findings/statistics/find-changes.ts';
import type { ServiceWindows } from '../../src/findings/statistics/windows.ts';
import { Draws } from './draws.ts';

export const hours = 336;

/** Type of planted regression: sudden with a deploy, sudden without a deploy, or slow. */
export type PlantKind = 'deploy' | 'unexplained' | 'drift';

/** A planted regression: one function starts to cost more. */
export interface Plant {
  readonly kind: PlantKind;
  readonly name: string;
  /** The function and its callers, whose cumulative values grow, too. */
  readonly names: ReadonlySet<string>;
  /** Added cost as a share of the service's cost before the regression. */
  readonly size: number;
  /** Hour at which the regression begins; a drift grows for `driftHours`. */
  readonly hour: number;
}

export interface SimulatedService {
  readonly windows: ServiceWindows;
  readonly events: readonly ChangeEvent[];
  readonly plant: Plant | undefined;
}

/** A Monday. */
const startMillis = Date.UTC(2026, 0, 5);
const driftHours = 120;

/** A function: its caller and its cost. */
interface Node {
  readonly parent: number;
  readonly cost: number;
  readonly daily: number;
  readonly phase: number;
  readonly noise: number;
  readonly memory: number;
}

/** A regression to plant. */
export type Planted = { readonly kind: PlantKind; readonly size: number } | undefined;

/** Samples of CPU time an hour: few programs are sampled more often. */
export const cpuSamples = [100, 20_000] as const;
/** Samples of allocations an hour, one for each 512 KiB. */
export const allocationSamples = [2_000, 2_000_000] as const;

/**
 * Creates a service from a seed, with a number of samples an hour between `fewest` and `most`;
 * `planted` describes its regression, if any.
 */
export function simulateService(
  seed: number,
  planted: Planted,
  [fewest, most]: readonly [number, number] = cpuSamples,
): SimulatedService {
  const random = seededRandom(seed);
  const draw = new Draws(random);
  const nodes = makeNodes(draw);
  const deploys = makeDeploys(draw);
  const plant = planted === undefined ? undefined : place(draw, nodes, deploys, planted);
  const flat = nodes.map(() => new Float32Array(hours));
  const perHour = draw.logUniform(fewest, most);
  const [dailyLoad, weekend] = [draw.uniform(0.2, 0.9), draw.uniform(0.3, 1)];
  const warms = draw.isTrue(0.3) ? randomBelow(random, nodes.length) : -1;
  const states = nodes.map(() => 0);
  const total = nodes.reduce((sum, { cost }) => sum + cost, 0);
  for (let hour = 0; hour < hours; hour += 1) {
    const day = Math.floor(hour / 24) % 7;
    const load =
      perHour *
      (1 + dailyLoad * Math.sin((2 * Math.PI * (hour - 8)) / 24)) *
      (day >= 5 ? weekend : 1) *
      Math.exp(0.1 * draw.normal());
    nodes.forEach((node, i) => {
      states[i] = node.memory * states[i] + Math.sqrt(1 - node.memory ** 2) * draw.normal();
      let cost =
        node.cost *
        (1 + node.daily * Math.sin((2 * Math.PI * hour) / 24 + node.phase)) *
        Math.exp(node.noise * states[i]);
      if (draw.isTrue(0.0003)) cost *= draw.uniform(2, 6);
      if (i === warms && deploys.some((deploy) => deploy.hour === hour)) cost *= 1.5;
      if (plant?.name === nameOf(i)) cost += total * plant.size * weightAt(plant, deploys, hour);
      flat[i][hour] = draw.poisson((load * cost) / total);
    });
  }
  return { windows: toWindows(nodes, flat), events: deploys.map(toEvent), plant };
}

/** A deploy, and how long it takes. */
export interface Deploy {
  readonly hour: number;
  readonly rolloutHours: number;
}

/** Draws the times of deploys, each one to eight days. */
export function makeDeploys(draw: Draws): Deploy[] {
  const mean = draw.logUniform(24, 200);
  const deploys: Deploy[] = [];
  for (
    let hour = draw.uniform(0, mean);
    hour < hours - 3;
    hour += 6 - mean * Math.log(draw.unit())
  ) {
    deploys.push({ hour: Math.ceil(hour), rolloutHours: Math.floor(draw.uniform(0, 3)) });
  }
  return deploys;
}

/** Returns the event that the search knows. */
export function toEvent({ hour, rolloutHours }: Deploy): ChangeEvent {
  const at = startMillis + hour * windowMillis;
  return { key: String(hour), startMillis: at, doneMillis: at + rolloutHours * windowMillis };
}

/** Chooses the function and the time of a regression; adds a deploy if it needs one. */
export function place(
  draw: Draws,
  nodes: readonly Pick<Node, 'parent'>[],
  deploys: Deploy[],
  { kind, size }: { readonly kind: PlantKind; readonly size: number },
): Plant {
  const node = draw.below(nodes.length);
  const names = new Set<string>();
  for (let i = node; i >= 0; i = nodes[i].parent) names.add(nameOf(i));
  let hour = Math.floor(draw.uniform(60, kind === 'drift' ? 170 : 300));
  if (kind === 'deploy') {
    const fitting = deploys.filter((deploy) => deploy.hour >= 48 && deploy.hour < hours - 24);
    if (fitting.length === 0) {
      deploys.push({ hour, rolloutHours: 1 });
      deploys.sort((a, b) => a.hour - b.hour);
    } else ({ hour } = fitting[draw.below(fitting.length)]);
  }
  return { kind, name: nameOf(node), names, size, hour };
}

/** Returns the part of a regression that is there at an hour. */
export function weightAt({ kind, hour }: Plant, deploys: readonly Deploy[], now: number): number {
  if (now < hour) return 0;
  if (kind === 'drift') return Math.min(1, (now - hour) / driftHours);
  const deploy = kind === 'deploy' ? deploys.find((one) => one.hour === hour) : undefined;
  return Math.min(1, (now - hour + 1) / ((deploy?.rolloutHours ?? 0) + 1));
}

function makeNodes(draw: Draws): Node[] {
  const count = 20 + draw.below(70);
  return Array.from({ length: count }, (_, i) => ({
    parent: i === 0 ? -1 : draw.below(Math.min(i, 1 + Math.ceil(i / 2))),
    cost: (-Math.log(draw.unit())) ** 2 * (i < 5 ? 0.2 : 1),
    daily: draw.uniform(0, 0.25),
    phase: draw.uniform(0, 2 * Math.PI),
    noise: draw.logUniform(0.02, 0.12),
    memory: draw.uniform(0, 0.7),
  }));
}

/** Returns the name of a function. */
export function nameOf(node: number): string {
  return `f${node}`;
}

/** Returns the columns of a service from the samples of its functions. */
export function toWindows(
  nodes: readonly Pick<Node, 'parent'>[],
  flat: readonly Float32Array[],
): ServiceWindows {
  const cumulative = flat.map((one) => Float32Array.from(one));
  for (let i = nodes.length - 1; i > 0; i -= 1) {
    for (let hour = 0; hour < hours; hour += 1) {
      cumulative[nodes[i].parent][hour] += cumulative[i][hour];
    }
  }
  return {
    startMillis: Float64Array.from({ length: hours }, (_, i) => startMillis + i * windowMillis),
    samples: Float32Array.from(cumulative[0]),
    functions: nodes.map((_, i) => ({ name: nameOf(i), flat: flat[i], cumulative: cumulative[i] })),
  };
}
