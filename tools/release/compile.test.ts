import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { compile } from './compile.ts';

const folder = mkdtempSync(join(tmpdir(), 'parca-compile-'));
after(() => rmSync(folder, { recursive: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

test('files that are imported now, later or by a thread are compiled, with their packages', () => {
  write({
    'cmd/main.ts': `import type { Shape } from '../src/shape.ts';
import { helper } from '../src/helper.ts';
import fastify from 'fastify';
const script = new URL('./worker.ts', import.meta.url);
export const make = async (x: Shape): Promise<void> => (await import('./late.ts')).late(x, helper);
`,
    'cmd/worker.ts': `import { gen } from '../gen/messages.js';\nexport const y: number = gen;\n`,
    'cmd/late.ts': `import { readFileSync } from 'node:fs';\nimport '@scope/pack/sub';\nrequire('undici');\n`,
    'src/helper.ts': `export const helper = 'see src/helper.ts';\n`,
    'src/shape.ts': `export interface Shape { readonly a: 1 }\n`,
    'gen/messages.js': `export const gen = 1;\n`,
  });
  const { files, packages } = compile(folder, ['cmd/main.ts']);
  assert.deepEqual(packages, ['@scope/pack', 'fastify', 'undici']);
  const names = ['cmd/late.js', 'cmd/main.js', 'cmd/worker.js', 'gen/messages.js', 'src/helper.js'];
  assert.deepEqual([...files.keys()].sort(), names);
  const main = files.get('cmd/main.js') ?? '';
  assert.doesNotMatch(main, /Shape|\.ts/);
  assert.match(main, /^const script = new URL\('\.\/worker\.js', import\.meta\.url\);$/m);
  // Line numbers in errors are those of the source.
  assert.equal(main.split('\n').length, 6);
  assert.match(files.get('src/helper.js') ?? '', /'see src\/helper\.ts'/);
});

test('a file that is missing is an error', () => {
  write({ 'a.ts': `import './none.ts';\n` });
  assert.throws(() => compile(folder, ['a.ts']), /ENOENT.*none\.ts/);
});
