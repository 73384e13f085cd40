// Result of a check as JSON, with all comparisons.
import type { CheckResult } from '../check-sides.ts';
import { changeText, itemName, resultText, verdictText } from '../phrases.ts';
import { type Side, sum } from '../runs.ts';

/** Names of the outcomes in the API. */
const outcomeNames = { exceeded: 'failed', unclear: 'unclear', kept: 'passed' } as const;

/** Formats the result. Infinite numbers become null. */
export function jsonReport(result: CheckResult): string {
  const { sides, findings, outcome, source, budget } = result;
  const json = {
    result: outcomeNames[outcome],
    summary: resultText(result),
    profileType: sides.profileType,
    unit: sides.unit,
    scale: sides.scaling,
    noise: source,
    alpha: budget.alpha,
    base: sideJson(sides.base),
    new: sideJson(sides.compared),
    comparisons: findings.map((finding) => ({
      result: outcomeNames[finding.outcome],
      isDecisive: finding.isDecisive,
      kind: finding.kind,
      name: finding.name,
      measure: finding.measure,
      ...(finding.place !== undefined && { place: finding.place }),
      limit: finding.limit,
      base: finding.base,
      new: finding.compared,
      halfWidth: finding.halfWidth,
      probability: finding.probability,
      ...(finding.needed !== undefined && {
        needed: { runs: finding.needed.runs, samples: finding.needed.samples },
      }),
      sentence: `${itemName(finding)}: ${changeText(finding)}: ${verdictText(finding)}`,
    })),
  };
  return `${JSON.stringify(json, undefined, 2)}\n`;
}

function sideJson({ title, runs }: Side): object {
  return {
    title,
    runs: runs.map(({ name, total, samples, coveredNanos }) => {
      return { name, total, samples, coveredNanos };
    }),
    samples: sum(runs.map((run) => run.samples)),
  };
}
