// Messages between the page and the tree worker.
import type { Coverage } from '../format/measure.ts';
import type { Span } from '../rpc/api.ts';
import type { FunctionTable } from './function-table.ts';
import type { SiblingOrder, Tree } from './tree.ts';

/** A question for a flame graph, and how to lay it out. */
export interface TreeQuestion {
  /** Base address of the server, ending in "/". */
  readonly base: string;
  readonly query: string;
  readonly span: Span;
  readonly order: SiblingOrder;
  /** Measure by which both sides of a comparison are made equal. */
  readonly scale: 'total' | 'seconds' | 'snapshots' | 'load';
  /** Frames below this percentage of the root are left out by the server. */
  readonly rootTrimPercent: number;
  /**
   * Names of the frames that lead to the detailed one, from below the root; empty = the whole
   * graph.
   */
  readonly zoomPath: readonly string[];
  /** Prefixes of own code; none if rules decide. */
  readonly own?: readonly string[] | undefined;
}

/** A question for the functions of a selection. */
export interface FunctionsQuestion {
  /** Base address of the server, ending in "/". */
  readonly base: string;
  readonly query: string;
  readonly span: Span;
  /** Prefixes of own code; none if rules decide. */
  readonly own?: readonly string[] | undefined;
}

/** A question for the calls of profiles over time. */
export interface ChartQuestion {
  /** Base address of the server, ending in "/". */
  readonly base: string;
  readonly query: string;
  readonly span: Span;
  /** Labels whose values each have a lane. */
  readonly laneLabels: readonly string[];
  /** Prefixes of own code; none if rules decide. */
  readonly own?: readonly string[] | undefined;
  readonly rootTrimPercent: number;
}

/** Calls over time: the width of a tree is the time from `from` to `to`. */
export interface FlameChart {
  /** The lanes with the largest values, by the values of their labels. */
  readonly lanes: readonly ChartLane[];
  /** Number of lanes that there are. */
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

/** The calls of one series, or of one value of a label of samples. */
export interface ChartLane {
  /** `pod=web-1`; "" if there is one lane. */
  readonly title: string;
  readonly tree: Tree;
}

/** Total of one side of an answer, with its time and samples. */
export interface AnswerSide {
  readonly total: bigint;
  readonly coverage: Coverage;
}

/** Load of one side of a comparison relative to the other one. */
export interface SideLoad {
  /**
   * Factor from the base's value of a function to the other side's, if the function did not change.
   */
  readonly ratio: number;
  /** Factor per covered time: twice the requests give 2, however long both sides are. */
  readonly perTime: number;
  readonly relativeError: number;
  /** Number of functions of the median. */
  readonly functionCount: number;
}

/** A tree, and what the server says about it. */
export interface AnsweredTree extends Tree {
  /** Full names of the profile types that the query was resolved to. */
  readonly profileTypes: readonly string[];
  /** Scale of a comparison that was found, and the load if the server knows it. */
  readonly scale: TreeQuestion['scale'];
  readonly load: SideLoad | undefined;
  readonly coverage: Coverage;
  /** The base of a diff, unscaled. */
  readonly baseSide: AnswerSide | undefined;
  /** Value of the stacks that the stages drop. */
  readonly filtered: bigint;
  /** Number of profiles merged. */
  readonly profileCount: number;
  /** Warnings about what the server could not read. */
  readonly warnings: readonly string[];
  /** Number of frames of the zoom path that exist. */
  readonly zoomedFrames: number;
}

/** A question, and its kind. */
export type Asked =
  | { readonly kind: 'tree'; readonly question: TreeQuestion }
  | { readonly kind: 'functions'; readonly question: FunctionsQuestion }
  | { readonly kind: 'chart'; readonly question: ChartQuestion };

/** Answers to the questions of each kind. */
export interface Answered {
  readonly tree: AnsweredTree;
  readonly functions: FunctionTable;
  readonly chart: FlameChart;
}

export type ToTreeWorker =
  | ({
      readonly id: number;
      /** Name of the question in the server's list of queries. */
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
      /** gRPC code if the server refused; undefined if the answer could not be read. */
      readonly code: number | undefined;
      readonly message: string;
    };
