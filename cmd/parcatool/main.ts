// Entry of the terminal program.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compile'));
const { run } = await import('./run.ts');
process.exitCode = await run(process.argv.slice(2));
