// Tests all report formats with one result. Its names must be escaped in each format.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckResult, Finding } from '../check-sides.ts';
import { reportWriter } from './report-formats.ts';

const side = (title: string) => ({
  title,
  runs: [
    {
      name: title,
      total: 1e9,
      samples: 100,
      coveredNanos: 1e9,
      functions: new Map(),
      packages: new Map(),
    },
  ],
});

const total: Finding = {
  kind: 'total',
  name: '',
  measure: 'cumulative',
  place: undefined,
  limit: { kind: 'increase', share: 0.03 },
  base: 1e9,
  compared: 1.041e9,
  halfWidth: 2.2e7,
  baseTotal: 1e9,
  comparedTotal: 1.041e9,
  outcome: 'exceeded',
  isDecisive: true,
  probability: 0.001,
  needed: undefined,
};

const named: Finding = {
  ...total,
  kind: 'function',
  measure: 'flat',
  name: 'Vec<u8>::push, a|b`"%\n\u0001&',
  place: { file: '/build/src/vec.rs', line: 12, path: 'src/vec.rs' },
  limit: { kind: 'cost', share: 0.01 },
  outcome: 'unclear',
  needed: { runs: 2, samples: 300, lacksRuns: false },
};

const share: Finding = {
  ...total,
  kind: 'package',
  name: 'runtime',
  limit: { kind: 'share', share: 0.2 },
  base: 0.14,
  compared: 0.15,
  halfWidth: 0.011,
  baseTotal: 1,
  comparedTotal: 1,
  outcome: 'kept',
};

const result: CheckResult = {
  outcome: 'exceeded',
  source: 'runs',
  findings: [total, named, share],
  unmatched: [],
  sides: {
    base: side('a*.pb.gz'),
    compared: side('b*.pb.gz'),
    profileType: 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta',
    unit: 'nanoseconds',
    scaling: 'none',
    isPaired: false,
  },
  budget: { rules: [], file: 'budget.yaml', alpha: 0.01, runNoise: 0.03 },
};

function write(format: string, given = result): string {
  const terminal = { isColoured: false, width: undefined };
  const look = { keptMax: 5, terminal, nowMillis: Date.UTC(2026, 0, 2), version: '1.2.3' };
  return reportWriter(format)?.(given, look) ?? '';
}

test('annotations escape what would end them', () => {
  assert.deepEqual(write('github').split('\n'), [
    '::error title=total::total: +4.1 %25 ± 2.2: fails at 3 %25',
    '::warning file=src/vec.rs,line=12,title=Vec<u8>%3A%3Apush%2C a|b`"%25\ufffd\ufffd&::' +
      'Vec<u8>::push, a|b`"%25\ufffd\ufffd&: +4.1 %25 of the total ± 2.2: cannot tell at 1 %25 of the total: ' +
      '2 runs more needed on each side, of 300 samples together',
    '::notice title=Profile check::failed: 1 limit is exceeded, 1 cannot be told, 1 passed',
    '',
  ]);
});

test('Markdown keeps names in their cells', () => {
  assert.deepEqual(write('markdown').split('\n'), [
    '<!-- parcatool check -->',
    '### ❌ Profile check failed: 1 limit is exceeded, 1 cannot be told, 1 passed',
    '',
    '| | what | base | new | change | |',
    '| --- | --- | ---: | ---: | ---: | --- |',
    '| ❌ | `total` | 1.00s | 1.04s | +4.1 % ± 2.2 | fails at 3 % |',
    '| ❔ | `Vec<u8>::push, a\\|b\'"%\ufffd\ufffd&`<br>`src/vec.rs:12` | 1.00s | 1.04s ' +
      '| +4.1 % of the total ± 2.2 | cannot tell at 1 % of the total: 2 runs more needed on each side, of 300 samples together |',
    '',
    '<details><summary>1 passed</summary>',
    '',
    '| | what | base | new | change | |',
    '| --- | --- | ---: | ---: | ---: | --- |',
    '| ✅ | `package runtime` | 14 % | 15 % | 15 % of the total ± 1.1 | at most 20 % of the total is allowed |',
    '',
    '</details>',
    '',
    '- base: a\\*.pb.gz: 1 run, 100 samples',
    '- new: b\\*.pb.gz: 1 run, 100 samples',
    "- values of a run; noise from the differences between runs (Welch's t test)",
    "- 3 comparisons, corrected by Holm's method: 1 % of checks without a change fail at most",
    '',
  ]);
});

test('XML is escaped, and has no characters that it cannot have', () => {
  assert.deepEqual(write('junit').split('\n'), [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    '  <testsuite id="0" package="parcatool" name="parcatool check" timestamp="2026-01-02T00:00:00" ' +
      'hostname="localhost" tests="3" failures="1" errors="0" skipped="1" time="0">',
    '    <properties/>',
    '    <testcase classname="total" name="total" time="0">',
    '      <failure type="budget" message="+4.1 % ± 2.2: fails at 3 %"></failure>',
    '    </testcase>',
    '    <testcase classname="function" name="Vec&lt;u8&gt;::push, a|b`&quot;%\ufffd\ufffd&amp;" time="0">',
    '      <skipped message="+4.1 % of the total ± 2.2: cannot tell at 1 % of the total: ' +
      '2 runs more needed on each side, of 300 samples together"></skipped>',
    '    </testcase>',
    '    <testcase classname="package" name="package runtime: share" time="0"/>',
    "    <system-out>values of a run; noise from the differences between runs (Welch's t test)",
    "3 comparisons, corrected by Holm's method: 1 % of checks without a change fail at most",
    'failed: 1 limit is exceeded, 1 cannot be told, 1 passed</system-out>',
    '    <system-err/>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ]);
});

test('SARIF has the results that did not pass, at their lines', () => {
  const { runs, version } = JSON.parse(write('sarif'));
  assert.equal(version, '2.1.0');
  const results = runs[0].results.map(
    (one: {
      ruleId: string;
      level: string;
      locations: {
        physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } };
      }[];
    }) => {
      const [{ physicalLocation }] = one.locations;
      const { artifactLocation, region } = physicalLocation;
      return [one.ruleId, one.level, artifactLocation.uri, region.startLine];
    },
  );
  assert.deepEqual(results, [
    ['budget-total', 'error', 'budget.yaml', 1],
    ['budget-function', 'warning', 'src/vec.rs', 12],
  ]);
});

test('no more annotations than GitHub shows', () => {
  const findings = Array.from({ length: 30 }, () => total);
  assert.equal(write('github', { ...result, findings }).split('\n').length, 12);
});

test('a comment of a pull request is not too long for GitHub', () => {
  const name = 'x'.repeat(3_000);
  const findings = Array.from({ length: 500 }, () => ({ ...named, name }));
  const text = write('markdown', { ...result, findings });
  assert.ok(text.length < 65_536, String(text.length));
  assert.ok(text.includes('\nand 450 more\n'));
});
