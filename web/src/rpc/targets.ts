// Requests targets, and tests relabeling on the server.
import { toError, getJson } from './json.ts';

export type Labels = Readonly<Record<string, string>>;

/** One scrape of a target. */
export interface Scrape {
  readonly start: string;
  readonly seconds: number;
  readonly isGood: boolean;
}

/** A target that is scraped or cannot be scraped. */
export interface ActiveTarget {
  readonly scrapePool: string;
  readonly scrapeUrl: string;
  readonly lastError: string;
  readonly health: 'up' | 'down' | 'unknown';
  /** Name of the target's profile. */
  readonly profile: string;
  readonly labels: Labels;
  readonly discoveredLabels: Labels;
  readonly scrapeInterval: string;
  readonly lastScrape: string;
  /** Duration in seconds. */
  readonly lastScrapeDuration: number;
  readonly lastScrapeBytes: number;
  readonly healthSince: string;
  readonly scrapes: number;
  readonly failures: number;
  /** Oldest first. */
  readonly recentScrapes: readonly Scrape[];
}

/** A target that is not scraped, with the reason. */
export interface DroppedTarget {
  readonly scrapePool: string;
  readonly discoveredLabels: Labels;
  readonly reason: string;
}

/** Numbers of targets in a job. */
export interface PoolCounts {
  readonly scrapePool: string;
  readonly up: number;
  readonly down: number;
  readonly unknown: number;
  readonly dropped: number;
  /** Number of targets that match the request; the list may be shorter. */
  readonly matching: number;
}

export interface TargetList {
  readonly activeTargets: readonly ActiveTarget[];
  readonly droppedTargets: readonly DroppedTarget[];
  readonly pools: readonly PoolCounts[];
}

export interface TargetQuestion {
  readonly health: 'all' | 'up' | 'down' | 'unknown' | 'dropped';
  readonly search: string;
  /** Largest number of listed targets per job. */
  readonly limit: number;
}

/** Lists targets. Errors: RpcError. */
export async function askTargets(
  base: string,
  { health, search, limit }: TargetQuestion,
  signal: AbortSignal,
): Promise<TargetList> {
  const parameters = new URLSearchParams({
    state: health === 'dropped' ? 'dropped' : 'active',
    health: health === 'all' || health === 'dropped' ? 'any' : health,
    search,
    limit: String(limit),
  });
  const answer = await getJson(base, 'targets', parameters, { signal });
  return (answer as { readonly data: TargetList }).data;
}

/** Labels and rules to test. */
export interface RelabelTest {
  readonly scrapePool: string;
  readonly labels: Labels;
  /** Rules in YAML; undefined = the job's rules. */
  readonly relabelConfigs: string | undefined;
}

/** Labels after each rule, and the resulting target. */
export interface RelabelAnswer {
  readonly relabelConfigs: string;
  readonly discoveredLabels: Labels;
  /** Steps up to the rule that drops the target. */
  readonly steps: readonly RelabelStep[];
  /** Labels of the target; absent if it is dropped or cannot be scraped. */
  readonly labels?: Labels;
  readonly scrapeUrl?: string;
  /** Reason why the target cannot be scraped. */
  readonly mistake?: string;
}

export interface RelabelStep {
  readonly rule: Readonly<Record<string, string | number | readonly string[]>>;
  readonly output: Labels;
  readonly keep: boolean;
}

/** Tests rules. Errors: RpcError with the positions of mistakes in the rules. */
export async function testRelabeling(
  base: string,
  test: RelabelTest,
  signal: AbortSignal,
): Promise<RelabelAnswer> {
  const response = await fetch(`${base}api/v1/targets/relabel_steps`, {
    method: 'POST',
    body: JSON.stringify(test),
    signal,
    headers: { 'content-type': 'application/json' },
  });
  const json: unknown = await response.json();
  if (!response.ok) throw toError(json, response.status);
  return (json as { readonly data: RelabelAnswer }).data;
}
