// Data that all steps of a release share: products, version, folders, and the time of files.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, SetupError } from '../setup.mjs';

/** Architecture as named by Debian, Go and OCI. */
export type Architecture = 'amd64' | 'arm64';

/** A product: the server or the agent. */
export interface Product {
  /** Name of its packages and archives. */
  readonly name: string;
  readonly summary: string;
  /** Main files of its programs, by command name. */
  readonly commands: Readonly<Record<string, string>>;
  /** Other main files. */
  readonly entries: readonly string[];
  /** Name of its systemd service in deploy/. */
  readonly unit: string;
  readonly architectures: readonly Architecture[];
}

export const server: Product = {
  name: 'parca-ts',
  summary: 'Continuous profiling: the server and parcatool',
  commands: { parca: 'cmd/parca/main.ts', parcatool: 'cmd/parcatool/main.ts' },
  entries: ['cmd/grpc-health-probe/main.ts'],
  unit: 'parca',
  architectures: ['amd64', 'arm64'],
};

/** The agent, for x86-64 only, because the sampling add-on supports no other architecture. */
export const agent: Product = {
  name: 'parca-ts-agent',
  summary: 'Continuous profiling: the agent, which profiles every process of a host',
  commands: { 'parca-agent': 'cmd/parca-agent/main.ts' },
  entries: [],
  unit: 'parca-agent',
  architectures: ['amd64'],
};

export const products: readonly Product[] = [server, agent];

/** Paths of native programs and of tools. */
export interface BuiltPrograms {
  readonly symbolizer: string;
  readonly addon: string;
  readonly nfpm: string;
}

/** A release that is being built. */
export interface Release {
  readonly version: string;
  readonly commit: string;
  /** Time of all files in the artefacts, in seconds since 1970. */
  readonly epoch: number;
  /** Folder of the artefacts. */
  readonly output: string;
  /** Folder for intermediate files. */
  readonly work: string;
  readonly built: BuiltPrograms;
}

/** Fields of a package.json that releases use. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/** Returns the base name of a product's files for an architecture. */
export function platformName(
  { version }: Pick<Release, 'version'>,
  product: Product,
  architecture: Architecture,
): string {
  return `${product.name}-${version}-linux-${architecture}`;
}

export function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}

/**
 * Opens a release of the checkout; the default for SOURCE_DATE_EPOCH is the time of the last
 * commit.
 */
export function openRelease(output: string, work: string, built: BuiltPrograms): Release {
  const commit = git('rev-parse', 'HEAD');
  const epoch = Number(process.env['SOURCE_DATE_EPOCH'] ?? git('log', '-1', '--format=%ct'));
  if (!Number.isSafeInteger(epoch) || epoch < 0) {
    throw new SetupError('cannot make a release: SOURCE_DATE_EPOCH must be a number of seconds');
  }
  return { version: readManifest().version, commit, epoch, output, work, built };
}

function git(...args: string[]): string {
  return run('git', ['-C', root, ...args]).trim();
}

/** Returns the output of a command. Errors: SetupError with what the command printed. */
export function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): string {
  const limits = { encoding: 'utf8' as const, maxBuffer: 1 << 28 };
  const { cwd = root, env = process.env } = options;
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, ...limits });
  if (status === 0) return stdout;
  const why = error?.message ?? `it ended with ${status}: ${stderr}${stdout}`;
  throw new SetupError(`cannot run ${program} ${args.join(' ')}: ${why}`);
}
