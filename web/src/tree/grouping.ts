// Groups functions by kind, binary and package for colours, with the weight of each group.
import { type FunctionGroups, groupFinder } from './function-groups.ts';
import { type Grouping, type Groups, noString, type Tree } from './tree.ts';

type GroupedTree = Pick<Tree, 'count' | 'name' | 'width' | 'file' | 'binary' | 'flat' | 'total'>;

/**
 * Groups the functions of a tree. If the frames of a function have several files or binaries, the
 * function is in the group with the largest sum of widths. Each frame still adds its self value and
 * its width to its own group.
 */
export function groupNames(
  tree: GroupedTree,
  nameTexts: readonly string[],
  stringAt: (index: number) => string,
  own: readonly string[] = [],
): Groups {
  const { firstRow, self, area, others } = sumByName(tree, nameTexts.length);
  const findGroups = groupFinder(own);
  const total = Math.max(1, Number(tree.total));
  const textAt = (index: number): string => (index === noString ? '' : stringAt(index));
  const groupsOf = (name: number, row: number): FunctionGroups =>
    row < 0
      ? findGroups(nameTexts[name], '', '')
      : findGroups(nameTexts[name], textAt(tree.file[row]), textAt(tree.binary[row]));
  const binary = new GroupBuilder(nameTexts.length);
  const packages = new GroupBuilder(nameTexts.length);
  const kind = new GroupBuilder(nameTexts.length);
  const builders = [
    ['binary', binary],
    ['package', packages],
    ['kind', kind],
  ] as const;
  for (let name = 0; name < nameTexts.length; name++) {
    const groups = groupsOf(name, firstRow[name]);
    for (const [mode, builder] of builders) {
      builder.add(name, groups[mode], self[name], area[name]);
    }
  }
  for (const row of others) {
    const name = tree.name[row];
    const groups = groupsOf(name, row);
    const share = Number(tree.flat[row]) / total;
    for (const [mode, builder] of builders) {
      builder.addOther(name, groups[mode], share, tree.width[row], area[name]);
    }
  }
  return { binary: binary.finish(), package: packages.finish(), kind: kind.finish() };
}

/** Sums over the frames of each function that have the file and the binary of its first frame. */
interface NameSums {
  /** First row of each name; -1 = none. */
  readonly firstRow: Int32Array;
  readonly self: Float64Array;
  readonly area: Float64Array;
  /** Rows whose file or binary is not that of their function's first frame. */
  readonly others: readonly number[];
}

function sumByName(tree: GroupedTree, nameCount: number): NameSums {
  const firstRow = new Int32Array(nameCount).fill(-1);
  const self = new Float64Array(nameCount);
  const area = new Float64Array(nameCount);
  const others: number[] = [];
  const total = Math.max(1, Number(tree.total));
  for (let row = 1; row < tree.count; row++) {
    const name = tree.name[row];
    if (firstRow[name] < 0) firstRow[name] = row;
    const first = firstRow[name];
    if (tree.file[row] !== tree.file[first] || tree.binary[row] !== tree.binary[first]) {
      others.push(row);
      continue;
    }
    area[name] += tree.width[row];
    if (tree.flat[row] !== 0n) self[name] += Number(tree.flat[row]) / total;
  }
  return { firstRow, self, area, others };
}

class GroupBuilder {
  readonly #ofName: Uint32Array;
  readonly #index = new Map<string, number>();
  readonly #self: number[] = [];
  readonly #area: number[] = [];
  /** Sums of widths by group, for each name whose frames have different files or binaries. */
  readonly #widths = new Map<number, Map<number, number>>();

  constructor(names: number) {
    this.#ofName = new Uint32Array(names);
  }

  /** Adds the frames of a name that have the file and the binary of its first frame. */
  add(name: number, group: string, self: number, width: number): void {
    this.#ofName[name] = this.#weigh(group, self, width);
  }

  /** Adds another frame of the name; `firstWidth` is the width of the frames that `add` added. */
  addOther(name: number, group: string, self: number, width: number, firstWidth: number): void {
    const index = this.#weigh(group, self, width);
    let widths = this.#widths.get(name);
    if (widths === undefined) {
      widths = new Map([[this.#ofName[name], firstWidth]]);
      this.#widths.set(name, widths);
    }
    widths.set(index, (widths.get(index) ?? 0) + width);
  }

  /** Adds to the weights of a group, and returns its index. */
  #weigh(group: string, self: number, width: number): number {
    let index = this.#index.get(group);
    if (index === undefined) {
      index = this.#index.size;
      this.#index.set(group, index);
      this.#self.push(0);
      this.#area.push(0);
    }
    this.#self[index] += self;
    this.#area[index] += width;
    return index;
  }

  finish(): Grouping {
    for (const [name, widths] of this.#widths) {
      const [[widest]] = [...widths].sort(([, a], [, b]) => b - a);
      this.#ofName[name] = widest;
    }
    return {
      ofName: this.#ofName,
      texts: [...this.#index.keys()],
      selfShare: Float64Array.from(this.#self),
      area: Float64Array.from(this.#area),
    };
  }
}
