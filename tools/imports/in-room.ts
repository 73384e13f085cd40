// Fences of the folders inside a room, by rows of a table.
import type { Fence } from './allowed.ts';

/**
 * Allowed imports of one folder of a room. `folder` and `within` are relative to the room, "." is
 * what stands at its root.
 */
export interface RoomRow {
  readonly folder: string;
  /** Folders of the room that stand before this one in the list. */
  readonly within: readonly string[];
  /** Folders of the room, at any place, of which only types are imported. */
  readonly types?: readonly string[];
  /** Imports of other rooms, as in a Fence. */
  readonly imports: readonly string[];
  readonly packages: readonly string[];
}

/** A room whose folders have fences, in the order in which they may import each other. */
export interface Room {
  readonly room: string;
  readonly fences: readonly Fence[];
}

/** Returns the room with a fence for each row. */
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
