// The interface of debug information: agents upload through it, and symbolization reads from it.

/** Types of files that clients upload. One file of each type is kept for a build id. */
export type DebuginfoType = 'debuginfo' | 'executable' | 'sources' | 'source-map';

/** Types of stored files, including files of debuginfod servers. */
export type FileKind = DebuginfoType | 'debuginfod';

/** Origin of a build id. */
export type BuildIdType = 'unknown' | 'gnu' | 'hash' | 'go' | 'source-map-debug-id';

/** Information about addresses that a file contains, according to its sections. */
export interface Quality {
  readonly hasDwarf: boolean;
  readonly hasGoLineTable: boolean;
  readonly hasSymbols: boolean;
  readonly hasDynamicSymbols: boolean;
  /**
   * True if the compiler moved the DWARF to separate files, and these are missing. Undefined for
   * files that were stored before version 0.2.
   */
  readonly lacksSplit?: boolean;
}

/** A file that a client offers to upload. */
export interface UploadOffer {
  readonly buildId: string;
  readonly buildIdType: BuildIdType;
  readonly type: DebuginfoType;
  /** Hash of the file, by a function that the client chooses; "" if the client sends none. */
  readonly hash: string;
  /** True if the file must replace an earlier one. */
  readonly force: boolean;
}

/** Answer to an offer, with its reason. */
export interface UploadDecision {
  readonly isWanted: boolean;
  readonly reason: string;
}

/** A started upload. */
export interface UploadTicket {
  readonly buildId: string;
  readonly type: DebuginfoType;
  readonly uploadId: string;
}

/** Accepts files of debug information. An upload has three calls: `begin`, `receive`, `finish`. */
export interface DebuginfoUploads {
  /**
   * Decides whether a file is wanted. For a new build id, debuginfod servers may be asked first.
   *
   * Errors: AppError 'invalid-argument' for an invalid build id; the reason of `signal`.
   */
  decide(offer: UploadOffer, signal?: AbortSignal): Promise<UploadDecision>;
  /**
   * Begins an upload and returns its id.
   *
   * Errors: AppError 'invalid-argument' if the hash or the size is missing, or if the size exceeds
   * the limit; 'already-exists' for a file that was refused before; 'failed-precondition' for a
   * file that is not wanted; 'resource-exhausted' if the disk is nearly full or too many uploads
   * are running; the reason of `signal`.
   */
  begin(offer: UploadOffer, size: number, signal?: AbortSignal): Promise<string>;
  /**
   * Receives the bytes of a file. Resolves to their number when they are on the disk. `caller` is
   * the id of the caller.
   *
   * Errors: AppError 'failed-precondition' or 'invalid-argument' if no such upload was begun;
   * 'invalid-argument' if there are more or fewer bytes than declared; 'invalid-argument' if the
   * content does not match the build id, after which the same file is always refused;
   * 'resource-exhausted' for the caller with the most waiting archives and maps if too many of them
   * wait; the reason of `signal` as soon as it is aborted.
   */
  receive(
    ticket: UploadTicket,
    chunks: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
    caller?: string,
  ): Promise<number>;
  /**
   * Makes the file the best one of its build id and type, unless a better file is stored. It is
   * durable when the promise resolves. An aborted signal does not stop a file that is already being
   * stored.
   *
   * Errors: AppError 'not-found' or 'invalid-argument' if no such upload was begun,
   * 'failed-precondition' if its bytes did not arrive; the reason of `signal`.
   */
  finish(ticket: UploadTicket, signal?: AbortSignal): Promise<void>;
}

/** A stored file of debug information. */
export interface DebuginfoFile {
  readonly path: string;
  readonly quality: Quality;
  /** True if a person forced the upload; agents never force uploads. */
  readonly isExplicit: boolean;
}

/** Facts about a stored file, for display. */
export interface KeptFile {
  readonly kind: FileKind;
  readonly bytes: number;
  readonly quality: Quality;
  readonly uploadedAtMillis: number;
}

/** The state of the symbols of one build id. */
export interface BuildSymbols {
  readonly buildId: string;
  /**
   * Path of the binary in the last profile that contained it; "" if there was none since the server
   * started.
   */
  readonly binary: string;
  readonly files: readonly KeptFile[];
  /**
   * `unasked` means that no query has needed names of the build id since the server started, or
   * since the method of reading names changed.
   */
  readonly state: 'named' | 'unnamed' | 'pending' | 'unasked';
  /** Reason why there are no names; "" if there are names, or if the reason is unknown. */
  readonly reason: string;
  /** Reasons why names have no lines although the file contains DWARF. */
  readonly notes: readonly string[];
}

/** A server that may have a file from which names of a build id can be read. */
export interface FileServer {
  /** Name for messages. */
  readonly name: string;
  /**
   * Requests the best file of a build id. The caller must read the body to its end, or abort the
   * signal. Returns undefined if the server has no file.
   *
   * Errors: AppError 'unavailable' when the server does not respond, other codes for other
   * failures; the signal's reason.
   */
  request(buildId: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | undefined>;
}

/** A part of a server's file. */
export interface FilePiece {
  /** Name of the file, which changes if the file is replaced. */
  readonly file: string;
  /** Size of the whole file. */
  readonly fileBytes: number;
  readonly content: Uint8Array;
}

/** Files of this server, for other servers to read. */
export interface FilesForOthers {
  /**
   * Returns the bytes at `offset` of the best file of a build id; undefined if there is no file.
   * Errors: I/O errors; the reason of the signal.
   */
  readPiece(buildId: string, offset: number, signal?: AbortSignal): Promise<FilePiece | undefined>;
}

/** A range of bytes that can be read chunk by chunk from the disk. */
export interface ServedBytes {
  /** Name for people. */
  readonly name: string;
  readonly bytes: number;
  /** Reads the bytes `start` .. `end`. */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
  /** Closes the file. It must be called once. */
  close(): Promise<void>;
}

/**
 * Files by build id, in the way debuginfod servers provide them. Each function returns undefined if
 * there is no such file. Errors: I/O errors; AppError for a damaged file; the reason of the signal.
 */
export interface DebuginfodFiles {
  openDebuginfo(buildId: string, signal: AbortSignal): Promise<ServedBytes | undefined>;
  /** Opens a file that contains the program's code. */
  openExecutable(buildId: string, signal: AbortSignal): Promise<ServedBytes | undefined>;
  /** Opens a section by its name. A compressed section stays compressed. */
  openSection(buildId: string, name: string, signal: AbortSignal): Promise<ServedBytes | undefined>;
  /** Reads a source file by the name that the compiler recorded. */
  readSource(buildId: string, path: string, signal: AbortSignal): Promise<ServedBytes | undefined>;
}
