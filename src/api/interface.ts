// Contract of the API: the parts of the program that it needs, and the functions that the program
// calls.
import type { Clock } from '../base/clock.ts';
import type { Files } from '../base/files.ts';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import type {
  BuildSymbols,
  DebuginfodFiles,
  DebuginfoUploads,
  FilesForOthers,
} from '../debuginfo/interface.ts';
import type { ImportInThread } from '../formats/import/import-file.ts';
import type { CardinalityStatus, Ingester } from '../ingest/interface.ts';
import type {
  AnswerSharing,
  DrawPicture,
  QueryControl,
  QueryEngine,
  SeriesDeleter,
} from '../query/interface.ts';
import type { Findings } from '../findings/interface.ts';
import type { RulesStatus } from '../rules/interface.ts';
import type { PageFiles, StoredMarks } from '../shares/interface.ts';
import type { ReadRules, ScrapeStatus } from '../scrape/interface.ts';
import type { SourceReader } from '../sources/interface.ts';
import type { PartSource } from '../storage/part-source.ts';
import type { Random } from '../base/random.ts';
import type { SourceLinkRule } from '../config/source-links.ts';
import type { GoBuild } from '../model/go-build.ts';
import type { WebConfig } from '../config/web/web-config.ts';
import type { AuditSink } from './auth/audit.ts';
import type { CheckPassword } from './auth/password-checks.ts';
import type { OperatorHooks } from './routes/operator-routes.ts';
import type { Use } from './services/readiness.ts';
import type { BuildVersion } from './query/pyroscope/status-routes.ts';
import type { KeptForClients } from './query/pyroscope/pyroscope-methods.ts';
import type { Sharing } from './query/query-service.ts';
import type { AdminActions } from './routes/admin-routes.ts';
import type { AssemblyReader } from './routes/assembly-route.ts';
import type { Settings } from './routes/settings-route.ts';
import type { PushStore } from './ingest/profile-pushes.ts';

/** Interfaces through which the API uses the machine. */
export interface ApiHost {
  readonly clock: Clock;
  readonly files: Files;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly random: Random;
}

/** The services of the API. */
export interface ApiServices {
  readonly ingester: Ingester;
  readonly debuginfo: DebuginfoUploads;
  /** Files for gdb and other clients of debuginfod. */
  readonly debuginfodFiles: DebuginfodFiles;
  readonly engine: QueryEngine;
  /**
   * Engine for profiles with Pyroscope's names; undefined if Pyroscope's clients are not served.
   */
  readonly pyroscope?: QueryEngine;
  /** Data that Pyroscope's clients store on this server; undefined if they are not served. */
  readonly kept?: KeptForClients;
  /** Draws comparisons; absent in tests that need no pictures. */
  readonly drawPicture?: DrawPicture;
  readonly queries: QueryControl;
  readonly scrape: ScrapeStatus;
  readonly answers: AnswerSharing;
  readonly sources: SourceReader;
  /** Returns the reason why profiles cannot be stored now; undefined if they can. */
  readonly whyNoWrites?: () => string | undefined;
  /** Blocks and heads of this server, for query servers; undefined if the server has none. */
  readonly parts?: PartSource | undefined;
  /** Files of debug information, for query servers. */
  readonly files?: FilesForOthers;
  /** Returns the reason why some queries may never be answered; undefined if there is none. */
  readonly problem?: () => string | undefined;
  /**
   * Called when somebody opens the page, so that the server can prepare: a few tenths of a second
   * later, the page requests a report.
   */
  readonly onPageOpened?: () => void;
  /** Actions of the admin API; undefined if it is off. */
  readonly admin: AdminActions | undefined;
  /** Counts the profiles that a delete would remove; undefined if nothing can be deleted. */
  readonly countDeleted?: SeriesDeleter;
  /** Sharing of profiles; undefined if it is off. */
  readonly sharing: Sharing | undefined;
  /** Returns the build ids, each with the state of its symbols. */
  readonly symbols: () => readonly BuildSymbols[];
  /** Returns the flags and the configuration of the server. */
  readonly settings: () => Settings;
  /** Disassembles uploaded programs; absent where there are none. */
  readonly assembly?: AssemblyReader;
  /**
   * Returns the rules that turn lines of source into links; undefined if no config has such rules.
   */
  readonly sourceLinks?: () => readonly SourceLinkRule[];
  /** Returns the build information of an uploaded Go program; absent without uploads. */
  readonly goBuild?: (buildId: string) => GoBuild | undefined;
  /** Returns the counts of active series; absent where no profiles are written. */
  readonly cardinality?: () => CardinalityStatus;
  /** Marked times; undefined if the server stores no marks. */
  readonly marks?: StoredMarks;
  /** Files that the page keeps for everybody; undefined if they are not stored. */
  readonly pageFiles?: PageFiles;
  /** Changes that were found; undefined if this server does not look for changes. */
  readonly findings?: Findings;
  /** Rules and their alerts; undefined if rules are not evaluated. */
  readonly rules?: RulesStatus;
}

