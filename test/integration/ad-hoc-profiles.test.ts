// Tests that the server keeps uploaded profiles and the settings of Grafana's apps, even after a
// restart.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { smallRecording } from '../../src/formats/jfr/testing/small-recording.ts';
import { cpuProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer } from '../support/server.ts';

const scratch = await scratchDirectory();
const storagePath = join(scratch.path, 'data');
let server = await startServer({ storagePath });
after(async () => {
  await server.stop();
  await scratch.remove();
});

async function call(method: string, body: object): Promise<{ status: number; answer: unknown }> {
  const response = await fetch(`${server.url}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, answer: await response.json() };
}

interface AdHocProfile {
  readonly id: string;
  readonly name: string;
  readonly profileType: string;
  readonly profileTypes: readonly string[];
  readonly flamebearerProfile: string;
}

async function adHoc<T = AdHocProfile>(method: string, body: object): Promise<T> {
  const { status, answer } = await call(`adhocprofiles.v1.AdHocProfileService/${method}`, body);
  assert.equal(status, 200, JSON.stringify(answer));
  return answer as T;
}

async function refused(method: string, body: object, status: number, why: RegExp): Promise<void> {
  const got = await call(`adhocprofiles.v1.AdHocProfileService/${method}`, body);
  assert.equal(got.status, status, JSON.stringify(got.answer));
  assert.match(JSON.stringify(got.answer), why);
}

function bars(flamebearerProfile: string) {
  const { flamebearer, metadata, ...rest } = JSON.parse(flamebearerProfile) as {
    flamebearer: { names: string[]; levels: number[][] };
    metadata: { format: string; units: string; name: string };
    leftTicks?: number;
    rightTicks?: number;
  };
  return { names: flamebearer.names, levels: flamebearer.levels, metadata, ...rest };
}

const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64');
const encodeSamples = (samples: readonly (readonly [string, bigint])[]): string =>
  base64(gzippedPprof(cpuProfile({ timeNanos: 1_600_000_000_000_000_000n, samples })));

test('an uploaded file is shown, listed, found again by type, and compared', async () => {
  const left = await adHoc('Upload', {
    name: 'one file.pb.gz',
    profile: encodeSamples([
      ['main;serve', 5n],
      ['main', 1n],
    ]),
  });
  assert.equal(left.name, 'one_file.pb.gz');
  const shown = bars(left.flamebearerProfile);
  assert.equal(shown.metadata.name, left.profileType);
  assert.deepEqual(shown.names, ['total', 'main', 'serve']);
  const type = left.profileTypes.at(-1);
  const got = await adHoc('Get', { id: left.id, profileType: type, maxNodes: 1 });
  const cut = bars(got.flamebearerProfile);
  assert.deepEqual([cut.metadata.name, cut.names], [type, ['total', 'main', 'other']]);
  const right = await adHoc('Upload', {
    name: 'two',
    profile: encodeSamples([['main;serve', 7n]]),
  });
  const diff = await adHoc<{ profileTypes: string[]; flamebearerProfile: string }>('Diff', {
    leftId: left.id,
    rightId: right.id,
  });
  assert.deepEqual(diff.profileTypes, left.profileTypes);
  const compared = bars(diff.flamebearerProfile);
  const period = (compared.leftTicks ?? 0) / 6;
  assert.equal(compared.metadata.format, 'double');
  assert.equal(compared.rightTicks, period * 7);
  const text = await adHoc('Upload', { name: 'text', profile: base64(gzipSync('a;b 3\na 1\n')) });
  assert.deepEqual(bars(text.flamebearerProfile).levels.at(-1), [0, 3, 3, 2]);
  const recording = await adHoc('Upload', { name: 'app.jfr', profile: base64(smallRecording()) });
  assert.ok(recording.profileTypes.includes('wall'), recording.profileTypes.join());
  const { profiles } = await adHoc<{ profiles: AdHocProfile[] }>('List', {});
  assert.deepEqual(
    profiles.map(({ name }) => name),
    ['app.jfr', 'text', 'two', 'one_file.pb.gz'],
  );
  await refused('Diff', { leftId: text.id, rightId: left.id }, 400, /no type in common/);
});

test('what cannot be read is refused, and not kept', async () => {
  const count = async (): Promise<number> =>
    (await adHoc<{ profiles: unknown[] }>('List', {})).profiles.length;
  const before = await count();
  await refused('Upload', { name: 'x', profile: base64('no profile') }, 400, /cannot read profile/);
  await refused('Upload', { name: 'x', profile: '%%%' }, 400, /no base64/);
  await refused('Upload', { name: 'x' }, 400, /it is empty/);
  await refused('Upload', { name: 'x', profile: 'AAAA', maxNodes: -1 }, 400, /max nodes/);
  await refused('Get', { id: '../settings.json' }, 404, /no such ad hoc profile/);
  assert.equal(await count(), before);
});

test('uploads and settings are there after a restart', async () => {
  const setting = { name: 'maxNodes', value: '4096', modifiedAt: '1790000000000' };
  await call('settings.v1.SettingsService/Set', { setting });
  const { profiles } = await adHoc<{ profiles: AdHocProfile[] }>('List', {});
  await server.kill();
  server = await startServer({ storagePath });
  assert.deepEqual((await call('settings.v1.SettingsService/Get', {})).answer, {
    settings: [setting],
  });
  assert.deepEqual(await adHoc('List', {}), { profiles });
  const got = await adHoc('Get', { id: profiles[0].id });
  assert.equal(got.name, profiles[0].name);
  const older = { setting: { ...setting, modifiedAt: '1780000000000' } };
  assert.equal((await call('settings.v1.SettingsService/Set', older)).status, 409);
});

test('settings have a limit of all together, also for those that are set at once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      call('settings.v1.SettingsService/Set', {
        setting: { name: `s${i}`, value: 'v'.repeat(7_000) },
      }),
    ),
  );
  const counts = [200, 429].map((code) => answers.filter(({ status }) => status === code).length);
  assert.deepEqual(counts, [9, 3]);
  const { answer } = await call('settings.v1.SettingsService/Get', {});
  assert.equal((answer as { settings: unknown[] }).settings.length, 10);
});

test("sources on GitHub are refused in Pyroscope's words", async () => {
  const { status, answer } = await call('vcs.v1.VCSService/GithubApp', {});
  assert.equal(status, 501);
  const { code, message } = answer as { code: string; message: string };
  assert.deepEqual([code, message], ['unimplemented', 'GitHub integration is not configured']);
});
