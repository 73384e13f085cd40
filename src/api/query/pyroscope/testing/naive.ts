// A naive evaluation of Pyroscope's queries, over profiles as strings.

/** A profile, as the test adds it to the store. */
export interface NaiveProfile {
  readonly labels: Readonly<Record<string, string>>;
  readonly type: string;
  readonly timeMillis: number;
  /** Values by stack: names from the root joined by ";". */
  readonly stacks: Readonly<Record<string, number>>;
}

/** Returns the service of a profile. */
function naiveService({ labels }: NaiveProfile): string {
  return labels.service_name ?? labels.job ?? labels.comm ?? 'unknown_service';
}

/** Returns the points of each line by its labels: `time value` by `service=a`. */
export function naiveSeries(
  profiles: readonly NaiveProfile[],
  asked: { start: number; end: number; stepMillis: number; groupBy: readonly string[] },
): Map<string, string[]> {
  const lines = new Map<string, Map<number, number>>();
  for (const profile of profiles) {
    const key = asked.groupBy
      .map((name) => [name, naiveLabel(profile, name)])
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${name}=${value}`)
      .sort()
      .join(',');
    for (let time = asked.start; time <= asked.end; time += asked.stepMillis) {
      if (profile.timeMillis <= time - asked.stepMillis || profile.timeMillis > time) continue;
      const points = lines.get(key) ?? new Map<number, number>();
      lines.set(key, points);
      points.set(time, (points.get(time) ?? 0) + sumStacks(profile));
    }
  }
  return new Map(
    Array.from(lines, ([key, points]) => [
      key,
      [...points].sort(([a], [b]) => a - b).map(([time, value]) => `${time} ${value}`),
    ]),
  );
}

export function naiveLabel(profile: NaiveProfile, name: string): string {
  if (name === 'service_name') return naiveService(profile);
  return name === '__profile_type__' ? profile.type : (profile.labels[name] ?? '');
}

function sumStacks({ stacks }: NaiveProfile): number {
  return Object.values(stacks).reduce((sum, value) => sum + value, 0);
}

/** Returns the total and self values of calls by path: `total self` by `a;b`. */
export function naiveTree(profiles: readonly NaiveProfile[]): Map<string, string> {
  const totals = new Map<string, number>();
  const selves = new Map<string, number>();
  const add = (to: Map<string, number>, key: string, value: number): void =>
    void to.set(key, (to.get(key) ?? 0) + value);
  for (const { stacks } of profiles) {
    for (const [stack, value] of Object.entries(stacks)) {
      const frames = stack.split(';');
      frames.forEach((_, depth) => add(totals, frames.slice(0, depth + 1).join(';'), value));
      add(selves, stack, value);
    }
  }
  return new Map(
    Array.from(totals, ([path, total]) => [path, `${total} ${selves.get(path) ?? 0}`]),
  );
}

/** A decoded flame graph. */
export interface WireGraph {
  readonly names: readonly string[];
  readonly levels: readonly { readonly values?: readonly { toNumber(): number }[] | null }[];
}

/**
 * Returns a flame graph in the form of naiveTree; a bar's children are the bars below it within its
 * width.
 */
export function treeOfLevels(graph: WireGraph): Map<string, string> {
  const found = new Map<string, string>();
  let above: { from: number; to: number; path: string }[] = [];
  graph.levels.forEach(({ values }, level) => {
    const numbers = (values ?? []).map((value) => value.toNumber());
    const bars: typeof above = [];
    let end = 0;
    for (let i = 0; i < numbers.length; i += 4) {
      const [gap, total, self, name] = numbers.slice(i, i + 4);
      const from = end + gap;
      end = from + total;
      const parent = above.find((bar) => from >= bar.from && end <= bar.to);
      if (level > 0 && parent === undefined) throw new Error('a bar has no parent');
      const own = graph.names[name];
      const path = parent === undefined || parent.path === '' ? own : `${parent.path};${own}`;
      bars.push({ from, to: end, path: level === 0 ? '' : path });
      if (level > 0) found.set(path, `${total} ${self}`);
    }
    above = bars;
  });
  return found;
}
