// Finds the package of a function, and the file of a binary, for colours and for conditions.
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
  if (file.endsWith('.java')) return name.split('.').slice(0, -2).join('.') || 'java';
  if (/^[a-z][\w-]*\.[\w(]/.test(name) && file === '') return goPackage(name);
  return binaryName(binary);
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
