// Runs scripts of the project one after another with the pinned Node, until one fails.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment, ensureInstalled, failSetup, root } from './setup.mjs';

/** Returns the paths of all files below a folder of the checkout, sorted, relative to the root. */
export function filesUnder(folder) {
  if (!existsSync(join(root, folder))) return [];
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesUnder(path) : [path];
    });
}

/** Runs each script with these Node flags; exits with the code of the first that fails. */
export async function runEach(scripts, flags) {
  const node = await ensureInstalled({ dev: true }).catch(failSetup);
  if (scripts.length === 0) {
    process.stderr.write('there is nothing of that name\n');
    process.exit(1);
  }
  for (const script of scripts) {
    process.stdout.write(`== ${script}\n`);
    const options = { cwd: root, env: childEnvironment(node), stdio: 'inherit' };
    const { status } = spawnSync(node, [...flags, script], options);
    if (status !== 0) process.exit(status ?? 1);
  }
}
