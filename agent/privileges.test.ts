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

test('the right to write anywhere is kept only for what the command line names', () => {
  const writeAnywhere = 1;
  for (const word of ['--remote-store-insecure', '--metadata-user-containers=false']) {
    assert.equal(keptCapabilities([word]).includes(writeAnywhere), false, word);
  }
  const folders = ['--local-store-directory=profiles', '--queue-directory', '--config-path=a'];
  for (const word of [...folders, '--metadata-user-containers']) {
    assert.equal(keptCapabilities([word]).includes(writeAnywhere), true, word);
  }
});
