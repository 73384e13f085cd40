// Sets up each recipe of docs/instrument.md with the published lines and the load in programs/, and
// the same load without the recipe.
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { testTool } from '../support/tools.ts';
import { blockBelow, commandsBelow, sectionBelow } from './page.ts';

const run = promisify(execFile);
const programs = new URL('programs/', import.meta.url).pathname;
const rustTarget = new URL('../../.cache/recipes-rust', import.meta.url).pathname;

/** A command line. */
export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly variables?: Readonly<Record<string, string>>;
}

/** A recipe that is ready to run. */
export interface Recipe {
  /** Commands for the load without profiles, and with profiles. */
  readonly plain: Command;
  readonly profiled: Command;
  /** Returns the command for a profiler that attaches to the running program. */
  readonly attach?: (pid: number) => Command;
  /** Config lines to add below the target, for scraped programs. */
  readonly scrapeOptions?: string;
  /**
   * Query for the CPU profiles ("" if only the agent takes them), and the names of two functions in
   * them.
   */
  readonly query: string;
  readonly hot: RegExp;
  readonly cool: RegExp;
  /** True if threads that wait for a core are sampled like running threads. */
  readonly countsWaiting?: boolean;
}

/** Folder, addresses and names for one recipe. */
export interface Place {
  /** Name of the job or service in the profiles. */
  readonly job: string;
  /** An empty folder. */
  readonly folder: string;
  /** A free port for the program. */
  readonly port: number;
  readonly serverUrl: string;
}

const cpuType = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const pythonNames = { hot: /^hot$/, cool: /^cool$/, countsWaiting: true };

/** Returns the published lines with the addresses and the names of this place. */
function placed(text: string, { port, serverUrl, job }: Place): string {
  return text
    .replaceAll('6060', String(port))
    .replaceAll('http://localhost:7070', serverUrl)
    .replaceAll(/\bjob=shop\b/g, `job=${job}`)
    .replaceAll("'shop'", `'${job}'`);
}

export async function goRecipe(place: Place): Promise<Recipe> {
  const main = placed(blockBelow('## Go', 'go'), place).replace('// ...', 'work()');
  const build = async (name: string, source: string): Promise<string> => {
    const folder = join(place.folder, name);
    await mkdir(folder);
    await cp(join(programs, 'go/load.go'), join(folder, 'load.go'));
    await writeFile(join(folder, 'main.go'), `package main\n\n${source}`);
    await writeFile(join(folder, 'go.mod'), 'module shop\n\ngo 1.22\n');
    const env = { ...process.env, GOFLAGS: '', GOTOOLCHAIN: 'local' };
    await run(testTool('TEST_NEW_GO'), ['build', '-o', 'shop', '.'], { cwd: folder, env });
    return join(folder, 'shop');
  };
  return {
    plain: { argv: [await build('plain', 'func main() { work() }\n')] },
    profiled: { argv: [await build('profiled', main)] },
    scrapeOptions: '',
    query: `${cpuType}{job="${place.job}"}`,
    hot: /^main\.hot$/,
    cool: /^main\.cool$/,
  };
}

export async function rustRecipe(place: Place): Promise<Recipe> {
  const crate = '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n\n';
  const build = async (name: string, manifest: string, files: string[]): Promise<string> => {
    const folder = join(place.folder, name);
    await mkdir(join(folder, 'src'), { recursive: true });
    for (const file of files) await cp(join(programs, file), join(folder, 'src', basename(file)));
    await writeFile(join(folder, 'Cargo.toml'), `${crate}${manifest}`);
    await writeFile(join(folder, 'src/profile.rs'), blockBelow('## Rust', 'rust'));
    const argv = ['build', '--release', '--quiet'];
    // The packages are kept, because compiling them takes minutes.
    const env = { ...process.env, CARGO_TARGET_DIR: rustTarget };
    await run(testTool('TEST_CARGO'), argv, { cwd: folder, env, maxBuffer: 1 << 26 });
    const program = join(folder, 'shop');
    await cp(join(rustTarget, 'release/shop'), program);
    return program;
  };
  const plain = await build('plain', '', ['rust/load.rs', 'rust-plain/main.rs']);
  const manifest = blockBelow('## Rust', 'toml');
  const profiled = await build('profiled', manifest, ['rust/load.rs', 'rust/main.rs']);
  return {
    plain: { argv: [plain] },
    profiled: { argv: [profiled, `127.0.0.1:${place.port}`] },
    scrapeOptions: blockBelow('## Rust', 'yaml'),
    query: `${cpuType}{job="${place.job}"}`,
    hot: /^(shop::load::)?hot$/,
    cool: /^(shop::load::)?cool$/,
  };
}

