// Runs a pass of maintenance five times a second, with retention from the first one on: node
// --import, before the server.
import { replaceSource } from './replace-source.ts';

// The timer that makes up for late passes then runs every pass.
replaceSource({
  name: 'frequent passes of maintenance',
  file: 'src/storage/maintenance/schedule.ts',
  find: 'millisMax: 60_000',
  replace: 'millisMax: 133',
});
// A server that is killed after seconds would never get that far.
replaceSource({
  name: 'retention without notice',
  file: 'src/base/limits.ts',
  find: 'retentionNoticeMillis = 60_000',
  replace: 'retentionNoticeMillis = 0',
});
