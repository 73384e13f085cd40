// Tests of packing and reading archives of sources: archives from real tools, and hostile archives.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { AppError } from '../base/errors.ts';
import { jsonPieceLength } from '../base/limits.ts';
import { createFakeClock } from '../base/fake/clock.ts';
import { MemoryFiles } from '../base/fake/memory-files.ts';
import { createPausingClock } from '../base/fake/pausing-clock.ts';
import { seededRandom } from '../base/random.ts';
import { gzipSync, zstdCompressSync } from '../base/threads/zlib.ts';
import { type ArchiveLimits, packSources } from './pack-sources.ts';
import { SourceArchives } from './source-archives.ts';
import { makeTar, type TarMember } from './testing/make-tar.ts';

/** Signal of a caller that does not leave. */
const unending = new AbortController().signal;
const clock = createFakeClock();

const small: ArchiveLimits = { bytesMax: 1_000_000, membersMax: 100, fileBytesMax: 10_000 };

async function filesWith(archive: Uint8Array): Promise<MemoryFiles> {
  const files = new MemoryFiles(seededRandom(1));
  const file = await files.open('/archive', { create: true });
  await file.append(archive);
  await file.close();
  return files;
}

/**
 * Packs an archive. Returns a reader of the packed archive, and the sentence about omitted members.
 */
async function pack(
  archive: Uint8Array,
): Promise<{ readonly read: (name: string) => Promise<string>; readonly leftOut: string }> {
  const files = await filesWith(archive);
  const { leftOut, bytes } = await packSources(files, '/archive', '/packed', unending, small);
  assert.equal(files.peek('/packed')?.length, bytes);
  const archives = new SourceArchives({ files, clock }, (buildId) =>
    buildId === 'b' ? '/packed' : undefined,
  );
  const read = async (name: string): Promise<string> => {
    const { text, reason } = await archives.readSource('b', name, unending);
    return text ?? `no: ${reason}`;
  };
  return { read, leftOut };
}

async function refused(archive: Uint8Array): Promise<string> {
  const files = await filesWith(archive);
  const error: unknown = await packSources(files, '/archive', '/packed', unending, small).catch(
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof AppError, String(error));
  assert.equal(error.code, 'invalid-argument');
  assert.equal(files.openHandles, 0);
  return error.message.replace('cannot read the archive of sources: ', '');
}

const members: readonly TarMember[] = [
  { path: 'src/', type: 'Directory' },
  { path: './src/main.c', content: 'int main;' },
  { path: '/usr/include/a b.h', content: 'ä' },
  { path: 'src/empty.c' },
];

test('archives of GNU tar are read, plain and compressed, with long and foreign names', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sources-'));
  after(() => rmSync(folder, { recursive: true }));
  const long = `${'deep/'.repeat(60)}ä-${'x'.repeat(90)}.rs`;
  mkdirSync(join(folder, long, '..'), { recursive: true });
  const text = 'fn main() {}\n'.repeat(700);
  writeFileSync(join(folder, long), text);
  writeFileSync(join(folder, 'main.go'), 'package main\n');
  for (const format of ['gnu', 'pax']) {
    const archive = join(folder, '..', `sources-${format}-${process.pid}.tar`);
    after(() => rmSync(archive, { force: true }));
    execFileSync('tar', [`--format=${format}`, '-cf', archive, '-C', folder, '.']);
    const plain = readFileSync(archive);
    const halves = [plain.subarray(0, 700), plain.subarray(700)];
    const members = Buffer.concat(halves.map((half) => gzipSync(half, {})));
    const frames = Buffer.concat(halves.map((half) => zstdCompressSync(half)));
    for (const bytes of [plain, members, frames]) {
      const { read, leftOut } = await pack(bytes);
      assert.equal(await read(long), text);
      assert.equal(await read('main.go'), 'package main\n');
      assert.equal(leftOut, '');
    }
  }
});

