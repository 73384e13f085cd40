// Makes a server run maintenance several times a second, with retention from the first pass on.
// This file is loaded with `node --import` before the server.
import { replaceSource } from './replace-source.ts';

// With this limit, the timer for late passes starts every pass.
replaceSource({
  name: 'frequent passes of maintenance',
  file: 'src/storage/maintenance/schedule.ts',
  find: 'millisMax: 60_000',
  replace: 'millisMax: 133',
});
// The server is killed after a few seconds, long before retention would start.
replaceSource({
  name: 'retention without notice',
  file: 'src/base/limits.ts',
  find: 'retentionNoticeMillis = 60_000',
  replace: 'retentionNoticeMillis = 0',
});
