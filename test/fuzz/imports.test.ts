// Tests damaged OTLP requests for a second, or 3 minutes in a full test, and damaged files in
// foreign formats for a second, or a minute in a full test.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rounds, testSeed } from '../../src/base/testing/rounds.ts';
import { runProgram } from '../crash/run-program.ts';

const files = 'pprof,jfr,collapsed,perf,speedscope,firefox,gperftools,v8';

for (const [formats, seconds] of [
  ['otlp,otlp-json', rounds(1, 180)],
  [files, rounds(1, 60)],
] as const) {
  test(`${formats}: none does more than be refused, and none grows or takes long`, async (t) => {
    const given = [testSeed(), `${seconds}s`, 1, formats];
    const { code, stdout, stderr } = await runProgram('../fuzz/imports.ts', given);
    assert.equal(code, 0, stderr);
    const counts = JSON.parse(stdout) as { readonly files: number; readonly read: number };
    assert.ok(counts.read > 0 && counts.read < counts.files, stdout);
    t.diagnostic(stdout.trim());
  });
}
