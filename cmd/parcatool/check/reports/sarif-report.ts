// Result of a check as SARIF 2.1.0, for code scanning. Source:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
import type { CheckResult, Finding } from '../check-sides.ts';
import { changeText, itemName, verdictText } from '../phrases.ts';

const schema =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

const rules = [
  { kind: 'total', text: 'The program uses more than its budget allows.' },
  { kind: 'package', text: 'A package uses more than its budget allows.' },
  { kind: 'function', text: 'A function uses more than its budget allows.' },
] as const;

/**
 * Formats the findings that did not pass. Findings without a source are shown at the budget file,
 * if there is one.
 */
export function sarifReport(result: CheckResult, version: string): string {
  const budgetFile = result.budget.file;
  const results = result.findings
    .filter(({ outcome, isDecisive }) => outcome !== 'kept' && isDecisive)
    .map((finding) => resultOf(finding, budgetFile));
  const driver = {
    name: 'parcatool check',
    version,
    rules: rules.map(({ kind, text }) => ({
      id: `budget-${kind}`,
      name: `Budget${kind[0].toUpperCase()}${kind.slice(1)}`,
      shortDescription: { text },
      fullDescription: { text },
      help: { text: 'See docs/ci.md of parcatool.' },
      defaultConfiguration: { level: 'error' },
      properties: { tags: ['performance'] },
    })),
  };
  const run = { tool: { driver }, columnKind: 'utf16CodeUnits', results };
  return `${JSON.stringify({ $schema: schema, version: '2.1.0', runs: [run] }, undefined, 2)}\n`;
}

function resultOf(finding: Finding, budgetFile: string): object {
  const { kind, name, place, outcome, limit } = finding;
  const path = place?.path ?? '';
  const uri = path === '' ? budgetFile : path;
  const line = path === '' ? 1 : Math.max(1, place?.line ?? 1);
  return {
    ruleId: `budget-${kind}`,
    ruleIndex: rules.findIndex((rule) => rule.kind === kind),
    level: outcome === 'exceeded' ? 'error' : 'warning',
    message: { text: `${itemName(finding)}: ${changeText(finding)}: ${verdictText(finding)}` },
    locations: [
      {
        ...(uri !== '' && {
          physicalLocation: {
            artifactLocation: { uri: encodeURI(uri), uriBaseId: '%SRCROOT%' },
            region: { startLine: line },
          },
        }),
        logicalLocations: [
          {
            fullyQualifiedName: name === '' ? 'total' : name,
            kind: kind === 'package' ? 'module' : kind === 'function' ? 'function' : 'resource',
          },
        ],
      },
    ],
    partialFingerprints: { 'parcatoolCheck/v1': `${kind}:${name}:${limit.kind}` },
  };
}
