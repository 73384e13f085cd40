// Makes the graph over time in an offline page: one line per side, with deploys.
import { versionLabels } from '../../../src/model/service-labels.ts';
import type { Explore } from '../answers/use-explore.ts';
import { type Deploy, findVersions } from '../compare/versions.ts';
import { formatPerSecond, perSecondFactor } from '../format/measure.ts';
import { listSpans, readSides, type SideText, withoutTimes } from '../language/comparison.ts';
import { withoutLabels } from '../language/matchers.ts';
import { listStages } from '../language/stages.ts';
import type { SparkPoints } from '../parts/sparkline-path.ts';
import type { Api } from '../rpc/api.ts';
import { localBase } from '../rpc/local.ts';
import type { MetricsSeries } from '../rpc/messages.gen.ts';
import { toNanos } from '../rpc/timestamp.ts';
import { describeRange, fixedRange } from '../url/time-range.ts';
import type { OfflineLine } from './offline-data.ts';

const points = 60;

/** A line: its name, its query, and its text in a comparison. */
interface Part {
  readonly name: string;
  readonly query: string;
}

/** Returns one line per side of a comparison, or one for the complete query. Errors: RpcError. */
export async function describeLines(
  api: Api,
  base: string,
  explore: Explore,
  parts: readonly Part[],
): Promise<OfflineLine[]> {
  const sides = readSides(explore.query);
  const texts = sides === undefined ? [undefined] : [sides.before, sides.now];
  return Promise.all(parts.map((part, i) => describeLine(api, base, explore, part, texts[i])));
}

async function describeLine(
  api: Api,
  base: string,
  explore: Explore,
  { name, query }: Part,
  side: SideText | undefined,
): Promise<OfflineLine> {
  const { selectedSpan: span, profileType, measure } = explore;
  const { signal } = new AbortController();
  const stepMillis = Math.max(1_000, Math.ceil((span.to - span.from + 1) / points));
  const { series } = await api.queryRange({ query, span, stepMillis, sumBy: [] }, { signal });
  const factor = perSecondFactor(profileType, measure);
  const line = toPoints(series, span.from, stepMillis, factor);
  const most = Math.max(0, ...line.values.map((value) => value ?? 0));
  const [own = span] = side === undefined ? [span] : listSpans(side, span);
  const deploys = base === localBase ? [] : await findDeploys(api, explore, query, own);
  const offset = side?.offsetMillis ?? 0;
  return {
    name: side === undefined ? '' : name,
    time: `${describeRange(fixedRange(own.from, own.to), true)} UTC`,
    points: line,
    most: formatPerSecond(most, measure),
    deploys: deploys.map(({ value, since }) => ({
      at: (since + offset - span.from) / (span.to - span.from + 1),
      text: `${value} came at ${describeTime(since)}`,
    })),
  };
}

/** Returns "2026-11-27 22:20:21 UTC". */
function describeTime(millis: number): string {
  return new Date(millis)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC');
}

/** Finds the deploys in a time range, including versions that the query does not select. */
async function findDeploys(
  api: Api,
  { labelType: profileType }: Explore,
  query: string,
  span: { readonly from: number; readonly to: number },
): Promise<readonly Deploy[]> {
  const [first] = listStages(query);
  const selector = withoutTimes(query.slice(0, first?.from)).replace(/\s*\|\s*$/, '');
  const asked = { query: withoutLabels(selector, versionLabels), profileType, span };
  const versions = await findVersions(api, asked, new AbortController());
  return (versions?.deploys ?? []).filter(({ since }) => since > span.from && since < span.to);
}

function toPoints(
  series: readonly MetricsSeries[],
  from: number,
  stepMillis: number,
  factor: number,
): SparkPoints {
  const values: (number | null)[] = Array.from({ length: points }, () => null);
  const covered: (number | null)[] = Array.from({ length: points }, () => null);
  for (const { timestamp, rate, coveredNanos } of series.flatMap(({ samples }) => samples)) {
    const at = Math.floor((Number(toNanos(timestamp)) / 1e6 - from) / stepMillis);
    const i = Math.min(points - 1, Math.max(0, at));
    values[i] = (values[i] ?? 0) + rate * factor;
    covered[i] = Math.max(covered[i] ?? 0, Number(coveredNanos)) || null;
  }
  return { values, covered };
}
