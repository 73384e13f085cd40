// Commands for web config files: create a token, and check a file.
import { createHash, randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { createFiles } from '../../src/base/node/files.ts';
import { scopes } from '../../src/config/web/web-config.ts';
import { invalidFlag } from '../flag-table.ts';
import type { Output } from './shared/command.ts';
import type { Options } from './shared/options.ts';

/** Number of bytes in a token. 256 bits cannot be guessed, so a fast hash is enough. */
const tokenBytes = 32;

/** Creates a token, and the config lines that make a server accept it. */
export async function token([name]: readonly string[], options: Options): Promise<Output> {
  const unknown = options.scopes.find((given) => !scopes.some((scope) => scope === given));
  if (unknown !== undefined || options.scopes.length === 0) {
    const given = JSON.stringify(options.scopes.join(','));
    const message = `--scopes must be some of ${scopes.join(', ')}, not ${given}`;
    throw invalidFlag(message);
  }
  const text = randomBytes(tokenBytes).toString('base64url');
  const sha256 = createHash('sha256').update(text).digest('hex');
  if (options.format === 'json') {
    const entry = { name, sha256, scopes: options.scopes };
    return `${JSON.stringify({ token: text, entry }, undefined, 2)}\n`;
  }
  return `The token, which is not stored anywhere:

${text}

For bearer_tokens in the web config file of the server:

  - name: ${JSON.stringify(name)}
    sha256: ${sha256}
    scopes: [${options.scopes.join(', ')}]
`;
}

/** Prints the mistakes in a web config file. */
export async function webConfigCheck([file]: readonly string[]): Promise<Output> {
  // Imported here, because no other command needs the YAML parser.
  const { loadWebConfig } = await import('../../src/config/web/load-web.ts');
  const { tls, users, tokens } = await loadWebConfig(resolve(file), createFiles());
  const lines = [tls === undefined ? 'no TLS' : 'TLS', `users: ${users.size}`];
  return `${file}: good, ${lines.join(', ')}, tokens: ${tokens.length}\n`;
}
