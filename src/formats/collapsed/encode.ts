// Merged stacks -> collapsed ("folded") text: a line for each stack, `root;caller;leaf value`.
//
// The format has no escapes: names lose semicolons and control characters, nothing else.
// Source: https://github.com/brendangregg/FlameGraph
import type { Dictionary } from '../../model/dictionary.ts';
import type { MergedStacks } from '../../model/merged-stacks.ts';
import type { LocationIndex, StringIndex } from '../../model/rows.ts';
import { ExportText } from '../export-text.ts';
import { addressName, unknownName } from '../frame-names.ts';

/** Stands for the frames of the empty stack: a line must have a name. */
const emptyStackName = '[no stack]';

/**
 * The text in UTF-8. Values are decimal int64, so they are exact.
 *
 * Stacks of the same function names are one line; inlined calls are frames of their own. Lines
 * whose sum is 0 are left out.
 * Errors: AppError 'resource-exhausted' when the text is too large.
 */
export function encodeCollapsed(dictionary: Dictionary, merged: MergedStacks): Uint8Array {
  dictionary.deriveCallNodes();
  const sums = new Map<number, bigint>();
  merged.stacks.forEach((stack, row) => {
    const node = dictionary.callNodeOfStack(stack);
    sums.set(node, (sums.get(node) ?? 0n) + merged.values[row]);
  });
  const names = new Map<number, string>();
  const text = new ExportText();
  for (const [node, value] of sums) {
    if (value !== 0n) text.add(`${pathOf(dictionary, node, names)} ${value}\n`);
  }
  return text.finish();
}

function pathOf(dictionary: Dictionary, leaf: number, names: Map<number, string>): string {
  const { key, parent } = dictionary.callNodes;
  const path: string[] = [];
  for (let node = leaf; node !== 0; node = parent[node]) {
    let name = names.get(key[node]);
    if (name === undefined) {
      name = collapsedName(nameOfKey(dictionary, key[node]));
      names.set(key[node], name);
    }
    path.push(name);
  }
  return path.length === 0 ? emptyStackName : path.reverse().join(';');
}

/** See CallNodeTable for the two kinds of keys. */
function nameOfKey(dictionary: Dictionary, key: number): string {
  if (key % 2 === 1) return addressName(dictionary, ((key - 1) / 2) as LocationIndex);
  return dictionary.strings.text((key / 2) as StringIndex) || unknownName;
}

/** `;` separates frames and a line break ends the stack: neither can be part of a name. */
function collapsedName(name: string): string {
  return name.replaceAll(';', ':').replaceAll(/\p{Cc}+/gu, ' ');
}
