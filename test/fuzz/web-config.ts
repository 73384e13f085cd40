// Reads damaged web config files, and checks damaged credentials. Prints counts as JSON, or how to
// repeat a failure.
//
// Use: node test/fuzz/web-config.ts <first seed> <seeds> [failures to show]; a seed is 250 files
// and 1,000 headers. <seeds> can also be a time: 180s.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { alternativeNames } from '../../src/api/auth/client-certificate.ts';
import type { Caller } from '../../src/api/auth/caller.ts';
import { Audit } from '../../src/api/auth/audit.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { Gate } from '../../src/api/auth/gate.ts';
import { isSafeHost } from '../../src/api/auth/hosts.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { AppError } from '../../src/base/errors.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { ConfigError } from '../../src/config/schema/document.ts';
import { parseWebConfig } from '../../src/config/web/load-web.ts';
import { openWebConfig, scopes } from '../../src/config/web/web-config.ts';
import { type RandomBelow, randomFrom } from '../../src/query/testing/random-rows.ts';
import { withinCpuTime } from './cpu-time.ts';
import { seedsFrom } from './seeds.ts';

const filesPerSeed = 250;
const headersPerSeed = 1_000;
const millisMax = 250;
/** Longest error message in characters; it lists the mistakes of each key of a file. */
const messageLengthMax = 1_000_000;

const testdata = new URL('../../src/config/web/testdata/', import.meta.url);
const originals = readdirSync(testdata)
  .filter((name) => name.endsWith('.yml'))
  .map((name) => readFileSync(new URL(name, testdata), 'utf8'));
/** A good config file without TLS, because TLS needs other files. */
const good = readFileSync(new URL('full.good.yml', testdata), 'utf8').replace(
  /^tls[^]*?\n(?=http)/,
  '',
);
/** Strings with a meaning in YAML, or in a key. */
const pieces = [
  '&a ',
  '*a',
  '<<: *a',
  '{',
  '}',
  '[',
  ']',
  ': ',
  '- ',
  '|\n',
  '>\n',
  '"',
  "'",
  '#',
  '---\n',
  '!!binary ',
  '!!js/function ',
  '%YAML 1.1\n',
  '\t',
  '\n',
  '\r\n',
  '\u0000',
  '\uFEFF',
  '💥',
  '__proto__',
  'constructor',
  'null',
  '~',
  'true',
  '1e999',
  '0x41',
  '.inf',
  '2026-01-01',
  'tls_server_config:',
  'bearer_tokens:',
  'basic_auth_users:',
  'scopes: [admin]',
  'cert: x\n',
  '$2y$31$',
  '$2b$10$',
  'sha256: ',
  '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----',
];

const [firstText, amount, shownText = '1'] = process.argv.slice(2);
const [first, shownMax] = [Number(firstText), Number(shownText)];
let failures = 0;
const counts = { files: 0, accepted: 0, headers: 0, letIn: 0 };
const noFiles = {
  read: async (path: string): Promise<Uint8Array> => {
    throw new AppError('not-found', `cannot read ${path}: there are no files here`);
  },
};

const goodToken = 'a-good-token';
const gate = new Gate(
  {
    clock: createClock(),
    metrics: noMetrics,
    ownToken: 'own',
    key: Buffer.alloc(32, 7),
    allowedHosts: [],
    allowedOrigins: [],
    audit: new Audit(createClock(), silentLogger, undefined),
    checkPassword: async (password) => password === 'right',
  },
  {
    ...openWebConfig,
    users: new Map([['alice', '$2b$04$E4Boc3Q7rZH9bWnHlSaR4OBrvIfkf5t/OPRZpyzt4zrhot9.L0THm']]),
    tokens: [
      {
        name: 'good',
        sha256: createHash('sha256').update(goodToken).digest('hex'),
        scopes: ['read'],
      },
    ],
  },
);
const [goodToken0] = gate.config.tokens;
const goodCookie = gate.sessions.begin(goodToken0, '/', false).split(';')[0];
const goodHeaders = [
  { authorization: `Bearer ${goodToken}` },
  { authorization: `Basic ${btoa('alice:right')}` },
  { cookie: goodCookie },
];

