import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { formatByteSize } from '../../src/base/text/byte-size.ts';
import { formatDuration } from '../../src/base/text/duration.ts';
import { AppError } from '../../src/base/errors.ts';
import { inputLimitTable } from '../../src/base/input-limits.ts';
import { clickHousePassword } from '../clickhouse-flags.ts';
import { flagTable, helpText, parseFlags } from './flags.ts';
import { parcaFlags } from './parca-flags.ts';

test('defaults are those of Parca', () => {
  const flags = parseFlags([]);
  assert.equal(flags.configPath, 'parca.yaml');
  assert.equal(flags.httpAddress, ':7070');
  assert.equal(flags.httpReadTimeoutMillis, 5_000);
  assert.equal(flags.httpWriteTimeoutMillis, 60_000);
  assert.equal(flags.storagePath, 'data');
  assert.equal(flags.logLevel, 'info');
  assert.equal(flags.logFormat, 'logfmt');
  assert.deepEqual(flags.corsAllowedOrigins, []);
  assert.deepEqual(flags.externalLabels, []);
  assert.deepEqual(flags.storageRetention, { timeNanos: 0n, sizeBytes: 0 });
  assert.equal(flags.enableAdminApi, false);
  assert.equal(flags.selfScrape, true);
  assert.deepEqual([flags.storageLocalBytesMax, flags.storageCacheBytesMax], [0, 2 ** 30]);
});

test('both spellings; the last wins; lists add up', () => {
  const flags = parseFlags([
    '--http-address',
    '127.0.0.1:1',
    '--http-address=:2',
    '--path-prefix=parca/x/',
    '--cors-allowed-origins=https://a, https://b',
    '--cors-allowed-origins',
    '*',
    '--external-label=region=eu;zone=a=b',
    '--external-label',
    'az=1',
    '--storage-retention-time=15d',
    '--storage-retention-size',
    '1.5GiB',
    '--enable-admin-api',
    '--http-write-timeout=1m30s',
    '--storage-active-memory=512KB',
    '--log-level=debug',
  ]);
  assert.equal(flags.httpAddress, ':2');
  assert.equal(flags.pathPrefix, '/parca/x');
  assert.deepEqual(flags.corsAllowedOrigins, ['https://a', 'https://b', '*']);
  assert.deepEqual(flags.externalLabels, [
    { name: 'az', value: '1' },
    { name: 'region', value: 'eu' },
    { name: 'zone', value: 'a=b' },
  ]);
  assert.equal(flags.httpWriteTimeoutMillis, 90_000);
  assert.equal(flags.storageActiveMemoryBytes, 524_288);
  assert.equal(flags.logLevel, 'debug');
  assert.deepEqual(flags.storageRetention, {
    timeNanos: 15n * 86_400_000_000_000n,
    sizeBytes: 1.5 * 2 ** 30,
  });
  assert.equal(flags.enableAdminApi, true);
});

test('debuginfod servers are hosts or URLs, between commas or the spaces of DEBUGINFOD_URLS', () => {
  const servers = (text: string): readonly string[] =>
    parseFlags([`--debuginfod-upstream-servers=${text}`]).debuginfodServers;
  assert.deepEqual(parseFlags([]).debuginfodServers, ['https://debuginfod.elfutils.org']);
  assert.equal(parseFlags([]).areDebuginfodServersGiven, false);
  assert.deepEqual(servers(''), []);
  assert.deepEqual(servers('debuginfod.example,http://10.0.0.7:8002/path/ https://[::1]:1'), [
    'https://debuginfod.example',
    'http://10.0.0.7:8002/path',
    'https://[::1]:1',
  ]);
});

function check(args: string[], code: string, message: RegExp): void {
  assert.throws(
    () => parseFlags(args),
    (error) => error instanceof AppError && error.code === code && message.test(error.message),
    args.join(' '),
  );
}

