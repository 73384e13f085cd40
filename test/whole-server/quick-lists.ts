// Makes a query server list its bucket five times a second. Loaded with `node --import` before the
// server.
import { replaceSource } from '../crash/replace-source.ts';

replaceSource({
  name: 'frequent lists of the bucket',
  file: 'src/storage/limits.ts',
  find: 'bucketListMillis = 30_000;',
  replace: 'bucketListMillis = 200;',
});
