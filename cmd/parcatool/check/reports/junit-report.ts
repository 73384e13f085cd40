// Result of a check as JUnit XML, which CI servers show as tests. Source: the schemas of Jenkins
// (junit-10.xsd) and of Ant (JUnit.xsd). The result is valid in both.
import type { CheckResult, Finding } from '../check-sides.ts';
import {
  changeText,
  itemName,
  methodLines,
  placeText,
  resultText,
  verdictText,
} from '../phrases.ts';

/** Formats the result. Each comparison is a test; an unclear comparison is a skipped test. */
export function junitReport(result: CheckResult, nowMillis: number): string {
  const { findings } = result;
  const count = (outcome: Finding['outcome']): number =>
    findings.filter((one) => one.outcome === outcome).length;
  const attributes = Object.entries({
    id: '0',
    package: 'parcatool',
    name: 'parcatool check',
    timestamp: new Date(nowMillis).toISOString().slice(0, 19),
    hostname: 'localhost',
    tests: String(findings.length),
    failures: String(count('exceeded')),
    errors: '0',
    skipped: String(count('unclear')),
    time: '0',
  });
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite ${attributes.map(([name, value]) => `${name}="${xml(value)}"`).join(' ')}>`,
    '    <properties/>',
    ...findings.flatMap(testCase),
    `    <system-out>${xml([...methodLines(result), resultText(result)].join('\n'))}</system-out>`,
    '    <system-err/>',
    '  </testsuite>',
    '</testsuites>',
  ];
  return `${lines.join('\n')}\n`;
}

function testCase(finding: Finding): string[] {
  const name = itemName(finding) + (finding.limit.kind === 'share' ? ': share' : '');
  const head = `    <testcase classname="${xml(finding.kind)}" name="${xml(name)}" time="0"`;
  if (finding.outcome === 'kept') return [`${head}/>`];
  const text = `${changeText(finding)}: ${verdictText(finding)}`;
  const place = placeText(finding);
  const element = finding.outcome === 'exceeded' ? 'failure' : 'skipped';
  const type = element === 'failure' ? ' type="budget"' : '';
  const content = element === 'failure' && place !== '' ? xml(place) : '';
  return [
    `${head}>`,
    `      <${element}${type} message="${xml(text)}">${content}</${element}>`,
    '    </testcase>',
  ];
}

/** Escapes a string, and removes characters that are invalid in XML. */
function xml(text: string): string {
  return (
    text
      // eslint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  );
}
