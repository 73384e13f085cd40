// Entry point of the terminal program.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// npm runs scripts in the package's folder, but the user's paths are relative to the folder in
// which npm was called.
const { npm_lifecycle_event: script, INIT_CWD: folder = '' } = process.env;
if (script === 'parcatool' && folder !== '') process.chdir(folder);
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compile'));
const { run } = await import('./run.ts');
// A reader such as `head` may close the pipe early, which is not a failure.
process.stdout.on('error', () => process.exit(0));
process.exitCode = await run(process.argv.slice(2), process);
