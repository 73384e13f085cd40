// Groups functions for colours, by binaries and packages, with the weight of each.
import { baseName, withSlashes } from '../../../src/model/file-path.ts';
import { findKind } from './kind.ts';
import { type Grouping, type Groups, noString, type Tree } from './tree.ts';

/** Name of the group of frames about which nothing is known. */
export const unknownGroup = '(unknown)';

/** Groups the functions of a tree; a function belongs to the group of its first frame. */
export function groupNames(
  tree: Pick<Tree, 'count' | 'name' | 'width' | 'file' | 'binary' | 'flat' | 'total'>,
  nameTexts: readonly string[],
  stringAt: (index: number) => string,
): Groups {
  const firstRow = new Int32Array(nameTexts.length).fill(-1);
  const self = new Float64Array(nameTexts.length);
  const area = new Float64Array(nameTexts.length);
  const total = Math.max(1, Number(tree.total));
  for (let row = 1; row < tree.count; row++) {
    const name = tree.name[row];
    if (firstRow[name] < 0) firstRow[name] = row;
    area[name] += tree.width[row];
    if (tree.flat[row] !== 0n) self[name] += Number(tree.flat[row]) / total;
  }
  const binary = new GroupBuilder(nameTexts.length);
  const packages = new GroupBuilder(nameTexts.length);
  const kinds = new GroupBuilder(nameTexts.length);
  for (let name = 0; name < nameTexts.length; name++) {
    const row = firstRow[name];
    const file = row < 0 || tree.file[row] === noString ? '' : stringAt(tree.file[row]);
    const path = row < 0 || tree.binary[row] === noString ? '' : stringAt(tree.binary[row]);
    binary.add(name, binaryName(path), self[name], area[name]);
    packages.add(name, packageName(nameTexts[name], file, path), self[name], area[name]);
    const kind = findKind(nameTexts[name], file, path) ?? unknownGroup;
    kinds.add(name, kind, self[name], area[name]);
  }
  return { binary: binary.finish(), package: packages.finish(), kind: kinds.finish() };
}

class GroupBuilder {
  readonly #ofName: Uint32Array;
  readonly #index = new Map<string, number>();
  readonly #self: number[] = [];
  readonly #area: number[] = [];

  constructor(names: number) {
    this.#ofName = new Uint32Array(names);
  }

  add(name: number, group: string, self: number, area: number): void {
    let index = this.#index.get(group);
    if (index === undefined) {
      index = this.#index.size;
      this.#index.set(group, index);
      this.#self.push(0);
      this.#area.push(0);
    }
    this.#ofName[name] = index;
    this.#self[index] += self;
    this.#area[index] += area;
  }

  finish(): Grouping {
    const texts = [...this.#index.keys()];
    return {
      ofName: this.#ofName,
      texts,
      selfShare: Float64Array.from(this.#self),
      area: Float64Array.from(this.#area),
    };
  }
}

/** Returns the file name of a mapping. */
export function binaryName(path: string): string {
  return path === '' ? unknownGroup : baseName(path);
}

/**
 * Returns the package of a function by the rule of its language: Go's import path, the crate or
 * outermost namespace, Java's package, the npm package or folder of a script.
 */
export function packageName(name: string, file: string, binary: string): string {
  // Idle time belongs to no group, and is grey like all frames without one.
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
