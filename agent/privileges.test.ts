import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptCapabilities, missingCapabilities } from './privileges.ts';

test('each missing capability is one line with what it costs', () => {
  const check = (effective: string, ...names: readonly string[]): void => {
    const lines = missingCapabilities(`Name:\tnode\nCapEff:\t${effective}\n`);
    assert.deepEqual(
      lines.map((line) => line.replace(/ is missing: .+/, '')),
      names,
    );
  };
  check('000001ffffffffff');
  check('0000000000200000');
  check('0000000000000000', 'CAP_SYSLOG', 'CAP_CHECKPOINT_RESTORE', 'CAP_SYS_NICE');
  check('0000010400000000', 'CAP_SYS_NICE');
  assert.deepEqual(missingCapabilities('CapEff:\t0000010400000000'), [
    'CAP_SYS_NICE is missing: on a busy host new processes have incomplete stacks for longer',
  ]);
});

test('the right to write anywhere is kept only for folders that the command line names', () => {
  const writeAnywhere = 1;
  assert.equal(keptCapabilities(['--remote-store-insecure']).includes(writeAnywhere), false);
  for (const word of ['--local-store-directory=profiles', '--queue-directory', '--config-path=a']) {
    assert.equal(keptCapabilities([word]).includes(writeAnywhere), true, word);
  }
});