test('a file is found as its frame names it', async () => {
  const { read } = await pack(makeTar([...members, { path: 'lib/src/util.c', content: 'util' }]));
  const check = async (name: string, want: string): Promise<void> =>
    assert.equal(await read(name), want, name);
  await check('src/main.c', 'int main;');
  await check('/src/main.c', 'int main;');
  await check('./src/../src/./main.c', 'int main;');
  await check('/home/me/project/src/main.c', 'int main;');
  await check('main.c', 'int main;');
  await check('/usr/include/a b.h', 'ä');
  await check('file:///src/empty.c', '');
  await check('src/util.c', 'util');
  await check('/other/lib/src/util.c', 'util');
  await check('ain.c', 'no: ain.c is not in the archive');
  await check('/other/main.c', 'no: /other/main.c is not in the archive');
  await check('../..', 'no: ../.. is not a file name');
});

test('what may be two files is none, nor is a file that has only its last part in common', async () => {
  const { read } = await pack(
    makeTar([
      { path: 'a/x.c', content: 'a' },
      { path: 'b/x.c', content: 'b' },
      { path: 'main.go', content: 'main' },
    ]),
  );
  assert.equal(await read('x.c'), 'no: x.c may be a/x.c or b/x.c');
  assert.equal(await read('b/x.c'), 'b');
  assert.equal(await read('main.go'), 'main');
  assert.match(await read('/go/src/main.go'), /^no: .* its main.go lies in no folder/);
});

test('links, large members, foreign types, binaries and duplicates are left out and named', async () => {
  const { read, leftOut } = await pack(
    makeTar([
      ...members,
      { path: 'link.c', type: 'SymbolicLink', linkpath: '/etc/passwd' },
      { path: 'hard.c', type: 'Link', linkpath: 'src/main.c' },
      { path: 'large.c', content: 'x'.repeat(10_001) },
      { path: '../../etc/cron.d/x', content: 'up' },
      { path: 'fifo', type: 'FIFO' },
      { path: 'a.o', content: 'a\0b' },
      { path: 'src/main.c', content: 'later' },
    ]),
  );
  assert.equal(await read('src/main.c'), 'later');
  assert.equal(await read('large.c'), 'no: large.c is not in the archive');
  assert.equal(
    leftOut,
    '2 links ("link.c" first), 1 larger than 10000 bytes ("large.c" first), ' +
      '1 with names that lead out of the archive ("../../etc/cron.d/x" first), ' +
      '1 of type FIFO ("fifo" first), 1 not text ("a.o" first), ' +
      '1 replaced by a later one of the same name ("src/main.c" first)',
  );
});

test('an archive that is none, or too large, is refused with the reason', async () => {
  const tar = makeTar(members);
  const check = async (archive: Uint8Array, want: RegExp): Promise<void> =>
    assert.match(await refused(archive), want);
  await check(new Uint8Array(0), /Unrecognized archive format/);
  await check(new Uint8Array(5_000).fill(65), /checksum failure|Unrecognized/);
  await check(new TextEncoder().encode('PK\x03\x04'), /it is zip; pack it by tar/);
  await check(gzipSync(gzipSync(tar, {}), {}), /its content is gzip, not tar/);
  await check(gzipSync(tar, {}).subarray(0, 60), /unexpected end/);
  await check(zstdCompressSync(tar).subarray(0, 60), /./);
  await check(tar.subarray(0, 1_030), /Truncated input/);
  await check(makeTar([{ path: 'd/', type: 'Directory' }]), /no source file/);
  await check(gzipSync(new Uint8Array(1_100_000), {}), /more than 1000000 bytes/);
  await check(zstdCompressSync(new Uint8Array(50_000_000)), /more than 1000000 bytes/);
  const many = Array.from({ length: 101 }, (_, i) => ({ path: `${i}.c`, content: 'x' }));
  await check(makeTar(many), /more than 100 members/);
  await check(makeTar([{ path: 'p', type: 'ExtendedHeader', size: 2 ** 30 }]), /a header has/);
  await check(makeTar([{ path: 'huge.c', size: 2 ** 40 }]), /Truncated input|huge.c/);
});