test('what is wrong is named', () => {
  const sizeFlags = flagTable
    .filter(({ placeholder }) => placeholder === 'SIZE')
    .map(({ name }) => name);
  assert.equal(sizeFlags.length, 23);
  for (const url of ['localhost:7070', 'ftp://a', 'http://a?b', 'x']) {
    check([`--share-url=${url}`], 'invalid-argument', /share-url.*must be a URL/);
  }
  check(['--htp-address=x'], 'invalid-argument', /did you mean --http-address\?/);
  check(
    ['--mode=relay'],
    'invalid-argument',
    /--mode must be all, scraper-only, forwarder, query, not "relay"/,
  );
  for (const bad of ['0/5', '6/5', '1/0', '2', '1/5x', '-1/5']) {
    check([`--scrape-shard=${bad}`], 'invalid-argument', /--scrape-shard: must be N\/COUNT/);
  }
  check(['--mode=scraper-only'], 'invalid-argument', /--mode=scraper-only needs --store-address/);
  check(['--mode=forwarder'], 'invalid-argument', /--mode=forwarder needs --store-address/);
  check(['--grpc-headers=a'], 'invalid-argument', /--grpc-headers must be name=value, not "a"/);
  check(['--zzzzzzzzzzzz'], 'invalid-argument', /see --help/);
  check(['--config-path'], 'invalid-argument', /--config-path needs a value/);
  check(['serve'], 'invalid-argument', /unexpected argument "serve"/);
  check(['--log-level=loud'], 'invalid-argument', /error, warn, info, debug/);
  check(['--http-read-timeout=0s'], 'invalid-argument', /longer than 0/);
  check(['--http-read-timeout=5'], 'invalid-argument', /duration/);
  for (const name of sizeFlags) {
    check([`--${name}=50`], 'invalid-argument', new RegExp(`^--${name}: .* with a unit such as`));
  }
  for (const size of ['0', '1B', '255KiB']) {
    check(
      [`--storage-active-memory=${size}`],
      'invalid-argument',
      new RegExp(`^--storage-active-memory: must be at least 256KiB, not ${size}$`),
    );
  }
  check(['--storage-active-memory=1 apple'], 'invalid-argument', /cannot read size "1 apple"/);
  check(['--storage-free-disk-min=-1'], 'invalid-argument', /cannot read size "-1"/);
  check(['--storage-durability=never'], 'invalid-argument', /must be fsync, interval/);
  check(['--storage-retention-time=15'], 'invalid-argument', /--storage-retention-time: .* 1d12h/);
  check(['--storage-retention-size=1XB'], 'invalid-argument', /retention-size: .* 512MB/);
  check(['--external-label=x'], 'invalid-argument', /name=value/);
  check(['--external-label=a=1;a=2'], 'invalid-argument', /duplicate label name: a/);
  check(['--external-label=a='], 'invalid-argument', /name=value/);
  check(['--external-label=__name__=x'], 'invalid-argument', /__name__: names that begin with __/);
  check(
    ['--debuginfod-upstream-servers=a.example,ftp://b.example'],
    'invalid-argument',
    /^--debuginfod-upstream-servers: cannot use debuginfod server "ftp:\/\/b.example": expected/,
  );
  check(['--storage-path='], 'invalid-argument', /--storage-path must not be empty/);
  check(['--config-path', ''], 'invalid-argument', /--config-path must not be empty/);
  check(['--query-timeout=-5s'], 'invalid-argument', /--query-timeout: must not be negative/);
  for (const origin of ['a.test', 'https://a.test/', 'https://a.test:443', 'HTTPS://a.test']) {
    check([`--cors-allowed-origins=${origin}`], 'invalid-argument', /an origin such as https:/);
  }
  check(['--path-prefix=/a/../b'], 'invalid-argument', /no plain path/);
  check(['--ingest-workers=65'], 'invalid-argument', /must be a whole number from 0 to 64/);
  assert.equal(parseFlags(['--http-read-timeout=1500us']).httpReadTimeoutMillis, 2);
  assert.equal(parseFlags(['--query-timeout=1500us']).queryLimits.timeMillisMax, 2);
  assert.equal(parseFlags(['--self-scrape=false']).selfScrape, false);
  assert.equal(parseFlags([]).scrapeResults, true);
  assert.equal(parseFlags(['--scrape-results=false']).scrapeResults, false);
  assert.deepEqual(
    parseFlags(['--symbolizer-max-memory=2GiB', '--symbolizer-max-cpu-time=1m500ms'])
      .symbolizerLimits,
    { memoryBytesMax: 2 * 1024 ** 3, cpuSecondsMax: 61 },
  );
  check(['--symbolizer-max-memory=1MiB'], 'invalid-argument', /must be at least 16MiB, not 1MiB/);
  check(['--version=maybe'], 'invalid-argument', /true, false/);
});

