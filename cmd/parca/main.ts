// Entry of the server. Compiled code is cached before anything large is loaded: it halves the
// time to start.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { collectEarly, useSmallAllocator } from '../../src/base/node/memory.ts';

useSmallAllocator();
collectEarly();
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compile'));
const { run } = await import('./run.ts');
await run(process.argv.slice(2));
