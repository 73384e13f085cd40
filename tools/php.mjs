// Gets PHP for tests of the native add-on. Its server is unpacked instead of installed, because
// installing would start it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { answers, choosePackages, ensureUnpacked, installPackages } from './debian-packages.mjs';
import { find } from './test-tools.mjs';

const program = {
  variable: 'TEST_PHP',
  names: ['php'],
  folders: ['/usr/bin'],
  isUsable: (path) => answers(path, ['--version']),
  packages: [
    ['php8.2-cli', 'php8.2-opcache'],
    ['php8.4-cli', 'php8.4-opcache'],
  ],
};

/**
 * Finds or installs PHP, and unpacks its server.
 *
 * @returns {Promise<Record<string, string>>} TEST_* variables with commands
 */
export async function ensurePhp() {
  if (find(program) === undefined) await installPackages([program]);
  const [server] = choosePackages([['php8.2-fpm'], ['php8.4-fpm']]);
  const folder = join(await ensureUnpacked('php-fpm', server), 'usr/sbin');
  const [name] = readdirSync(folder);
  // Without settings, because those of the system are for its own extensions.
  return { TEST_PHP_FPMS: `${join(folder, name)} -n` };
}
