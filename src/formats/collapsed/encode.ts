// Writes merged stacks as collapsed ("folded") text: a line for each stack, `root;caller;leaf
// value`.
//
// The format has no escapes, so semicolons and control characters are removed from names. Source:
// https://github.com/brendangregg/FlameGraph
import type { Dictionary } from '../../model/dictionary.ts';
import type { MergedStacks } from '../../model/merged-stacks.ts';
import { ExportText } from '../export-text.ts';
import { StackTexts } from '../stack-text.ts';

/**
 * Returns UTF-8. Values are decimal int64, so they are exact.
 *
 * Stacks with equal function names are one line; inlined calls are separate frames. Lines whose sum
 * is 0 are left out. Errors: AppError 'resource-exhausted' when the result is too large.
 */
export function encodeCollapsed(dictionary: Dictionary, merged: MergedStacks): Uint8Array {
  dictionary.deriveCallNodes();
  const sums = new Map<number, bigint>();
  merged.stacks.forEach((stack, row) => {
    const node = dictionary.callNodeOfStack(stack);
    sums.set(node, (sums.get(node) ?? 0n) + merged.values[row]);
  });
  const texts = new StackTexts(dictionary);
  const text = new ExportText();
  for (const [node, value] of sums) {
    if (value !== 0n) text.add(`${texts.format(node)} ${value}\n`);
  }
  return text.finish();
}
