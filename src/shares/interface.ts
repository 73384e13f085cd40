// Data that people store on the server: shares, uploads, settings of Grafana's app, marks, saved
// views, and prefixes of own code.
import type { Files } from '../base/files.ts';
import type { Logger } from '../base/logger.ts';
import type { Random } from '../base/random.ts';

/** Last part of the URL of a shared profile's content. */
export const sharedFileName = 'profile.pb.gz';

/** Metadata of a shared profile. */
export interface ShareHead {
  /** 32 hexadecimal digits. */
  readonly id: string;
  /** Description, written by the person who shared the profile; may be empty. */
  readonly description: string;
  readonly createdMillis: number;
  /** Size of the content in bytes. */
  readonly bytes: number;
}

/** Stored shared profiles. */
export interface Shares {
  /**
   * Stores a gzipped pprof profile durably, and returns its metadata.
   *
   * Errors: AppError 'resource-exhausted' if the profile is too large, or there are too many
   * profiles.
   */
  add(profile: Uint8Array, description: string): Promise<ShareHead>;
  /** Returns the metadata of a profile. Errors: AppError 'not-found'. */
  find(id: string): ShareHead;
  /** Returns the content of a profile. Errors: AppError 'not-found'. */
  read(id: string): Promise<Uint8Array>;
  /**
   * Returns the content in chunks, for clients that read slowly. Errors: AppError 'not-found', when
   * the first chunk is read.
   */
  readPieces(id: string): AsyncIterable<Uint8Array>;
  /** Removes a profile durably. Errors: AppError 'not-found'. */
  remove(id: string): Promise<void>;
}

/**
 * Files that Grafana's Profiles Drilldown uploads, unchanged. The oldest files are removed when
 * there are too many.
 */
export interface AdHocProfiles extends Pick<Shares, 'add' | 'find' | 'read'> {
  /** Returns the metadata of all files, newest first. */
  list(): readonly ShareHead[];
}

/** A setting of Grafana's app. */
export interface AppSetting {
  readonly name: string;
  readonly value: string;
  readonly modifiedMillis: number;
}

/** All settings of Grafana's app. */
export interface AppSettings {
  list(): readonly AppSetting[];
  /**
   * Replaces the list with the result of `edit`, durably and after all earlier changes. If the disk
   * or `edit` fails, rejects with the error and leaves the list unchanged.
   */
  change(edit: (settings: readonly AppSetting[]) => readonly AppSetting[]): Promise<void>;
}

/**
 * Labels of a mark. The mark does not apply to series that have a different value for one of these
 * labels.
 */
export type MarkLabels = Readonly<Record<string, string>>;

/** A time marked by a pipeline or a person: a rollout, a feature flag, an incident. */
export interface NewMark {
  /** Milliseconds since the epoch. */
  readonly timeMillis: number;
  readonly text: string;
  /** HTTP or HTTPS URL of the change; "" = none. */
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
  /** Returns the marks in order of time. */
  list(): readonly StoredMark[];
  /**
   * Stores a mark durably, and removes the oldest marks if there are too many.
   *
   * Errors: AppError 'resource-exhausted' if the new mark would be removed as the oldest; I/O
   * errors.
   */
  add(mark: NewMark): Promise<StoredMark>;
  /** Removes a mark durably. Errors: AppError 'not-found'; I/O errors. */
  remove(id: string): Promise<void>;
}

/** Dependencies of the files that the page keeps on the server. */
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
  /** True if the start page links to the view. */
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
  /** Stores a view durably. Errors: AppError 'resource-exhausted'; I/O errors. */
  add(view: NewView): Promise<SavedView>;
  /** Replaces a view durably. Errors: AppError 'not-found'; I/O errors. */
  change(id: string, view: NewView): Promise<SavedView>;
  /** Removes a view durably. Errors: AppError 'not-found'; I/O errors. */
  remove(id: string): Promise<void>;
}

/** Own code of one service. */
export interface OwnCodeEntry {
  /** Name of the service; "" for queries of several services. */
  readonly service: string;
  /** Prefixes of packages and paths. */
  readonly prefixes: readonly string[];
}

/** Own code, by service. */
export interface OwnCode {
  list(): readonly OwnCodeEntry[];
  /**
   * Sets the prefixes of a service durably; an empty list removes the service. Errors: AppError
   * 'resource-exhausted'; I/O errors.
   */
  set(entry: OwnCodeEntry): Promise<void>;
}

/** Files that the page keeps for everybody. */
export interface PageFiles {
  readonly views: SavedViews;
  readonly ownCode: OwnCode;
}
