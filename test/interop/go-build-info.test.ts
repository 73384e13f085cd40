// Compares our reader of Go's build information with `go version -m` on real programs: of five
// versions of Go, stripped, and reduced to debug information. After an upload, links to a
// repository use the build information.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { extractDebuginfo } from '../../agent/debuginfo/extract.ts';
import type { GoBuild } from '../../src/model/go-build.ts';
import { bytesSource, readBuildIds, readElf } from '../../src/symbolize/elf-file.ts';
import { readGoBuild } from '../../src/symbolize/go-build-info.ts';
import { startFilledServer } from '../support/filled-server.ts';
import { runParcatool } from '../support/parcatool.ts';
import { cpuProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';
import { testTool, type TestTool } from '../support/tools.ts';

const folder = mkdtempSync(join(tmpdir(), 'parca-go-build-'));
after(() => rmSync(folder, { recursive: true }));

const module = 'github.com/acme/shop';
const source = 'package main\n\nfunc main() { println("shop") }\n';

function git(...args: string[]): string {
  const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
  return execFileSync('git', [...who, ...args], { cwd: repository(), encoding: 'utf8' }).trim();
}

function repository(): string {
  return join(folder, 'shop');
}

mkdirSync(join(repository(), 'cmd'), { recursive: true });
writeFileSync(join(repository(), 'go.mod'), `module ${module}\n\ngo 1.15\n`);
writeFileSync(join(repository(), 'cmd/main.go'), source);
git('init', '-q');
git('add', '.');
git('commit', '-q', '-m', 'first');
const revision = git('rev-parse', 'HEAD');

function build(tool: TestTool, name: string, ...flags: string[]): string {
  const path = join(folder, name);
  const env = {
    ...process.env,
    GOENV: 'off',
    GOFLAGS: '',
    GOTOOLCHAIN: 'local',
    GO111MODULE: 'on',
  };
  execFileSync(testTool(tool), ['build', ...flags, '-o', path, './cmd'], {
    cwd: repository(),
    env,
  });
  return path;
}

/** Returns what `go version -m` of the newest Go prints. */
function byGo(program: string): GoBuild {
  const text = execFileSync(testTool('TEST_GO'), ['version', '-m', program], { encoding: 'utf8' });
  const [first, ...rest] = text.split('\n');
  const rows = rest.map((line) => line.trim().split('\t'));
  const [, path = '', version = ''] = rows.find(([kind]) => kind === 'mod') ?? [];
  const setting = (name: string): string =>
    rows.find(([, value]) => value?.startsWith(`${name}=`))?.[1].slice(name.length + 1) ?? '';
  return {
    goVersion: first.slice(first.lastIndexOf(': ') + 2),
    module: path,
    version: version === '(devel)' ? '' : version,
    revision: setting('vcs.revision'),
    isModified: setting('vcs.modified') === 'true',
  };
}

async function read(bytes: Uint8Array): Promise<GoBuild | undefined> {
  return readGoBuild(await readElf(bytesSource(bytes)));
}

/** Returns what the agent uploads of a program. */
async function extract(program: string): Promise<Uint8Array> {
  const elf = await readElf(bytesSource(new Uint8Array(readFileSync(program))));
  const extracted = await extractDebuginfo(elf);
  assert.ok(extracted);
  const pieces: Uint8Array[] = [];
  for await (const piece of extracted.pieces()) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function check(program: string): Promise<GoBuild> {
  const want = byGo(program);
  assert.deepEqual(await read(new Uint8Array(readFileSync(program))), want, program);
  assert.deepEqual(await read(await extract(program)), want, program);
  return want;
}

for (const tool of ['TEST_GO_1_15', 'TEST_GO_1_17', 'TEST_GO_1_19', 'TEST_GO'] as const) {
  test(`what go version -m prints: ${tool}`, async () => {
    const isOld = tool === 'TEST_GO_1_15' || tool === 'TEST_GO_1_17';
    const flags = isOld ? [] : ['-buildvcs=true'];
    const plain = await check(build(tool, `plain-${tool}`, ...flags));
    assert.equal(plain.module, module);
    assert.equal(plain.revision, isOld ? '' : revision);
    const stripped = await check(build(tool, `stripped-${tool}`, ...flags, '-ldflags=-s -w'));
    assert.deepEqual(stripped, plain);
    await check(build(tool, `pie-${tool}`, ...flags, '-buildmode=pie', '-trimpath'));
  });
}

test('a program built with changes says so', async () => {
  writeFileSync(join(repository(), 'cmd/main.go'), `${source}// Changed.\n`);
  const { isModified } = await check(build('TEST_GO', 'changed', '-buildvcs=true'));
  git('checkout', '-q', '.');
  assert.equal(isModified, true);
});

test('another program has none', async () => {
  assert.equal(await read(new Uint8Array(readFileSync('/bin/sh'))), undefined);
});

test('links of an uploaded program lead to its commit and to its Go', async () => {
  const program = build('TEST_GO', 'uploaded', '-buildvcs=true', '-ldflags=-s -w');
  const server = await startFilledServer([], async (push) => {
    const profile = cpuProfile({
      timeNanos: BigInt(Date.now()) * 1_000_000n,
      samples: [['a', 1n]],
    });
    await push({ __name__: 'process_cpu', job: 'shop' }, gzippedPprof(profile));
  });
  after(() => server.stop());
  const at = [`--store-address=${server.address}`, '--insecure'];
  const uploaded = await runParcatool('debuginfo', 'upload', program, ...at);
  assert.equal(uploaded.code, 0, uploaded.err);
  const ids = await readBuildIds(await readElf(bytesSource(new Uint8Array(readFileSync(program)))));
  const buildId = ids.gnu ?? ids.go ?? '';
  const linksOf = async (file: string): Promise<string[]> => {
    const asked = new URLSearchParams({ query: 'process_cpu', file, build_id: buildId });
    const answer = await fetch(`${server.url}/api/v1/source-links?${asked}`);
    assert.equal(answer.status, 200, await answer.clone().text());
    const { links } = (await answer.json()) as { readonly links: readonly { url: string }[] };
    return links.map(({ url }) => url);
  };
  const commit = `https://github.com/acme/shop/blob/${revision}/cmd/main.go#L{line}`;
  assert.deepEqual(await linksOf(join(repository(), 'cmd/main.go')), [commit]);
  assert.deepEqual(await linksOf(`${module}/cmd/main.go`), [commit]);
  const root = dirname(dirname(testTool('TEST_GO')));
  const { goVersion } = byGo(program);
  assert.deepEqual(
    await linksOf(join(root, 'src/runtime/proc.go')),
    root.endsWith('/go')
      ? [`https://github.com/golang/go/blob/${goVersion}/src/runtime/proc.go#L{line}`]
      : [],
  );
});
