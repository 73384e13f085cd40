// Entry of the server. Compiled code is cached before anything large is loaded: it halves the
// time to start.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

// Every upload passes through two buffers outside of V8's heap. By default V8 collects the whole
// heap for each 64 MB of them, every 100 ms under load: 1,080 us of CPU a profile, 770 with this.
setFlagsFromString('--external-memory-accounted-in-global-limit');

enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compile'));
const { run } = await import('./run.ts');
await run(process.argv.slice(2));
