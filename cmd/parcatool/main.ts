// Entry of the terminal program.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// npm runs scripts in the folder of the package; paths are meant from where the person stands.
const { npm_lifecycle_event: script, INIT_CWD: folder = '' } = process.env;
if (script === 'parcatool' && folder !== '') process.chdir(folder);
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compile'));
const { run } = await import('./run.ts');
process.exitCode = await run(process.argv.slice(2));
