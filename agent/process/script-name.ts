// Names of programs that are run by interpreters: `python app.py` is app, `java -jar x.jar` is x.
import { basename, dirname } from 'node:path';

/** An interpreter, by the name of its executable. */
interface Interpreter {
  readonly form: RegExp;
  /** Options that take a value. */
  readonly valued: ReadonlySet<string>;
  /** Options whose value is the program: a module, a file or an archive. */
  readonly named: ReadonlySet<string>;
  /** Options whose value is the source of the program, so that the program has no name. */
  readonly inline: ReadonlySet<string>;
}

const options = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const interpreters: readonly Interpreter[] = [
  {
    form: /^(?:python|pypy)[\d.]*t?$/,
    valued: options('-W -X --check-hash-based-pycs'),
    named: options('-m'),
    inline: options('-c -'),
  },
  {
    form: /^(?:node|nodejs|bun|deno)\d*$/,
    valued: options(
      '-r --require --import --loader --experimental-loader -C --conditions --env-file',
    ),
    named: options(''),
    inline: options('-e --eval -p --print -'),
  },
  {
    form: /^java$/,
    valued: options(
      '-cp -classpath --class-path -p --module-path --upgrade-module-path --add-modules --add-exports --add-opens --add-reads',
    ),
    named: options('-jar -m --module'),
    inline: options(''),
  },
  {
    form: /^j?ruby[\d.]*$/,
    valued: options('-I -r -C -E'),
    named: options(''),
    inline: options('-e'),
  },
  {
    form: /^php[\d.]*$/,
    valued: options('-c -d -z'),
    named: options('-f -F'),
    inline: options('-r -R'),
  },
  {
    form: /^perl[\d.]*$/,
    valued: options('-I -M -m'),
    named: options(''),
    inline: options('-e -E'),
  },
  {
    form: /^(?:ba|da|k|z|a)?sh$/,
    valued: options('-o -O'),
    named: options(''),
    inline: options('-c -s'),
  },
  {
    form: /^dotnet$/,
    valued: options('--depsfile --runtimeconfig'),
    named: options('exec'),
    inline: options(''),
  },
  {
    form: /^(?:lua[\d.]*|luajit.*)$/,
    valued: options('-l'),
    named: options(''),
    inline: options('-e -'),
  },
];

/**
 * Endings that are not part of a program's name: file extensions, and version numbers of archives.
 */
const ends =
  /(?:-\d[\w.]*(?:-SNAPSHOT)?)?\.(?:jar|war)$|\.(?:pyc?|[cm]?[jt]s|tsx?|rb|php|p[lm]|sh|dll|lua)$/;
/** File names that do not describe a program; the folder's name may be better. */
const generic = /^(?:\.{0,2}|index|main|__main__|server|start|run|cli)$/;
/** Folder names that do not describe a program. */
const genericFolder = /^(?:|\.|dist|build|src|lib|bin|out|app|public|server)$/;

/**
 * Returns the name of the program that an interpreter runs, from its command line; undefined if the
 * executable is not an interpreter or there is no name. `workingFolder` returns the working
 * directory of the process.
 */
export function scriptName(
  executable: string,
  commandLine: readonly string[],
  workingFolder: () => string,
): string | undefined {
  const interpreter = interpreters.find(({ form }) => form.test(executable));
  if (interpreter === undefined) return undefined;
  const target = findTarget(interpreter, commandLine.slice(1));
  if (target === undefined) return undefined;
  // A Java module is followed by its class; a Python module may be a path of modules.
  const name = basename(target).replace(ends, '');
  if (!generic.test(name)) return name;
  return folderName(target, workingFolder) ?? name;
}

/** Returns the file, module or class that an interpreter runs. */
function findTarget(
  { valued, named, inline }: Interpreter,
  args: readonly string[],
): string | undefined {
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i];
    if (inline.has(arg)) return undefined;
    if (named.has(arg)) return args[i + 1];
    if (valued.has(arg)) i += 1;
    else if (!/^[-@]/.test(arg)) return arg;
  }
  return undefined;
}

/** Returns the last folder name in a path that describes the program. */
function folderName(target: string, workingFolder: () => string): string | undefined {
  const folder = dirname(target);
  const parts = (folder.startsWith('/') ? folder : `${workingFolder()}/${folder}`).split('/');
  return parts.findLast((part) => !genericFolder.test(part) && part !== '..');
}
