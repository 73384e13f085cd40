import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BinaryPaths } from './binary-paths.ts';

test('the last path of a build id is kept, of a limited number of build ids', () => {
  const paths = new BinaryPaths(2);
  paths.note('aa', '/bin/a');
  paths.note('aa', '/usr/bin/a');
  paths.note('bb', '/bin/b');
  paths.note('bb', '');
  paths.note('', '[vdso]');
  assert.deepEqual(
    ['aa', 'bb', ''].map((buildId) => paths.findPath(buildId)),
    ['/usr/bin/a', '/bin/b', ''],
  );
  paths.note('cc', '/bin/c');
  assert.deepEqual(
    ['aa', 'bb', 'cc'].map((buildId) => paths.findPath(buildId)),
    ['', '/bin/b', '/bin/c'],
  );
});
