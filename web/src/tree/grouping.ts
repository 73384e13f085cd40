// Groups functions by kind, binary and package for colours, with the weight of each group.
import { findKind } from '../../../src/model/function-kind.ts';
import { binaryName, packageName } from '../../../src/model/package-name.ts';
import { type Grouping, type Groups, noString, type Tree } from './tree.ts';

/**
 * Groups the functions of a tree. The first frame of a function determines its group, but each
 * frame adds its self value to the group of its own file and binary.
 */
export function groupNames(
  tree: Pick<Tree, 'count' | 'name' | 'width' | 'file' | 'binary' | 'flat' | 'total'>,
  nameTexts: readonly string[],
  stringAt: (index: number) => string,
  own: readonly string[] = [],
): Groups {
  const firstRow = new Int32Array(nameTexts.length).fill(-1);
  const self = new Float64Array(nameTexts.length);
  const area = new Float64Array(nameTexts.length);
  const total = Math.max(1, Number(tree.total));
  /** Rows with another file or binary than the first frame of their function. */
  const others: number[] = [];
  for (let row = 1; row < tree.count; row++) {
    const name = tree.name[row];
    if (firstRow[name] < 0) firstRow[name] = row;
    area[name] += tree.width[row];
    if (tree.flat[row] === 0n) continue;
    const first = firstRow[name];
    const isAlike = tree.file[row] === tree.file[first] && tree.binary[row] === tree.binary[first];
    if (isAlike) self[name] += Number(tree.flat[row]) / total;
    else others.push(row);
  }
  const binary = new GroupBuilder(nameTexts.length);
  const packages = new GroupBuilder(nameTexts.length);
  const kinds = new GroupBuilder(nameTexts.length);
  const groupsOf = (name: number, row: number): Record<'binary' | 'package' | 'kind', string> => {
    const file = row < 0 || tree.file[row] === noString ? '' : stringAt(tree.file[row]);
    const path = row < 0 || tree.binary[row] === noString ? '' : stringAt(tree.binary[row]);
    const text = nameTexts[name];
    return {
      binary: binaryName(path),
      package: packageName(text, file, path),
      kind: findKind(text, file, path, own),
    };
  };
  for (let name = 0; name < nameTexts.length; name++) {
    const groups = groupsOf(name, firstRow[name]);
    binary.add(name, groups.binary, self[name], area[name]);
    packages.add(name, groups.package, self[name], area[name]);
    kinds.add(name, groups.kind, self[name], area[name]);
  }
  for (const row of others) {
    const groups = groupsOf(tree.name[row], row);
    const share = Number(tree.flat[row]) / total;
    binary.addSelf(groups.binary, share);
    packages.addSelf(groups.package, share);
    kinds.addSelf(groups.kind, share);
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
    const index = this.#find(group);
    this.#ofName[name] = index;
    this.#self[index] += self;
    this.#area[index] += area;
  }

  addSelf(group: string, self: number): void {
    this.#self[this.#find(group)] += self;
  }

  #find(group: string): number {
    let index = this.#index.get(group);
    if (index === undefined) {
      index = this.#index.size;
      this.#index.set(group, index);
      this.#self.push(0);
      this.#area.push(0);
    }
    return index;
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
