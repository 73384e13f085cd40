// Things that people store on the server: shared profiles, uploads and settings of Grafana's app.

/** Name of the content below the path of a shared profile. */
export const sharedFileName = 'profile.pb.gz';

/** A shared profile without its content. */
export interface ShareHead {
  /** 32 hexadecimal digits. */
  readonly id: string;
  /** Description by the person who shared it; may be empty. */
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
  /** Returns the head, or the content, of a copy. Errors: AppError 'not-found'. */
  find(id: string): ShareHead;
  read(id: string): Promise<Uint8Array>;
  /** Removes a copy durably. Errors: AppError 'not-found'. */
  remove(id: string): Promise<void>;
}

/**
 * Files that Profiles Drilldown uploads, unchanged. The oldest are removed when there are too many.
 */
export interface AdHocProfiles extends Pick<Shares, 'add' | 'find' | 'read'> {
  /** Returns the heads of all, the newest first. */
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
  /** Replaces the list, durably. Errors: the disk's, and the list is then unchanged. */
  save(settings: readonly AppSetting[]): Promise<void>;
}
