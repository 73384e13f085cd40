import assert from 'node:assert/strict';
import { test } from 'node:test';
import { baseName, withSlashes } from './file-path.ts';

test('paths of Windows and of Unix', () => {
  const check = (path: string, base: string, slashes = path): void => {
    assert.equal(baseName(path), base, path);
    assert.equal(withSlashes(path), slashes, path);
  };
  check('', '');
  check('app', 'app');
  check('/usr/bin/app', 'app');
  check('/tmp/odd\\name', 'odd\\name');
  check('C:\\Program Files\\Acme\\app.exe', 'app.exe', 'C:/Program Files/Acme/app.exe');
  check('C:\\src/lib\\a.c', 'a.c', 'C:/src/lib/a.c');
  check('D:/src/a.c', 'a.c');
  check('\\\\server\\share\\a.dll', 'a.dll', '//server/share/a.dll');
  check('src\\main.rs', 'main.rs', 'src/main.rs');
  check('[kernel.kallsyms]', '[kernel.kallsyms]');
});
