// Makes maintenance run five times a second and without grace periods. Loaded with `node --import`
// before the server.
//
// Tests of the whole server need blocks to be compacted, shipped, removed from disk and retired
// within seconds; only the times change.
import { replaceSource } from '../crash/replace-source.ts';

/** Milliseconds until replaced blocks are removed; query servers may still read these blocks. */
const removeDelayMillis = Number(process.env['TEST_REMOVE_DELAY_MILLIS'] ?? 0);
const limits: Readonly<Record<string, string>> = {
  'objectShipDelayMillis = 4 * 3_600_000;': 'objectShipDelayMillis = 0;',
  'objectSettledMillis = 48 * 3_600_000;': 'objectSettledMillis = 0;',
  'objectRemoveDelayMillis = 300_000;': `objectRemoveDelayMillis = ${removeDelayMillis};`,
  'leaseTermMillis = 180_000;': 'leaseTermMillis = 900;',
  'leaseMarginMillis = 60_000;': 'leaseMarginMillis = 300;',
  'leaseRenewMillis = 30_000;': 'leaseRenewMillis = 100;',
  'objectSyncMillis = 60_000;': 'objectSyncMillis = 150;',
  'retentionBlocksPerPassMax = 0.2;': 'retentionBlocksPerPassMax = 1;',
  'retentionSightingMillisMin = 600_000;': 'retentionSightingMillisMin = 0;',
};
const file = 'src/storage/limits.ts';
for (const [find, replace] of Object.entries(limits)) {
  replaceSource({ name: 'quick maintenance', file, find, replace });
}
replaceSource({
  name: 'retention without notice',
  file: 'src/base/limits.ts',
  find: 'retentionNoticeMillis = 60_000;',
  replace: 'retentionNoticeMillis = 0;',
});
replaceSource({
  name: 'frequent passes of maintenance',
  file: 'src/storage/maintenance/schedule.ts',
  find: 'millisMax: 60_000',
  replace: 'millisMax: 133',
});
