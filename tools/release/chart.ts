// Packs the Helm chart as `helm package` does, but with the time of the release.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';
import { writeTarball } from './archive.ts';
import { type Release, run } from './context.ts';

/** Builds the chart; returns its path. */
export async function makeChart({
  output,
  version,
  work,
  epoch,
}: Pick<Release, 'output' | 'version' | 'work' | 'epoch'>): Promise<string> {
  const folder = join(work, 'chart');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // The alert rules are symbolic links. Node's cpSync would create links to this machine's paths.
  run('cp', ['-RL', join(root, 'deploy/helm/parca'), folder]);
  const path = join(output, `parca-${version}.tgz`);
  await writeTarball(path, folder, 'parca', epoch);
  return path;
}