/** Changes a string at a few positions. */
function damaged(text: string, random: RandomBelow): string {
  let result = text;
  for (let left = 1 + random(4); left > 0; left -= 1) {
    const at = random(result.length + 1);
    const kind = random(4);
    const piece = pieces[random(pieces.length)];
    const length = random(20);
    if (kind === 0) result = result.slice(0, at) + piece + result.slice(at);
    else if (kind === 1) result = result.slice(0, at) + result.slice(at + length);
    else if (kind === 2)
      result = result.slice(0, at) + result.slice(at, at + length) + result.slice(at);
    else result = result.slice(0, at) + String.fromCharCode(random(128)) + result.slice(at + 1);
  }
  return result;
}

async function checkFile(text: string): Promise<void> {
  try {
    const { users, tokens, tls } = await parseWebConfig(text, 'web.yml', noFiles);
    counts.accepted += 1;
    // TLS needs a certificate, and there is no file with one. Other accepted values must be usable.
    assert.equal(tls, undefined);
    for (const hash of users.values()) assert.match(hash, /^\$2[aby]\$(0[4-9]|1[0-4])\$.{53}$/);
    for (const token of tokens) {
      assert.match(token.sha256, /^[0-9a-f]{64}$/);
      assert.ok(token.scopes.length > 0 && token.scopes.every((one) => scopes.includes(one)));
    }
  } catch (error) {
    assert.ok(error instanceof ConfigError, error instanceof Error ? error.stack : String(error));
    assert.ok(error.message.length <= messageLengthMax);
    for (const { line, column } of error.problems) assert.ok(line >= 1 && column >= 1);
  }
}

/**
 * Checks that only an unchanged header authorizes a caller, and that no header crashes the code
 * that reads user names.
 */
async function checkHeaders(headers: Record<string, string>, isChanged: boolean): Promise<void> {
  let caller: Caller | undefined;
  try {
    caller = await gate.identify(headers, undefined);
    counts.letIn += 1;
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'unauthenticated', String(error));
  }
  assert.ok(caller === undefined || !isChanged, `let in: ${JSON.stringify(headers)}`);
  assert.ok(caller !== undefined || isChanged, `not let in: ${JSON.stringify(headers)}`);
  const [text] = Object.values(headers);
  alternativeNames(text);
  isSafeHost(text, []);
}

/**
 * Returns true if two headers are equivalent: scheme names ignore case, and spaces may be added.
 */
function isSame(a: string, b: string): boolean {
  const normal = (text: string): string => {
    const [, scheme, value] = /^(\w+) +(\S+) *$/.exec(text) ?? [];
    if (scheme === undefined) return text;
    if (scheme.toLowerCase() !== 'basic') return `${scheme.toLowerCase()} ${value}`;
    return `basic ${Buffer.from(value, 'base64').toString()}`;
  };
  const cookie = (text: string): string | undefined =>
    /(?:^|; *)(parca_session=[\w.-]+)(?:;|$)/.exec(text)?.[1];
  return normal(a) === normal(b) || (cookie(a) !== undefined && cookie(a) === cookie(b));
}

async function attempt(seed: number, input: string, run: () => Promise<void>): Promise<void> {
  try {
    await withinCpuTime(millisMax, run);
  } catch (error) {
    failures += 1;
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.stderr.write(`input: ${JSON.stringify(input)}\n`);
    process.stderr.write(`repeat it: node test/fuzz/web-config.ts ${seed} 1\n`);
  }
}

for (const headers of goodHeaders) await checkHeaders(headers, false);
for (const seed of seedsFrom(first, amount)) {
  const random = randomFrom(seed * 49_979_687);
  for (let i = 0; i < filesPerSeed && failures < shownMax; i += 1) {
    const text = damaged(random(2) === 0 ? good : originals[random(originals.length)], random);
    await attempt(seed, text, () => checkFile(text));
    counts.files += 1;
  }
  for (let i = 0; i < headersPerSeed && failures < shownMax; i += 1) {
    const [[name, given]] = Object.entries(goodHeaders[random(goodHeaders.length)]);
    const changed = damaged(given, random);
    const isChanged = !isSame(changed, given);
    await attempt(seed, changed, () => checkHeaders({ [name]: changed }, isChanged));
    counts.headers += 1;
  }
  if (failures >= shownMax) break;
}
process.stdout.write(`${JSON.stringify(counts)}\n`);
process.exitCode = failures === 0 ? 0 : 1;
