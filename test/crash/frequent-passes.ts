// Makes passes of maintenance come five times a second: node --import, before the server.
import { replaceSource } from './replace-source.ts';

// The watch over a schedule runs what is late: so it runs every pass.
replaceSource({
  name: 'frequent passes of maintenance',
  file: 'src/storage/maintenance/schedule.ts',
  find: 'millisMax: 60_000',
  replace: 'millisMax: 133',
});