/** The services of a server that sends its scraped profiles to another server. */
export interface ScraperServices {
  readonly scrape: ScrapeStatus;
  /**
   * Stores pushes in forms that the other server may not support; settles when the other server has
   * stored them.
   */
  readonly pushes: PushStore;
  /** Calls a method of the other server, by its path, with an encoded request. */
  readonly forward: (path: string, request: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>;
  /** Calls a method of the other server with a stream of encoded requests. */
  readonly forwardStream: (
    path: string,
    requests: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ) => AsyncIterable<Uint8Array>;
}

/** Functions of the program that do not belong to a service. */
export interface ApiHooks extends Omit<OperatorHooks, 'readiness' | 'admin' | 'countDeleted'> {
  readonly checkPassword: CheckPassword;
  /** Takes the lines of the audit log; undefined without an audit log. */
  readonly auditSink?: AuditSink | undefined;
  readonly importInThread: ImportInThread;
  readonly readRules: ReadRules;
}

export interface ApiOptions {
  /** Either `host:port` or `:port`. */
  readonly address: string;
  /** Further addresses that the server listens on. */
  readonly moreAddresses?: readonly string[];
  /** Version of the program, and its commit. */
  readonly build?: BuildVersion;
  /** Either "" or "/prefix". */
  readonly pathPrefix: string;
  readonly corsAllowedOrigins: readonly string[];
  /** Longest pause while a request is read, in milliseconds. */
  readonly readTimeoutMillis: number;
  /** Longest duration of a call. */
  readonly writeTimeoutMillis: number;
  /**
   * Names by which browsers may reach a server that listens on the loopback and requires no login.
   */
  readonly allowedHosts: readonly string[];
  /** TLS and logins; `applyWebConfig` replaces them. */
  readonly web: WebConfig;
  /** Folder of the built web UI. */
  readonly uiFolder: string;
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<ApiLimits>;
}

/** Limits of the port and of its requests. */
export interface ApiLimits {
  /** Largest message or body in bytes, before and after decompression. */
  readonly messageBytesMax: number;
  /** Bytes that all requests together may hold. */
  readonly requestBytesMax: number;
  /** Bytes that all requests of a connection together may hold. */
  readonly connectionBytesMax: number;
  /** Maximum number of bytes of all answers that their callers have not read yet. */
  readonly unreadBytesMax: number;
  readonly connectionsMax: number;
  /** Connections from one address. */
  readonly connectionsPerAddressMax: number;
}

/** The listening API. It refuses calls with UNAVAILABLE until `serve` is called. */
export interface Api {
  readonly host: string;
  readonly port: number;
  /** Token with which this server may scrape itself. It only has the scope `read`. */
  readonly ownToken: string;
  /** Returns the status and the body of `/-/ready` for reads or for writes. */
  readiness(use: Use): { readonly code: number; readonly text: string };
  /**
   * Applies another web config; connections stay open.
   *
   * Errors: AppError 'invalid-argument' if TLS cannot use it; the previous config stays in use.
   */
  applyWebConfig(config: WebConfig): void;
  /** Returns the number of queries that a caller may run at the same time; 0 = no limit. */
  queriesAtOnce(caller: string): number;
  /** Answers every call from now on. */
  serve(services: ApiServices): void;
  /** Answers calls of a server that only scrapes, and forwards other calls, from now on. */
  serveScraper(services: ScraperServices): void;
  /** Adds work that `close` does after the port is closed. */
  onClosed(work: () => Promise<void>): void;
  /** Refuses new calls, finishes the running ones, then closes the port. Idempotent. */
  close(): Promise<void>;
}
