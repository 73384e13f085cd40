// Updates the findings of a service after a search: adds new findings, and resolves old ones.
import type { Deploy } from './deploys.ts';
import type { Finding, FindingFunction, ServiceName } from './interface.ts';
import { findingFunctionsMax, findingsMax, usualMillis } from './limits.ts';
import type { ChangeEvent, FoundChange } from './statistics/find-changes.ts';
import { serviceQuery, type WatchedType } from './watched-types.ts';

/** An event with the names of its versions. */
export interface NamedEvent extends ChangeEvent {
  readonly source: 'deploy' | 'mark';
  /** New and old version. For a mark, the new version is its text, and the old one is "". */
  readonly names: Pick<Deploy, 'label' | 'version' | 'before'>;
}

/** Result of one search of a service. */
export interface SearchResult {
  readonly type: WatchedType;
  readonly service: ServiceName;
  /** Use of the resource in the newest window, in the unit of the resource. */
  readonly amount: number;
  readonly changes: readonly FoundChange[];
  readonly events: readonly NamedEvent[];
  readonly nowMillis: number;
}

/** Fraction of the change in cost that must be gone before a finding counts as undone. */
const undonePart = 2 / 3;

/** Returns the findings after a search, newest first; `newId` creates ids. */
export function updateFindings(
  before: readonly Finding[],
  result: SearchResult,
  newId: () => string,
): readonly Finding[] {
  const { service, type, nowMillis } = result;
  const isOwn = (one: Finding): boolean =>
    one.resource === type.resource &&
    one.service.label === service.label &&
    one.service.name === service.name;
  const added: Finding[] = [];
  let findings = before;
  for (const change of result.changes) {
    let undoesAny = false;
    findings = findings.map((one) => {
      if (!isOwn(one) || one.state === 'resolved' || !isUndone(one, change)) return one;
      undoesAny = true;
      return ended(one, 'undone', nowMillis);
    });
    if (undoesAny) continue;
    const next = toFinding(change, result, newId());
    const earlier = findings.find((one) => isOwn(one) && isContinued(one, next));
    if (earlier === undefined) added.push(next);
    else findings = findings.map((one) => (one === earlier ? continued(earlier, next) : one));
  }
  const all = [...added.toReversed(), ...findings].map((one) =>
    one.state !== 'resolved' && nowMillis - one.foundMillis > usualMillis
      ? ended(one, 'usual', nowMillis)
      : one,
  );
  return all.length === before.length && all.every((one, i) => one === before[i])
    ? before
    : withoutOldest(all);
}

function isUndone({ functions: [first] }: Finding, { functions }: FoundChange): boolean {
  const same = functions.find(
    ({ name, measure }) => name === first.name && measure === first.measure,
  );
  return (
    same !== undefined && -same.cost * Math.sign(first.cost) >= undonePart * Math.abs(first.cost)
  );
}

/**
 * Returns true if a later search shows more of the same change without a deploy, which is then a
 * slow change.
 */
function isContinued(one: Finding, next: Finding): boolean {
  const isSlow = ({ kind }: Finding): boolean => kind === 'unexplained' || kind === 'drift';
  const [first, second] = [one.functions[0], next.functions[0]];
  return (
    one.state !== 'resolved' &&
    isSlow(one) &&
    isSlow(next) &&
    first.name === second.name &&
    first.measure === second.measure &&
    first.cost > 0 === second.cost > 0
  );
}

function continued(one: Finding, next: Finding): Finding {
  const [first, ...others] = next.functions;
  const { cost, amount, before, halfWidth } = one.functions[0];
  const sum = {
    ...first,
    before,
    cost: cost + first.cost,
    amount: amount + first.amount,
    halfWidth: Math.hypot(halfWidth, first.halfWidth),
  };
  const { doneMillis, stateMillis } = next;
  return { ...one, kind: 'drift', functions: [sum, ...others], doneMillis, stateMillis };
}

function ended(finding: Finding, resolution: Finding['resolution'], nowMillis: number): Finding {
  return { ...finding, state: 'resolved', stateMillis: nowMillis, resolution };
}

function toFinding(
  change: FoundChange,
  { type, service, amount, events, nowMillis }: SearchResult,
  id: string,
): Finding {
  const event = events.find(({ key }) => key === change.event?.key);
  const isNamed = change.kind === 'deploy' && event !== undefined;
  return {
    id,
    kind: isNamed ? event.source : change.kind,
    resource: type.resource,
    service,
    query: serviceQuery(type, service),
    timeMillis: change.timeMillis,
    doneMillis: change.doneMillis,
    foundMillis: nowMillis,
    version: isNamed ? event.names.version : '',
    versionBefore: isNamed ? event.names.before : '',
    versionLabel: isNamed ? event.names.label : '',
    functions: change.functions
      .slice(0, findingFunctionsMax)
      .map(({ name, measure, before, after, cost, halfWidth }): FindingFunction => ({
        name,
        measure,
        before,
        after,
        cost,
        halfWidth,
        amount: cost * amount,
      })),
    state: 'open',
    stateMillis: nowMillis,
    resolution: '',
  };
}

/** Removes findings that exceed the limit, the oldest resolved findings first. */
function withoutOldest(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length <= findingsMax) return findings;
  const kept = new Set(
    findings
      .toSorted(
        (a, b) =>
          Number(a.state === 'resolved') - Number(b.state === 'resolved') ||
          b.foundMillis - a.foundMillis,
      )
      .slice(0, findingsMax),
  );
  return findings.filter((one) => kept.has(one));
}