test('flags of Parca are taken when they are off, else with a line or refused by name', () => {
  for (const { name, kind, initial } of parcaFlags) {
    const notices = (value: string): readonly string[] =>
      parseFlags([`--${name}=${value}`]).notices;
    assert.deepEqual(notices(initial), [], name);
    if (kind === 'missing') {
      const message = `--${name} is a flag of Parca that is not supported yet, only `;
      check([`--${name}=7`], 'unimplemented', new RegExp(`^${message}`));
    } else {
      assert.match(notices('7').join(), new RegExp(`^--${name} has no effect: \\w`));
    }
  }
  const { notices } = parseFlags(['--enable-persistence=false', '--storage-enable-wal']);
  assert.deepEqual(notices, [
    '--enable-persistence has no effect: ' +
      'profiles are always kept on the disk, see --storage-retention-time and -size',
  ]);
  assert.deepEqual(parseFlags(['--profile-share-server=']).notices, []);
});

test('a bare number is bytes where Parca takes bytes', () => {
  assert.equal(parseFlags(['--storage-active-memory=536870912']).storageActiveMemoryBytes, 2 ** 29);
  assert.equal(parseFlags(['--debuginfo-upload-max-size=7']).debuginfoUploadBytesMax, 7);
});

test("ClickHouse's native ports, which Parca has, become those of HTTP, with a line", () => {
  const address = '--clickhouse-address=db:9000,tls.db:9440,[::1]:9000,http://db:9000,db:8124';
  const { clickHouse, notices } = parseFlags(['--clickhouse-enabled', address]);
  assert.deepEqual(clickHouse?.urls, [
    'http://db:8123',
    'http://tls.db:8443',
    'http://[::1]:8123',
    'http://db:9000',
    'http://db:8124',
  ]);
  assert.equal(notices.length, 3);
  assert.equal(
    notices[0],
    '--clickhouse-address: db:9000 is the native interface; here HTTP is spoken, so db:8123 is used',
  );
  assert.deepEqual(parseFlags([address]).notices, []);
});

test('the password of ClickHouse is that of the command line, else of the environment', async () => {
  const files = { read: () => Promise.resolve(new TextEncoder().encode('of the file\n')) };
  const check = async (args: readonly string[], variable: string, want: string): Promise<void> => {
    process.env['PARCA_CLICKHOUSE_PASSWORD'] = variable;
    const { clickHouse } = parseFlags(['--clickhouse-enabled', ...args]);
    assert.ok(clickHouse !== undefined);
    assert.equal(await clickHousePassword(files, clickHouse), want);
  };
  const { PARCA_CLICKHOUSE_PASSWORD: before } = process.env;
  try {
    await check(['--clickhouse-password=of the flag'], 'of the environment', 'of the flag');
    await check(['--clickhouse-password=of the flag'], '', 'of the flag');
    await check([], 'of the environment', 'of the environment');
    await check(['--clickhouse-password-file=/password'], 'of the environment', 'of the file');
  } finally {
    if (before === undefined) delete process.env['PARCA_CLICKHOUSE_PASSWORD'];
    else process.env['PARCA_CLICKHOUSE_PASSWORD'] = before;
  }
});

test('the path of the program may come first, as in manifests; --port replaces the address', () => {
  assert.equal(parseFlags(['/parca', '--http-address=:1']).httpAddress, ':1');
  assert.equal(parseFlags(['/usr/bin/parca', '--port=:2', '--http-address=:1']).httpAddress, ':2');
  assert.equal(parseFlags(['--port=3']).httpAddress, ':3');
  for (const word of ['/bin/other', 'parca', '/parcas']) {
    check([word], 'invalid-argument', /unexpected argument/);
  }
});

