// Describes a finding in one sentence, for feeds, alerts and the page.
import type { Finding, FindingResource } from './interface.ts';

/**
 * Returns a sentence such as "checkout: json.Marshal costs 0.80 cores more (3.1 % -> 9.4 %) since
 * version 2.4.1".
 */
export function findingSentence(finding: Finding): string {
  const { service, resource, functions, kind, version, versionLabel } = finding;
  const [{ name, amount, cost, halfWidth, before, after, measure }] = functions;
  const whole = { cpu: 'the service', memory: 'its memory', allocations: 'its allocations' };
  const share = `${percent(Math.abs(cost))} ± ${percent(halfWidth)} % of ${whole[resource]}`;
  const shares = `${percent(before)} % before, ${percent(after)} % now`;
  const calls = measure === 'cumulative' ? ' with what it calls' : '';
  const cause = {
    deploy: `since ${versionLabel} ${version}`,
    mark: `since "${version}"`,
    unexplained: 'without a deploy',
    drift: 'little by little',
  }[kind];
  const more = functions.length > 1 ? `; ${functions.length - 1} more functions changed` : '';
  return (
    `${service.name}: ${name}${calls} ${changeText(resource, amount)} ${cause}: ` +
    `${share} (${shares})${more}`
  );
}

/**
 * Returns text such as "costs 0.80 cores more", "holds 12 MiB less" or "allocates 12 MiB/s more".
 */
function changeText(resource: FindingResource, amount: number): string {
  const verb = { cpu: 'costs', memory: 'holds', allocations: 'allocates' }[resource];
  return `${verb} ${amountText(resource, Math.abs(amount))} ${amount > 0 ? 'more' : 'less'}`;
}

/** Returns an amount of a resource with its unit, such as "0.80 cores", "12 MiB" or "12 MiB/s". */
export function amountText(resource: FindingResource, amount: number): string {
  if (resource === 'cpu') return `${formatShort(amount)} cores`;
  return `${formatBytes(amount)}${resource === 'memory' ? '' : '/s'}`;
}

const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

function formatBytes(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (Math.abs(size) >= 1_000 && unit < byteUnits.length - 1) {
    size /= 1_024;
    unit += 1;
  }
  return `${formatShort(size)} ${byteUnits[unit]}`;
}

function formatShort(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(2);
}

function percent(share: number): string {
  const value = share * 100;
  return value >= 10 ? value.toFixed(0) : value.toFixed(value >= 1 ? 1 : 2);
}
