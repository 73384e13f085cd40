// Makes passes of maintenance come five times a second, and retention begin with the first: node
// --import, before the server.
import { replaceSource } from './replace-source.ts';

// The watch over a schedule runs what is late: so it runs every pass.
replaceSource({
  name: 'frequent passes of maintenance',
  file: 'src/storage/maintenance/schedule.ts',
  find: 'millisMax: 60_000',
  replace: 'millisMax: 133',
});
// A server that is killed after seconds would never get to it.
replaceSource({
  name: 'retention without notice',
  file: 'src/base/limits.ts',
  find: 'retentionNoticeMillis = 60_000',
  replace: 'retentionNoticeMillis = 0',
});
