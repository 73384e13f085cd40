// Data that people store on the server: shares, uploads, settings of Grafana's app, marks, saved
// views and what is own code.
import type { Files } from '../base/files.ts';
import type { Logger } from '../base/logger.ts';
import type { Random } from '../base/random.ts';

/** Name of the content below the path of a shared profile. */
export const sharedFileName = 'profile.pb.gz';

/** A shared profile without its content. */
export interface ShareHead {
  /** 32 hexadecimal digits. */
  readonly id: string;
  /** Description, written by the person who shared the profile; may be empty. */
  readonly description: string;
  readonly createdMillis: number;
  /** Size of the content. */
  readonly bytes: number;
}

/** The stored copies. */
export interface Shares {
  /**
   * Stores gzipped pprof durably, and returns its head.
   *
   * Errors: AppError 'resource-exhausted' if it is too large, or there are too many.
   */
  add(profile: Uint8Array, description: string): Promise<ShareHead>;
  /** Returns the head of a copy. Errors: AppError 'not-found'. */
  find(id: string): ShareHead;
  /** Returns the content of a copy. Errors: AppError 'not-found'. */
  read(id: string): Promise<Uint8Array>;
  /**
   * Returns the content piece by piece, for answers that are read slowly. Errors, with the first
   * piece: AppError 'not-found'.
   */
  readPieces(id: string): AsyncIterable<Uint8Array>;
  /** Removes a copy durably. Errors: AppError 'not-found'. */
  remove(id: string): Promise<void>;
}

/**
 * Files that Profiles Drilldown uploads, unchanged. The oldest are removed when there are too many.
 */
export interface AdHocProfiles extends Pick<Shares, 'add' | 'find' | 'read'> {
  /** Returns the heads of all copies, the newest first. */
  list(): readonly ShareHead[];
}

/** A setting of Grafana's app. */
export interface AppSetting {
  readonly name: string;
  readonly value: string;
  readonly modifiedMillis: number;
}

/** All settings. */
export interface AppSettings {
  list(): readonly AppSetting[];
  /**
   * Replaces the list by the result of `edit`, durably and after all earlier changes. Errors: those
   * of the disk and of `edit`; the list is then unchanged.
   */
  change(edit: (settings: readonly AppSetting[]) => readonly AppSetting[]): Promise<void>;
}

/**
 * Labels of a mark. A series with a different value for one of them is not concerned by the mark.
 */
export type MarkLabels = Readonly<Record<string, string>>;

/** A time that a pipeline or a person has marked: a rollout, a change of a flag, an incident. */
export interface NewMark {
  /** Milliseconds since the epoch. */
  readonly timeMillis: number;
  readonly text: string;
  /** Address of the change, by http or https; "" for none. */
  readonly link: string;
  readonly labels: MarkLabels;
}

/** A stored mark. */
export interface StoredMark extends NewMark {
  /** 16 hexadecimal digits. */
  readonly id: string;
}

/** All marks. */
export interface StoredMarks {
  /** Returns the marks in the order of their times. */
  list(): readonly StoredMark[];
  /**
   * Stores a mark durably; the oldest marks are removed when there are too many.
   *
   * Errors: AppError 'resource-exhausted' if all stored marks are later; those of the disk.
   */
  add(mark: NewMark): Promise<StoredMark>;
  /** Removes a mark durably. Errors: AppError 'not-found'; those of the disk. */
  remove(id: string): Promise<void>;
}

/** Parts that files of the page need. */
export interface PageFilesOptions {
  /** Folder of the files; the first change creates it. */
  readonly folder: string;
  readonly files: Files;
  readonly logger: Logger;
  readonly random: Random;
}

/** A named address of the page. */
export interface NewView {
  readonly name: string;
  /** Page and its state, relative to the address of the server: `explore?q=...`. */
  readonly address: string;
  /** True if the start page links to it. */
  readonly isFavourite: boolean;
}

/** A stored view. */
export interface SavedView extends NewView {
  /** 16 hexadecimal digits. */
  readonly id: string;
}

/** All saved views. */
export interface SavedViews {
  /** Returns the views in the order in which they were saved. */
  list(): readonly SavedView[];
  /** Stores a view durably. Errors: AppError 'resource-exhausted'; those of the disk. */
  add(view: NewView): Promise<SavedView>;
  /** Replaces a view durably. Errors: AppError 'not-found'; those of the disk. */
  change(id: string, view: NewView): Promise<SavedView>;
  /** Removes a view durably. Errors: AppError 'not-found'; those of the disk. */
  remove(id: string): Promise<void>;
}

/** Own code of one service. */
export interface OwnCodeEntry {
  /** Name of the service; "" for queries of several. */
  readonly service: string;
  /** Beginnings of packages and paths. */
  readonly prefixes: readonly string[];
}

/** Own code, by service. */
export interface OwnCode {
  list(): readonly OwnCodeEntry[];
  /**
   * Sets the prefixes of a service durably; none removes it. Errors: AppError 'resource-exhausted';
   * those of the disk.
   */
  set(entry: OwnCodeEntry): Promise<void>;
}

/** Files that the page keeps for everybody. */
export interface PageFiles {
  readonly views: SavedViews;
  readonly ownCode: OwnCode;
}
