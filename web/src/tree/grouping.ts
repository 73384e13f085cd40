// Groups functions by kind, binary and package for colours, with the weight of each group.
import { findKind } from '../../../src/model/function-kind.ts';
import { binaryName, packageName } from '../../../src/model/package-name.ts';
import { type Grouping, type Groups, noString, type Tree } from './tree.ts';

/** Groups the functions of a tree; the first frame of a function determines its group. */
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
    const kind = findKind(nameTexts[name], file, path, own);
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
