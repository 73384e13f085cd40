// Entry of the agent. Compiled code is cached before anything large is loaded.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { beginWith, collectEarly, smallAllocator } from '../../src/base/node/memory.ts';

// Servers may have certificates of the system's authorities.
beginWith({ ...smallAllocator(), NODE_USE_SYSTEM_CA: '1' });
collectEarly();
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compile'));
const { run } = await import('./run.ts');
await run(process.argv.slice(2));
