// `npm run generate`: generates files with all scripts in tools/generate, in order.
import { filesUnder, runEach } from './run-each.mjs';

const isScript = (path) => /\.(mjs|ts)$/.test(path) && !path.endsWith('.test.ts');
await runEach(filesUnder('tools/generate').filter(isScript), []);
