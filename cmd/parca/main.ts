// Entry of the server. Compiled code is cached before anything large is loaded: it halves the
// time to start.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

// An upload's objects die young. V8's young generation grows to 32 MB twice over all the same, and
// what hangs on its dead objects outside of the heap is not given back for as long: after 10,000
// uploads the process was 360-400 MB large, 230-265 with this, at the same CPU time.
setFlagsFromString('--semi-space-growth-factor=1');

enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compile'));
const { run } = await import('./run.ts');
await run(process.argv.slice(2));
