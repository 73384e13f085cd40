// Finds the package of a function, and the file of a binary: one rule for reports, conditions,
// checks and the page.
import { baseName, withSlashes } from './file-path.ts';
import { unknownGroup } from './group-names.ts';

/** Returns the file name of a mapping. */
export function binaryName(path: string): string {
  return path === '' ? unknownGroup : baseName(path);
}

/**
 * Returns the package of a function by the rule of its language: Go's import path, the crate or
 * outermost namespace, Java's package, the npm package or folder of a script.
 */
export function packageName(name: string, file: string, binary: string): string {
  if (/(^|\+|\s)0x[\da-f]+$/.test(name)) return binaryName(binary);
  // Idle time belongs to no group, and is grey like all frames without a group.
  if (/^\(?idle\)?$/i.test(name)) return unknownGroup;
  if (/^\(?(garbage collect(or|ion)|program|node\.js)\)?$/i.test(name)) return 'runtime';
  if (/\.[cm]?[jt]sx?$|^node:/.test(file)) return scriptPackage(file);
  if (file.endsWith('.py')) return withSlashes(file).split('/').slice(-2)[0] || 'python';
  if (name.includes('::')) return /^[<&*\s]*([\w$]+)::/.exec(name)?.[1] ?? binaryName(binary);
  if (file.endsWith('.go') || name.includes('/') || /^[\w-]+\.\(\*?\w/.test(name)) {
    return goPackage(name);
  }
  if (/\.(?:java|kt|scala|groovy)$/.test(file)) return javaPackage(name) || 'java';
  if (file === '' && javaForm.test(name)) return javaPackage(name);
  if (/^[a-z][\w-]*\.[\w(]/.test(name) && file === '') return goPackage(name);
  return binaryName(binary);
}

/** Package of the program itself, as Go names it. */
export const programPackage = 'main';

/**
 * Returns the package, but `programPackage` for functions that belong to the binary of the program
 * itself, so that two builds of a program have the same packages.
 */
export function comparablePackage(name: string, file: string, binary: string): string {
  const found = packageName(name, file, binary);
  return found === binaryName(binary) && !isLibrary(binary) ? programPackage : found;
}

function isLibrary(binary: string): boolean {
  return /\.(?:so|dylib|dll)(?:\.|$)/i.test(binary);
}

/**
 * Matches a method of Java without a file, such as com.example.shop.Cart.add, but not a closure in
 * a method of Go, such as main.worker.Run.func1.
 */
const javaForm = /^(?:[a-z_][\w$]*\.){2,}[A-Z][\w$]*\.(?!(?:func|gowrap|deferwrap)?\d)[\w$<]/;

/** Returns the name without the class and its method. */
function javaPackage(name: string): string {
  return name.split('(')[0].split('.').slice(0, -2).join('.');
}

function goPackage(name: string): string {
  const slash = name.split('[')[0].lastIndexOf('/');
  const dot = name.indexOf('.', slash + 1);
  return dot < 0 ? unknownGroup : name.slice(0, dot);
}

function scriptPackage(path: string): string {
  const file = withSlashes(path);
  if (file.startsWith('node:')) return 'node';
  const [, scope, name] = /.*(?:^|\/)node_modules\/([^/]+)\/([^/]+)/.exec(file) ?? [];
  if (scope !== undefined) return scope.startsWith('@') ? `${scope}/${name}` : scope;
  const folder = file.split('/').slice(-2);
  return folder.length === 2 && folder[0] !== '' ? folder[0] : folder[folder.length - 1];
}