test('help and docs/flags.md name every flag with its default', () => {
  const docs = readFileSync(new URL('../../docs/flags.md', import.meta.url), 'utf8');
  for (const { name, initial } of flagTable) {
    assert.ok(helpText().includes(`--${name}`), name);
    const row = docs.split('\n').find((line) => line.startsWith(`| \`--${name}\` |`));
    assert.ok(row !== undefined, `docs/flags.md has no --${name}`);
    if (initial !== '' && initial !== 'false') assert.ok(row.includes(`\`${initial}\``), row);
  }
});

test('limits: values from 1 to the largest, which docs/flags.md names', () => {
  const docs = readFileSync(new URL('../../docs/flags.md', import.meta.url), 'utf8');
  const formats = { size: formatByteSize, number: String, duration: formatDuration };
  for (const [name, { flag, unit, initial, most }] of Object.entries(inputLimitTable)) {
    const [text, mostText] = [initial, most].map(formats[unit]);
    assert.ok(docs.includes(`\n| \`--${flag}\` | \`${text}\` | \`${mostText}\` |`), flag);
    const parseLimit = (value: string): number | undefined =>
      new Map(Object.entries(parseFlags([`--${flag}=${value}`]).inputLimits)).get(name);
    assert.equal(parseLimit(mostText), most);
    assert.equal(parseLimit(unit === 'size' ? '1B' : unit === 'number' ? '1' : '1ms'), 1);
  }
  check(['--arrow-max-rows=0'], 'invalid-argument', /--arrow-max-rows must be from 1 to 4000000/);
  check(['--arrow-max-size=1GiB'], 'invalid-argument', /must be from 1 to 512MiB, not 1GiB/);
});

test('flags are shown with their values, secrets masked', () => {
  const { shown } = parseFlags([
    '--bearer-token=hunter1',
    '--clickhouse-address=https://me:hunter2@example.com,https://b.example.com',
    '--log-level=debug',
  ]);
  assert.equal(shown.length, flagTable.length);
  assert.deepEqual(
    shown.filter(({ isGiven }) => isGiven).map(({ name, value }) => [name, value]),
    [
      ['log-level', 'debug'],
      ['clickhouse-address', 'https://<secret>@example.com,https://b.example.com'],
      ['bearer-token', '<secret>'],
    ],
  );
  assert.equal(shown.find(({ name }) => name === 'clickhouse-password')?.value, '');
});

test('limits of memory are shares of --memory-limit, unless they are given', () => {
  const mebi = 1024 * 1024;
  const check = (args: string[], machineMebi: number, want: readonly number[]): void => {
    const flags = parseFlags(args, machineMebi * mebi);
    const { apiLimits, storageActiveMemoryBytes, queryCacheBytesMax, queryLimits } = flags;
    const all = [
      flags.memoryLimitBytes,
      apiLimits.requestBytesMax,
      apiLimits.connectionBytesMax,
      apiLimits.unreadBytesMax,
      storageActiveMemoryBytes,
      queryCacheBytesMax,
      queryLimits.memoryBytesInAllMax,
    ];
    assert.deepEqual(
      all.map((bytes) => bytes / mebi),
      want,
    );
  };
  check([], 65_536, [32_768, 256, 128, 256, 4_096, 64, 16_384]);
  check([], 1_024, [512, 128, 64, 64, 128, 32, 256]);
  check(['--memory-limit=256MiB'], 65_536, [256, 64, 32, 32, 64, 16, 128]);
  const given = ['--memory-limit=256MiB', '--http-max-request-memory=256MiB'];
  check([...given, '--query-cache-size=64MiB'], 1_024, [256, 256, 32, 32, 64, 64, 128]);
  assert.throws(
    () => parseFlags(['--memory-limit=1MiB']),
    /--memory-limit: must be at least 64MiB/,
  );
});
