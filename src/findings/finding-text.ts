// A finding as one sentence, for feeds, alerts and the page.
import type { Finding } from './interface.ts';

/** Returns "checkout: json.Marshal costs 0.80 cores more (3.1 % -> 9.4 %) since version 2.4.1". */
export function findingSentence(finding: Finding): string {
  const { service, functions, kind, version, versionLabel } = finding;
  const [{ name, cores, cost, halfWidth, before, after, measure }] = functions;
  const size = formatCores(Math.abs(cores));
  const share = `${percent(Math.abs(cost))} ± ${percent(halfWidth)} % of the service`;
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
    `${service.name}: ${name}${calls} costs ${size} cores ${cost > 0 ? 'more' : 'less'} ${cause}: ` +
    `${share} (${shares})${more}`
  );
}

function formatCores(cores: number): string {
  return cores >= 100 ? cores.toFixed(0) : cores.toPrecision(2);
}

function percent(share: number): string {
  const value = share * 100;
  return value >= 10 ? value.toFixed(0) : value.toFixed(value >= 1 ? 1 : 2);
}
