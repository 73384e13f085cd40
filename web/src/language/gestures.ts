// Gestures: edits of the query that add stages for a function, a binary or all stacks.
//
// Labels and keys are part of the page's first load; the edits need the grammar, which is loaded
// later.
import { unknownGroup } from '../../../src/model/group-names.ts';
import { baseName } from '../../../src/model/file-path.ts';
import { quoteString } from '../../../src/promql-like/string.ts';
import type { SearchQuestion } from '../rpc/api.ts';
import type * as StagesModule from './stages.ts';

export type Stages = typeof StagesModule;

/** A gesture: its key, its label, and its edit of the query. */
export interface Gesture {
  /** Name of the key in `KeyboardEvent.key`. */
  readonly key: string;
  readonly label: string;
  edit(query: string, stages: Stages): string;
}

/** Returns the gestures for a function; a name such as `libc.so+0x1f20` is an address. */
export function functionGestures(name: string): Gesture[] {
  const address = /(?:^|\+)(0x[0-9a-f]+)$/.exec(name)?.[1];
  const condition = address === undefined ? `equals ${quoteString(name)}` : `address ${address}`;
  const filters = [
    adding('k', 'Keep only stacks with it', `stack ${condition}`),
    adding('d', 'Drop stacks with it', `not stack ${condition}`),
    adding('h', 'Fold it: its value goes to its caller', `frame drop ${condition}`),
  ];
  if (address !== undefined) return filters;
  return [
    {
      key: 's',
      label: 'Sandwich: its callees, and its callers above',
      edit: (query, stages) => stages.sandwich(query, name, 'callees'),
    },
    {
      key: 'c',
      label: 'Callers: everything that leads to it',
      edit: (query, stages) => stages.sandwich(query, name, 'callers'),
    },
    adding('r', 'Root here: from its outermost call on', `root ${quoteString(name)}`),
    ...filters,
  ];
}

/** Returns the gestures for a binary, by the last element of its path; none if it is unknown. */
export function binaryGestures(path: string): Gesture[] {
  const binary = baseName(path);
  return binary === '' ? [] : groupGestures('binary', binary, []);
}

/**
 * Returns the gestures for a kind, a package or a binary in the legend; `own` are the prefixes of
 * own code.
 */
export function groupGestures(
  field: 'kind' | 'package' | 'binary',
  group: string,
  own: readonly string[],
): Gesture[] {
  // A frame without a binary has no value to compare with.
  if (field === 'binary' && group === unknownGroup) return [];
  const condition = `${field} equals ${quoteString(group)}`;
  const onGroup = (key: string, label: string, stage: string): Gesture => ({
    key,
    label,
    edit: (query, stages) => stages.appendOnKind(query, stage, own),
  });
  return [
    onGroup('X', `Hide ${group}: stacks that end in it are left out`, `not leaf ${condition}`),
    onGroup('H', `Fold ${group}: it counts for its callers`, `frame drop ${condition}`),
    onGroup('O', `Only ${group}: stacks that end in it`, `leaf ${condition}`),
    onGroup('K', `Keep only stacks through ${group}`, `stack ${condition}`),
    onGroup('D', `Drop stacks through ${group}`, `not stack ${condition}`),
    onGroup('C', `Collapse ${group}: only the functions it is entered by`, `collapse ${condition}`),
    onGroup('F', `Show only frames of ${group}`, `frame keep ${condition}`),
  ];
}

/** Gestures for all stacks. */
export const stackGestures: readonly Gesture[] = [
  {
    key: 'i',
    label: 'Invert: callers under what they call',
    edit: (query, stages) => stages.toggleInvert(query),
  },
  adding('R', 'Collapse recursion: each function once in a stack', 'collapse recursion'),
  {
    key: 'f',
    label: 'Split by file',
    edit: (query, stages) => stages.toggleGroup(query, 'file'),
  },
  {
    key: 'b',
    label: 'Split by binary',
    edit: (query, stages) => stages.toggleGroup(query, 'binary'),
  },
];

/** Returns the stage that keeps or drops the stacks that a search finds. */
export function searchStage(
  text: string,
  mode: SearchQuestion['mode'],
  action: 'keep' | 'drop',
): string {
  const condition = {
    text: quoteString(text),
    case: `matches ${quoteString(text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))}`,
    regex: `matches ${quoteString(`(?i)${text}`)}`,
  }[mode];
  return `${action === 'drop' ? 'not ' : ''}stack ${condition}`;
}

function adding(key: string, label: string, stage: string): Gesture {
  return { key, label, edit: (query, stages) => stages.appendStage(query, stage) };
}