test('no cut and no flipped byte of an archive does more than refuse it', async () => {
  const random = seededRandom(7);
  const tar = makeTar(members);
  let kept = 0;
  for (let round = 0; round < 400; round += 1) {
    const broken = tar.slice(0, round % 2 === 0 ? tar.length : random.uint32() % tar.length);
    for (let i = 0; i < 3 && broken.length > 0; i += 1) {
      broken[random.uint32() % Math.min(broken.length, 2048)] = random.uint32();
    }
    const files = await filesWith(broken);
    try {
      const { fileCount } = await packSources(files, '/archive', '/packed', unending, small);
      assert.ok(fileCount <= members.length);
      kept += 1;
    } catch (error) {
      assert.ok(error instanceof AppError, String(error));
    }
    assert.equal(files.openHandles, 0);
  }
  assert.ok(kept < 400, `${kept} kept`);
});

test('a packed file that was damaged is told from one without the file', async () => {
  const files = await filesWith(makeTar(members));
  await packSources(files, '/archive', '/packed', unending, small);
  const packed = files.peek('/packed');
  assert.ok(packed);
  const random = seededRandom(3);
  for (let round = 0; round < 60; round += 1) {
    const damaged = packed.slice();
    damaged[random.uint32() % damaged.length] ^= 1 << (random.uint32() % 8);
    const other = await filesWith(damaged);
    const answer = new SourceArchives({ files: other, clock }, () => '/archive').readSource(
      'b',
      'src/main.c',
      unending,
    );
    const { text } = await answer.catch((error: unknown) => {
      assert.ok(error instanceof AppError && error.code === 'data-loss', String(error));
      return { text: 'int main;' };
    });
    // Damage of another file does not affect this file.
    assert.equal(text, 'int main;');
  }
  const { reason } = await new SourceArchives({ files, clock }, () => undefined).readSource(
    'c',
    'x',
    unending,
  );
  assert.equal(reason, 'no sources for this build id have been uploaded');
});

test('a file without a build id has the archive that was uploaded under its name', async () => {
  const files = await filesWith(makeTar([{ path: '/srv/shop.py', content: 'pay()' }]));
  await packSources(files, '/archive', '/packed', unending, small);
  const archives = new SourceArchives({ files, clock }, (id) =>
    id === '/srv/shop.py' ? '/packed' : undefined,
  );
  assert.equal((await archives.readSource('', '/srv/shop.py', unending)).text, 'pay()');
  const { reason } = await archives.readSource('', '/srv/other.py', unending);
  assert.equal(reason, 'no sources for this build id have been uploaded');
});

test('a source of Windows is found by the end of its path', async () => {
  const { read } = await pack(makeTar([{ path: 'src/main.c', content: 'int main;' }]));
  assert.equal(await read('C:\\build\\acme\\src\\main.c'), 'int main;');
  assert.equal(await read('src\\main.c'), 'int main;');
  assert.match(await read('C:\\build\\other.c'), /^no: /);
});

test('the list of a large archive is read in slices, once for all callers, and ends with the last', async () => {
  const count = 2_000;
  const folder = 's'.repeat(80);
  const members = Array.from({ length: count }, (_, i) => {
    return { path: `${folder}/${i}.c`, content: `${i}` };
  });
  const files = await filesWith(makeTar(members));
  const limits = { bytesMax: 1e9, membersMax: count, fileBytesMax: 100 };
  await packSources(files, '/archive', '/packed', unending, limits);
  const onPause: (() => void)[] = [];
  const pausing = createPausingClock(clock, () => onPause.shift()?.());
  const archives = new SourceArchives({ files, clock: pausing.clock }, () => '/packed');
  const gone = new AbortController();
  onPause.push(() => gone.abort(new AppError('cancelled', 'gone')));
  await assert.rejects(archives.readSource('b', `${folder}/1.c`, gone.signal), /gone/);
  assert.equal(pausing.pauses(), 1);
  const read = [1, count - 1].map((i) => archives.readSource('b', `${folder}/${i}.c`, unending));
  assert.deepEqual(await Promise.all(read), [{ text: '1' }, { text: `${count - 1}` }]);
  // An element of the list has 90 to 150 bytes.
  const pauses = pausing.pauses();
  assert.ok(pauses > (count * 90) / jsonPieceLength && pauses < (count * 150) / jsonPieceLength);
});
