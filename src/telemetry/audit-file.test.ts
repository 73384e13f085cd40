import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditBytesWaitingMax } from './limits.ts';
import { silentLogger } from '../base/logger.ts';
import { createMetricsRegistry } from './metrics.ts';
import { AuditFile, type AuditOutput } from './audit-file.ts';

/** Opens an audit log whose output the test can block or make fail. */
async function opened() {
  const files: string[] = [];
  const state = { held: Promise.resolve(), isFailing: false };
  const open = async (): Promise<AuditOutput> => {
    const at = files.push('') - 1;
    return {
      append: async (bytes) => {
        await state.held;
        if (state.isFailing) throw new Error('the disk is full');
        files[at] += new TextDecoder().decode(bytes);
      },
      close: async () => undefined,
    };
  };
  const metrics = createMetricsRegistry({ version: 'test', commit: 'test' });
  const log = await AuditFile.open(open, silentLogger, metrics);
  return { files, state, log, metrics };
}

test('lines are JSON in order, and a file that was renamed is opened again', async () => {
  const { files, log } = await opened();
  log.write({ who: 'a' });
  log.write({ who: 'b\u001b\u202e' });
  await log.flush();
  log.reopen();
  log.write({ who: 'c' });
  await log.flush();
  assert.deepEqual(files, ['{"who":"a"}\n{"who":"b\\u001b\\u202e"}\n', '{"who":"c"}\n']);
});

test('a slow disk holds nobody up: lines beyond the limit are dropped, counted and named', async () => {
  const { files, state, log, metrics } = await opened();
  const held = Promise.withResolvers<void>();
  state.held = held.promise;
  const lineBytes = 1_000;
  const what = 'x'.repeat(lineBytes - '{"what":""}\n'.length);
  const fitting = Math.floor(auditBytesWaitingMax / lineBytes);
  for (let i = 0; i < fitting + 50; i += 1) log.write({ what });
  held.resolve();
  await log.flush();
  log.write({ what: 'later' });
  await log.flush();
  assert.equal(files[0].split('\n').filter((line) => line.includes('xxx')).length, fitting);
  assert.match(files[0], /\{"action":"dropped","lines":50\}\n/);
  assert.match((await metrics.text()).text, /parca_audit_lines_dropped_total 50/);
});

test('a full disk drops lines, and the log goes on when there is space', async () => {
  const { files, state, log } = await opened();
  state.isFailing = true;
  log.write({ who: 'a' });
  await log.flush();
  state.isFailing = false;
  log.write({ who: 'b' });
  await log.flush();
  assert.deepEqual(files, ['', '{"who":"b"}\n{"action":"dropped","lines":1}\n']);
});
