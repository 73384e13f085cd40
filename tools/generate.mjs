// `npm run generate`: runs every generator in tools/generate/, in order of name. Arguments pass
// through; with --check nothing is written and what is stale fails the run.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('generate/', import.meta.url);
for (const name of readdirSync(folder).sort()) {
  if (!name.endsWith('.mjs')) continue;
  const script = fileURLToPath(new URL(name, folder));
  const run = spawnSync(process.execPath, [script, ...process.argv.slice(2)], { stdio: 'inherit' });
  if (run.status !== 0) process.exitCode = 1;
}