export async function nodeScrapeRecipe(place: Place): Promise<Recipe> {
  const packages = new URL('../../node_modules', import.meta.url).pathname;
  await symlink(packages, join(place.folder, 'node_modules'));
  const snippet = placed(blockBelow('### Scraped', 'js'), place);
  await writeFile(join(place.folder, 'profiling.mjs'), snippet);
  return {
    ...(await nodePrograms(place, './profiling.mjs')),
    scrapeOptions: blockBelow('### Scraped', 'yaml'),
    query: `${cpuType}{job="${place.job}"}`,
    hot: /^hot$/,
    cool: /^cool$/,
  };
}

export async function nodePushRecipe(place: Place): Promise<Recipe> {
  // The SDK's folder is node_modules/@pyroscope/nodejs.
  await symlink(join(testTool('TEST_PYROSCOPE_SDK'), '../..'), join(place.folder, 'node_modules'));
  const snippet = placed(blockBelow('### Pushed', 'js'), place);
  await writeFile(join(place.folder, 'pushing.mjs'), snippet);
  return {
    ...(await nodePrograms(place, './pushing.mjs')),
    query: `wall:wall:nanoseconds:wall:nanoseconds:delta{service_name="${place.job}"}`,
    hot: /:hot:\d+$/,
    cool: /:cool:\d+$/,
  };
}

/** Flags that keep V8 from inlining, so that functions have frames, as docs/instrument.md says. */
const nodeFlags = ['--no-maglev-inlining', '--no-turbo-inlining'];

async function nodePrograms(
  { folder }: Place,
  imported: string,
): Promise<Pick<Recipe, 'plain' | 'profiled'>> {
  const app = join(folder, 'app.js');
  await cp(join(programs, 'node/app.js'), app);
  const node = [process.execPath, ...nodeFlags] as const;
  return {
    plain: { argv: [...node, app] },
    profiled: { argv: [...node, '--import', join(folder, imported), app] },
  };
}

/** Runs the published script with the program's process id. */
export async function pythonOutsideRecipe(place: Place, python: string): Promise<Recipe> {
  const bin = await makeVenv(place, python, []);
  const script = placed(blockBelow('### From outside', 'sh'), place);
  const load = await copyPython(place, '');
  return {
    plain: { argv: [join(bin, 'python'), load] },
    profiled: { argv: [join(bin, 'python'), load] },
    attach: (pid) => ({
      argv: ['sh', '-c', script],
      variables: { PID: String(pid), PATH: `${bin}:${process.env['PATH'] ?? ''}` },
    }),
    query: `${cpuType}{job="${place.job}"}`,
    ...pythonNames,
  };
}

export async function pythonInsideRecipe(place: Place, python: string): Promise<Recipe> {
  const bin = await makeVenv(place, python, commandsBelow('### From inside'));
  const snippet = placed(blockBelow('### From inside', 'python'), place);
  const [plain, profiled] = [await copyPython(place, ''), await copyPython(place, snippet)];
  return {
    plain: { argv: [join(bin, 'python'), plain] },
    profiled: { argv: [join(bin, 'python'), profiled] },
    query: `${cpuType}{service_name="${place.job}"}`,
    ...pythonNames,
  };
}

/**
 * Sets up a program that only the agent profiles, so that nothing is pushed. Before Python 3.12,
 * the option has no effect.
 */
export async function pythonPerfRecipe(place: Place, python: string): Promise<Recipe> {
  const option = /`python (-X \w+)`/.exec(sectionBelow('### By the agent'))?.[1] ?? '';
  const load = await copyPython(place, '');
  return {
    plain: { argv: [python, load] },
    profiled: { argv: [python, ...option.split(' '), load] },
    query: '',
    hot: /^py::hot:/,
    cool: /^py::cool:/,
  };
}

/** Creates a Python environment with the published commands; returns its folder of programs. */
async function makeVenv(
  { folder }: Place,
  python: string,
  commands: readonly string[],
): Promise<string> {
  const venv = join(folder, 'venv');
  await run(python, ['-m', 'venv', venv]);
  const env = { ...process.env, PATH: `${join(venv, 'bin')}:${process.env['PATH'] ?? ''}` };
  for (const command of commands) await run('sh', ['-ec', command], { env });
  return join(venv, 'bin');
}

/** Copies the load, with `lines` before it. */
async function copyPython({ folder }: Place, lines: string): Promise<string> {
  const load = join(folder, lines === '' ? 'plain.py' : 'profiled.py');
  await cp(join(programs, 'python/load.py'), load);
  if (lines !== '') {
    await writeFile(join(folder, 'profiles.py'), lines);
    const text = await readFile(load, 'utf8');
    await writeFile(load, text.replace('import json\n', 'import json\nimport profiles\n'));
  }
  return load;
}
