import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createFakeClock } from '../../src/base/fake/clock.ts';
import { createLogger } from '../../src/base/logger.ts';
import { NativeProgram } from './native-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'parca-native-'));
after(() => rmSync(folder, { recursive: true }));

test('a missing program is told once with its remedy, and looked for once a minute', async () => {
  const path = join(folder, 'program');
  const clock = createFakeClock();
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const logger = createLogger({ level: 'info', format: 'logfmt', nowMillis: () => 0, write });
  let built = 0;
  const program = new NativeProgram({ path, clock, logger, onBuilt: () => (built += 1) });
  await clock.advance(120_000);
  assert.equal(program.isThere, false);
  assert.equal(program.identity, '0 0');
  assert.equal(lines.length, 1);
  assert.match(lines[0], /missing=\S+program"? remedy="npm run build:symbolizer"/);

  writeFileSync(path, 'code');
  await clock.advance(59_999);
  assert.equal(program.isThere, false);
  await clock.advance(1);
  assert.equal(program.isThere, true);
  assert.match(program.identity, /^4 \d/);
  assert.equal(built, 1);
  assert.match(lines[1], /the symbolizer is there now/);
  assert.equal(clock.pendingTimers(), 0);

  const known = new NativeProgram({ path, clock, logger, onBuilt: () => (built += 1) });
  assert.equal(known.identity, program.identity);
  assert.deepEqual([clock.pendingTimers(), built, lines.length], [0, 1, 2]);
});

test('a server that stops looks no longer', () => {
  const clock = createFakeClock();
  const logger = createLogger({
    level: 'error',
    format: 'logfmt',
    nowMillis: () => 0,
    write: () => undefined,
  });
  const path = join(folder, 'none');
  new NativeProgram({ path, clock, logger, onBuilt: () => undefined }).stop();
  assert.equal(clock.pendingTimers(), 0);
});
