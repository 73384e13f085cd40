// Faults that the random test of the whole server must find; each is a replacement in one file.
import type { SourceReplacement } from '../crash/replace-source.ts';

export const plantedFaults: readonly SourceReplacement[] = [
  {
    // A block's strings are transferred to the report thread instead of copied, so later queries
    // lack them.
    name: 'symbols-given-away',
    file: 'src/base/owned.ts',
    find: `  const source = elements instanceof Uint8Array ? asBytes(elements) : elements;
  const copy = source.slice(from, to);`,
    replace: `  const source = elements;
  const copy = from === 0 ? source.subarray(from, to) : source.slice(from, to);`,
  },
  {
    // The report thread continues with a dictionary that lacks the latest symbols.
    name: 'new-symbols-not-sent',
    file: 'src/query/report/report-thread.ts',
    find: 'const rows = rowsSince(dictionary, copied.get(number) ?? nothingCopied);',
    replace: `const rows = copied.has(number)
        ? undefined
        : rowsSince(dictionary, nothingCopied);`,
  },
  {
    // Cached answers are kept although their profiles were deleted.
    name: 'kept-answers-stay',
    file: 'src/storage/store/parts-querier.ts',
    find: "return pinned.parts.map((part) => `${this.#findSerial(part)}:${part.version(range)}`).join(' ');",
    replace: "return pinned.parts.length === 0 ? '' : 'unchanged';",
  },
];
