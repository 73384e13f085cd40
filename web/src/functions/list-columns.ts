// Columns of the function list: all columns, visible columns, and widths.
import type { SideWords } from '../language/side-letters.ts';
import { keepTaste, readTaste } from '../page/taste.ts';
import type { Sort } from '../tree/function-table.ts';

/** A column other than the name, which is always visible. */
export interface ListColumn {
  /** Name of the column in the URL. */
  readonly id: string;
  readonly label: string;
  readonly title: string;
  readonly kind: 'number' | 'text' | 'spark';
  /** Sort order that a click on the heading selects. */
  readonly sort?: Sort;
  readonly isDefault?: true;
  /** Width as a CSS grid track. */
  readonly width: string;
}

const samples: ListColumn = {
  id: 'samples',
  label: 'n',
  title: 'Samples of its own',
  sort: 'self',
  kind: 'number',
  width: 'minmax(60px, 72px)',
};
const places: readonly ListColumn[] = [
  {
    id: 'file',
    label: 'File',
    title: '',
    sort: 'file',
    kind: 'text',
    width: 'minmax(32px, 0.6fr)',
  },
  {
    id: 'binary',
    label: 'Binary',
    title: '',
    sort: 'binary',
    kind: 'text',
    width: 'minmax(32px, 0.4fr)',
  },
];

/**
 * Returns the columns in order. `selfLabel` is the name of a function's self value; `sides` are the
 * words of a comparison.
 */
export function listColumns(selfLabel: string, sides?: SideWords): readonly ListColumn[] {
  if (sides !== undefined) {
    const side = { kind: 'number', isDefault: true, width: 'minmax(60px, 100px)' } as const;
    return [
      {
        id: 'b',
        label: selfTitle(sides.now),
        title: columnTitle('B', sides.now),
        sort: 'self',
        ...side,
      },
      {
        id: 'a',
        label: selfTitle(sides.before),
        title: columnTitle('A', sides.before),
        sort: 'total',
        ...side,
      },
      {
        id: 'difference',
        label: 'B \u2212 A',
        title: 'B less A',
        sort: 'difference',
        kind: 'number',
        width: 'minmax(60px, 88px)',
      },
      samples,
      ...places,
    ];
  }
  const value = { kind: 'number', isDefault: true } as const;
  return [
    {
      id: 'self',
      label: selfLabel,
      title: '',
      sort: 'self',
      ...value,
      width: 'minmax(60px, 104px)',
    },
    {
      id: 'total',
      label: 'Total',
      title: '',
      sort: 'total',
      ...value,
      width: 'minmax(60px, 92px)',
    },
    {
      id: 'share',
      label: '% of all',
      title: 'Total as a share of all',
      sort: 'total',
      kind: 'number',
      width: 'minmax(60px, 72px)',
    },
    samples,
    ...places,
    { id: 'sparkline', label: 'Over time', title: '', kind: 'spark', isDefault: true, width: '0' },
  ];
}

/** Returns "Self before", or "Self: v1". */
function selfTitle(word: string): string {
  return ['before', 'now', 'after'].includes(word) ? `Self ${word}` : `Self: ${word}`;
}

function columnTitle(letter: string, word: string): string {
  return `${word === letter ? letter : `${letter}, ${word}`}: its own value`;
}

const tasteKey = 'list-columns';

/** Returns the chosen ids: from the URL, or else the user's last choice, or else the default. */
export function chosenColumns(
  all: readonly ListColumn[],
  ofLink: readonly string[],
): ReadonlySet<string> {
  const kept = readTaste(tasteKey)?.split(',') ?? [];
  for (const wished of [ofLink, kept]) {
    const known = all.filter(({ id }) => wished.includes(id));
    if (known.length > 0) return new Set(known.map(({ id }) => id));
  }
  return new Set(all.flatMap(({ id, isDefault }) => (isDefault ? [id] : [])));
}

/** Adds or removes a column; returns the columns for the URL, empty for the default. */
export function toggledColumns(
  all: readonly ListColumn[],
  chosen: ReadonlySet<string>,
  id: string,
): readonly string[] {
  const next = all.filter((column) => chosen.has(column.id) !== (column.id === id));
  // The last column cannot be removed, because no columns would mean the default.
  if (next.length === 0) return [...chosen];
  const isDefault = all.every((column) => next.includes(column) === (column.isDefault === true));
  const ids = isDefault ? [] : next.map((column) => column.id);
  keepTaste(tasteKey, isDefault ? undefined : ids.join(','));
  return ids;
}
