import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesSource, readElf } from '../../src/symbolize/elf-file.ts';
import { makeElf } from '../../src/symbolize/testing/make-elf.ts';
import { readCompiler } from './compiler.ts';

async function check(sections: Readonly<Record<string, string>>, want: string): Promise<void> {
  const bytes = makeElf(
    Object.entries(sections).map(([name, text]) => ({
      name,
      type: 1,
      content: Buffer.from(text, 'latin1'),
    })),
  );
  assert.equal(await readCompiler(await readElf(bytesSource(bytes))), want);
}

const debian = 'GCC: (Debian 12.2.0-14+deb12u1) 12.2.0\0';
const old = 'GCC: (GNU) 8.5.0 20210514 (Red Hat 8.5.0-28)\0';
const rustc = 'rustc version 1.95.0 (59807616e 2026-04-14)\0';

test('C, C++ and Haskell: the newest GCC, or what compiled with its start files', async () => {
  await check({ '.comment': debian }, 'GCC 12.2.0');
  await check(
    { '.comment': `${old}GCC: (GNU) 12.2.1 20221121 (Red Hat 12.2.1-7)\0` },
    'GCC 12.2.1',
  );
  await check({ '.comment': `GCC: (GNU) 10.2.0\0GCC: (GNU) 9.5.0\0` }, 'GCC 10.2.0');
  await check({ '.comment': 'GCC: (crosstool-NG 1.24.0) 8.3.0\0' }, 'GCC 8.3.0');
  await check({ '.comment': `${debian}Debian clang version 14.0.6\0` }, 'Clang 14.0.6');
  await check({ '.comment': 'GHC 9.4.7\0' }, 'GHC 9.4.7');
});

test('Rust: its version with debug information, else who linked it', async () => {
  await check({ '.comment': `${rustc}Linker: LLD 22.1.2\0${debian}` }, 'Rust (GCC 12.2.0)');
  await check({ '.comment': rustc }, 'Rust');
  await check({ '.comment': `${old}${rustc}clang version 22.1.0-rc2\0` }, 'Rust (GCC 8.5.0)');
  await check({ '.comment': `${rustc}${debian}`, '.debug_str': 'main\0' }, 'Rust 1.95.0');
});

test('Go: the version that built it', async () => {
  const head = '\xff Go buildinf:\x08\x02'.padEnd(32, '\0');
  const modules = 'path\texample.org/shop\n'.repeat(10_000);
  await check({ '.go.buildinfo': `${head}\x08go1.26.8${modules}` }, 'Go 1.26.8');
  await check({ '.go.buildinfo': `${head}\x10devel go1.27-0a1b2c3d` }, 'Go 1.27');
  await check({ '.go.buildinfo': head }, 'Go (unknown version)');
});

test('a file that does not say, as most programs of Debian', async () => {
  await check({ '.text': 'x' }, 'unknown');
  await check({ '.comment': '' }, 'unknown');
});
