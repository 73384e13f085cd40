// Menu entry that shows the source lines of a function's file.
import type { FunctionTable } from '../tree/function-table.ts';
import { indexOfText, StringReader } from '../tree/strings.ts';
import { type TreeTexts, widestFrame } from '../tree/tree-texts.ts';
import type { Tree } from '../tree/tree.ts';
import type { UrlStore } from '../url/url-store.ts';
import type { MenuAction } from './context-menu.tsx';

/** Position in a file of one build; build id "" and line 0 = unknown. */
export interface FilePlace {
  readonly file: string;
  readonly build: string;
  readonly line: number;
}

/** Returns the position of a frame; undefined if it has no file. */
export function fileOfFrame(tree: Tree, texts: TreeTexts, row: number): FilePlace | undefined {
  const file = texts.string(tree.file[row]);
  if (file === '') return undefined;
  return { file, build: texts.string(tree.buildId[row]), line: tree.line[row] };
}

/** Returns the position of a function: from its widest frame, or else from the list. */
export function fileOfFunction(
  name: string,
  tree: Tree | undefined,
  texts: TreeTexts | undefined,
  table: FunctionTable | undefined,
): FilePlace | undefined {
  const index = texts?.indexOf(name);
  const row = tree && index !== undefined ? widestFrame(tree, index) : undefined;
  if (tree && texts && row !== undefined) return fileOfFrame(tree, texts, row);
  const at = table === undefined ? -1 : indexOfText(table.names, name);
  if (table === undefined || at < 0) return undefined;
  const file = new StringReader(table.files).get(at);
  return file === '' ? undefined : { file, build: new StringReader(table.builds).get(at), line: 0 };
}

/** Returns a list with the entry; empty for a function without a file. */
export function linesEntry(place: FilePlace | undefined, url: UrlStore): MenuAction[] {
  if (place === undefined) return [];
  const run = (): void => url.change({ ...place, panel: 'lines' }, 'step');
  return [{ key: 'e', label: 'Lines of its file', run }];
}
