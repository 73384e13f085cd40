// Faults of a running server that the random test of it must find: one replacement each.
import type { SourceReplacement } from '../crash/replace-source.ts';

export const plantedFaults: readonly SourceReplacement[] = [
  {
    // A block's strings went to the report thread themselves: later questions found them gone.
    name: 'symbols-given-away',
    file: 'src/base/owned.ts',
    find: `  const source = elements instanceof Uint8Array ? asBytes(elements) : elements;
  const copy = source.slice(from, to);`,
    replace: `  const source = elements;
  const copy = from === 0 ? source.subarray(from, to) : source.slice(from, to);`,
  },
  {
    // The thread of reports goes on with a dictionary that lacks what it got since.
    name: 'new-symbols-not-sent',
    file: 'src/query/report/report-thread.ts',
    find: 'const rows = rowsSince(dictionary, copied.get(number) ?? nothingCopied);',
    replace: `const rows = copied.has(number)
        ? undefined
        : rowsSince(dictionary, nothingCopied);`,
  },
  {
    // Answers are kept after their profiles were deleted.
    name: 'kept-answers-stay',
    file: 'src/storage/store/parts-querier.ts',
    find: "return pinned.parts.map((part) => `${this.#findSerial(part)}:${part.version(range)}`).join(' ');",
    replace: "return pinned.parts.length === 0 ? '' : 'unchanged';",
  },
];
