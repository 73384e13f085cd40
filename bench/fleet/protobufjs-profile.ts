// Loads the protobuf.js decoder with which our pprof decoder is compared. pbjs generates its code
// into .cache/bench.
import { mkdir, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pbjs from 'protobufjs-cli/pbjs.js';

const source = fileURLToPath(
  new URL('../../src/formats/pprof/testdata/profile.proto', import.meta.url),
);
const folder = new URL('../../.cache/bench/', import.meta.url);
const target = new URL('profile.mjs', folder);

/** Result of the generated decoder, with an object per message. */
export interface ProtobufjsProfile {
  readonly sample: readonly unknown[];
  readonly location: readonly unknown[];
}

interface GeneratedModule {
  readonly perftools: {
    readonly profiles: { readonly Profile: { decode(bytes: Uint8Array): ProtobufjsProfile } };
  };
}

/** Loads the generated `Profile.decode`. */
export async function loadProtobufjsDecoder(): Promise<(bytes: Uint8Array) => ProtobufjsProfile> {
  const [made, written] = await Promise.all([modifiedMillis(target), modifiedMillis(source)]);
  if (made < written) await generate();
  const { perftools } = (await import(target.href)) as GeneratedModule;
  return (bytes) => perftools.profiles.Profile.decode(bytes);
}

async function generate(): Promise<void> {
  await mkdir(folder, { recursive: true });
  const leaveOut = [
    '--no-create',
    '--no-verify',
    '--no-convert',
    '--no-delimited',
    '--no-comments',
  ];
  const format = ['-t', 'static-module', '-w', 'es6', ...leaveOut];
  await promisify(pbjs.main)([...format, '-o', fileURLToPath(target), source]);
}

async function modifiedMillis(url: URL | string): Promise<number> {
  return (await stat(url).catch(() => undefined))?.mtimeMs ?? 0;
}
