// Parses Prometheus' text format strictly: throws an error for anything that the format does not
// allow.

export interface MetricSample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

const types = new Set(['counter', 'gauge', 'histogram', 'summary', 'untyped']);
const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*/;
const labelPair = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"/;

/**
 * Returns all samples of an exposition.
 *
 * Checks the form of every line; that each metric has a TYPE; that HELP and TYPE come at most once,
 * and before the samples of their metric; that the samples of a metric are together, and none comes
 * twice; that histograms are complete and cumulative; and that there is a newline at the end.
 */
export function parseMetrics(text: string): MetricSample[] {
  if (!text.endsWith('\n')) throw new Error('the last line has no newline');
  const reader = new Exposition();
  for (const [i, line] of text.slice(0, -1).split('\n').entries()) {
    try {
      reader.line(line);
    } catch (error) {
      throw new Error(`line ${i + 1}: ${String(error)}: ${line}`, { cause: error });
    }
  }
  reader.checkHistograms();
  return reader.samples;
}

class Exposition {
  readonly samples: MetricSample[] = [];
  readonly #types = new Map<string, string>();
  readonly #helps = new Set<string>();
  readonly #finished = new Set<string>();
  readonly #seen = new Set<string>();
  #current = '';

  line(line: string): void {
    if (line === '') return;
    if (!line.startsWith('#')) {
      this.#sample(line);
      return;
    }
    const match = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/.exec(line);
    if (!match) return;
    const [, keyword, name, rest] = match;
    this.#enter(name);
    if (keyword === 'HELP') {
      if (this.#helps.has(name)) throw new Error('second HELP');
      if (/\\(?![\\n])/.test(rest)) throw new Error('bad escape');
      this.#helps.add(name);
      return;
    }
    if (this.#types.has(name)) throw new Error('second TYPE');
    if (!types.has(rest)) throw new Error(`unknown type ${rest}`);
    this.#types.set(name, rest);
  }

  #sample(line: string): void {
    const name = metricName.exec(line)?.[0];
    if (name === undefined) throw new Error('no metric name');
    const [labels, rest] = readLabels(line.slice(name.length));
    const match = /^ (\S+)(?: -?\d+)?$/.exec(rest);
    if (!match) throw new Error('expected " value"');
    const family = this.#familyOf(name);
    this.#enter(family);
    const key = `${name} ${JSON.stringify([...labels].sort(byText))}`;
    if (this.#seen.has(key)) throw new Error('sample given twice');
    this.#seen.add(key);
    this.samples.push({ name, labels, value: readValue(match[1]) });
  }

  #familyOf(name: string): string {
    if (this.#types.has(name)) return name;
    const base = name.replace(/_(bucket|sum|count)$/, '');
    const type = this.#types.get(base);
    if (type === 'histogram' || type === 'summary') return base;
    throw new Error('no TYPE before the sample');
  }

  #enter(family: string): void {
    if (family === this.#current) return;
    if (this.#finished.has(family)) throw new Error(`${family} is in two pieces`);
    this.#finished.add(this.#current);
    this.#current = family;
  }

  checkHistograms(): void {
    for (const [name, type] of this.#types) {
      if (type !== 'histogram') continue;
      const counts = this.samples.filter((sample) => sample.name === `${name}_count`);
      for (const count of counts) {
        const buckets = this.samples.filter(
          (sample) =>
            sample.name === `${name}_bucket` &&
            [...count.labels].every(([label, value]) => sample.labels.get(label) === value),
        );
        const bounds = buckets.map((bucket) => readValue(bucket.labels.get('le') ?? ''));
        const isRising = buckets.every(
          ({ value }, i) => i === 0 || (value >= buckets[i - 1].value && bounds[i] > bounds[i - 1]),
        );
        if (!isRising || bounds.at(-1) !== Infinity || buckets.at(-1)?.value !== count.value) {
          throw new Error(`histogram ${name} is not cumulative up to +Inf`);
        }
      }
    }
  }
}

function readLabels(text: string): [ReadonlyMap<string, string>, string] {
  const labels = new Map<string, string>();
  if (!text.startsWith('{')) return [labels, text];
  let rest = text.slice(1);
  while (!rest.startsWith('}')) {
    const match = labelPair.exec(rest);
    if (!match) throw new Error(`bad label at ${rest}`);
    if (labels.has(match[1])) throw new Error(`label ${match[1]} given twice`);
    const value = match[2].replace(/\\(.)/g, (_, letter) => (letter === 'n' ? '\n' : letter));
    labels.set(match[1], value);
    rest = rest.slice(match[0].length);
    if (rest.startsWith(',')) rest = rest.slice(1);
    else if (!rest.startsWith('}')) throw new Error('expected , or }');
  }
  return [labels, rest.slice(1)];
}

function readValue(text: string): number {
  if (text === '+Inf') return Infinity;
  if (text === '-Inf') return -Infinity;
  if (text === 'NaN' || text === 'Nan') return Number.NaN;
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) throw new Error(`bad value ${text}`);
  return value;
}

function byText(a: readonly string[], b: readonly string[]): number {
  return String(a) < String(b) ? -1 : 1;
}
