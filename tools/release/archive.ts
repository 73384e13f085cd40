// Writes archives whose bytes depend only on the content of their files: names are sorted, and all
// files have the same time and owner.
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { run } from './context.ts';

/** Owner and permissions (as for chmod) of the files in an archive. */
export interface Owner {
  readonly user: number;
  readonly group: number;
  readonly mode: string;
}

const superuser: Owner = { user: 0, group: 0, mode: 'u=rwX,go=rX' };

/** Writes the entries `names` of `folder` to the tar file `path`. */
export function writeTar(
  path: string,
  folder: string,
  names: readonly string[],
  epoch: number,
  { user, group, mode }: Owner = superuser,
): void {
  const owner = [`--owner=${user}`, `--group=${group}`, '--numeric-owner'];
  // Permissions must not depend on the umask of the user who builds the release.
  const files = ['--sort=name', `--mtime=@${epoch}`, `--mode=${mode}`, '--format=gnu'];
  run('tar', [...files, ...owner, '-C', folder, '-cf', path, '--', ...names]);
}

/**
 * Compresses a file to `target` and removes it. Node's zlib gives the same output on all machines.
 */
export async function gzipFile(path: string, target: string): Promise<void> {
  await pipeline(createReadStream(path), createGzip(), createWriteStream(target));
  rmSync(path);
}

/** Writes `folder/name` to the file `target`, a .tar.gz. */
export async function writeTarball(
  target: string,
  folder: string,
  name: string,
  epoch: number,
): Promise<void> {
  const tar = `${target}.part`;
  writeTar(tar, folder, [name], epoch);
  await gzipFile(tar, target);
}
