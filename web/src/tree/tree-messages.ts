// Messages between the page and the tree worker.
import type { Coverage } from '../format/measure.ts';
import type { Span } from '../rpc/api.ts';
import type { FunctionTable } from './function-table.ts';
import type { SiblingOrder, Tree } from './tree.ts';

/** A request for a flame graph, and its layout options. */
export interface TreeQuestion {
  /** Base address of the server, ending in "/". */
  readonly base: string;
  readonly query: string;
  readonly span: Span;
  readonly order: SiblingOrder;
  /** Quantity that is made equal on both sides of a comparison. */
  readonly scale: 'total' | 'seconds' | 'snapshots' | 'load';
  /** The server omits frames below this percentage of the root. */
  readonly rootTrimPercent: number;
  /** Names on the path from below the root to the detailed frame; empty = the complete graph. */
  readonly zoomPath: readonly string[];
  /** Prefixes of own code; undefined if rules decide. */
  readonly own?: readonly string[] | undefined;
}

/** A request for the functions of a selection. */
export interface FunctionsQuestion {
  /** Base address of the server, ending in "/". */
  readonly base: string;
  readonly query: string;
  readonly span: Span;
  /** Prefixes of own code; undefined if rules decide. */
  readonly own?: readonly string[] | undefined;
}

/** A request for the calls of profiles over time. */
export interface ChartQuestion {
  /** Base address of the server, ending in "/". */
  readonly base: string;
  readonly query: string;
  readonly span: Span;
  /** Labels whose values have separate lanes. */
  readonly laneLabels: readonly string[];
  /** Prefixes of own code; undefined if rules decide. */
  readonly own?: readonly string[] | undefined;
  readonly rootTrimPercent: number;
}

/** Calls over time; the width of a tree is the time from `from` to `to`. */
export interface FlameChart {
  /** Lanes with the largest values, by label values. */
  readonly lanes: readonly ChartLane[];
  /** Number of lanes, including lanes that are not shown. */
  readonly laneCount: number;
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly coverage: Coverage;
  readonly total: bigint;
  readonly trimmed: bigint;
  readonly profileCount: number;
  readonly warnings: readonly string[];
}

/** Calls of one series, or of one value of a sample label. */
export interface ChartLane {
  /** Labels such as `pod=web-1`; "" if there is only one lane. */
  readonly title: string;
  readonly tree: Tree;
}

/** Total of one side, with its time and samples. */
export interface AnswerSide {
  readonly total: bigint;
  readonly coverage: Coverage;
}

/** Load of one side of a comparison relative to the other side. */
export interface SideLoad {
  /** Ratio of the other side's values to the base's values, for unchanged functions. */
  readonly ratio: number;
  /**
   * Ratio per profiled time: 2 if there are twice as many requests per second, however long both
   * sides are.
   */
  readonly perTime: number;
  readonly relativeError: number;
  /** Number of functions in the median. */
  readonly functionCount: number;
}

/** A tree, and other data in the server's answer. */
export interface AnsweredTree extends Tree {
  /** Full names of the query's profile types. */
  readonly profileTypes: readonly string[];
  /** Scale that was used for a comparison, and the load if known. */
  readonly scale: TreeQuestion['scale'];
  readonly load: SideLoad | undefined;
  readonly coverage: Coverage;
  /** Base of a diff, unscaled. */
  readonly baseSide: AnswerSide | undefined;
  /** Value of the stacks that stages drop. */
  readonly filtered: bigint;
  /** Number of merged profiles. */
  readonly profileCount: number;
  /** Warnings about data that the server could not read. */
  readonly warnings: readonly string[];
  /** Number of frames in the zoom path that exist. */
  readonly zoomedFrames: number;
}

/** A request with its kind. */
export type Asked =
  | { readonly kind: 'tree'; readonly question: TreeQuestion }
  | { readonly kind: 'functions'; readonly question: FunctionsQuestion }
  | { readonly kind: 'chart'; readonly question: ChartQuestion };

/** Answer types by kind of request. */
export interface Answered {
  readonly tree: AnsweredTree;
  readonly functions: FunctionTable;
  readonly chart: FlameChart;
}

export type ToTreeWorker =
  | ({
      readonly id: number;
      /** Tag of the request in the server's list of running queries. */
      readonly tag: string | undefined;
    } & Asked)
  | { readonly kind: 'cancel'; readonly id: number }
  /** A port to the worker that answers queries about files. */
  | { readonly kind: 'connect'; readonly port: MessagePort };

export type FromTreeWorker =
  | { readonly kind: 'answer'; readonly id: number; readonly value: Answered[keyof Answered] }
  | {
      readonly kind: 'failed';
      readonly id: number;
      /** gRPC code if the server refused; undefined if the answer could not be parsed. */
      readonly code: number | undefined;
      readonly message: string;
    };
