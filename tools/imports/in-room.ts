// Makes the import rules of the folders inside a top-level folder (a "room") from rows of a table.
import type { Fence } from './allowed.ts';

/**
 * Allowed imports of a folder in a room. `folder` and `within` are relative to the room; "." is the
 * room's own files.
 */
export interface RoomRow {
  readonly folder: string;
  /** Imported folders of the room, which come before this folder in the list. */
  readonly within: readonly string[];
  /** Folders of the room from which only types are imported, in any order. */
  readonly types?: readonly string[];
  /** Imports of other rooms, as in a Fence. */
  readonly imports: readonly string[];
  readonly packages: readonly string[];
}

/** A room whose folders have import rules, in the order in which they may import each other. */
export interface Room {
  readonly room: string;
  readonly fences: readonly Fence[];
}

/** Returns the room with a rule for each row. */
export function inRoom(room: string, rows: readonly RoomRow[]): Room {
  const path = (folder: string): string => (folder === '.' ? room : `${room}/${folder}`);
  const fences = rows.map(({ folder, within, types = [], imports, packages }) => ({
    folder: path(folder),
    imports: [...within.map(path), ...imports],
    types: types.map(path),
    packages,
  }));
  return { room, fences };
}
