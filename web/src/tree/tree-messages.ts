// Messages between the page and the tree worker.
import type { Coverage } from '../format/measure.ts';
import type { Span } from '../rpc/api.ts';
import type { FunctionTable } from './function-table.ts';
import type { SiblingOrder, Tree } from './tree.ts';

/** Which flame graph to fetch and how to lay it out. */
export interface TreeQuestion {
  /** Base address of the server, ending in "/". */
  readonly base: string;
  readonly query: string;
  readonly span: Span;
  readonly order: SiblingOrder;
  /** Measure that both sides of a comparison are scaled to have the same of. */
  readonly scale: 'total' | 'seconds' | 'snapshots';
  /** Frames below this percentage of the root are left out by the server. */
  readonly rootTrimPercent: number;
  /** Names of the frames to one that is shown in detail, from below the root; empty: all. */
  readonly zoomPath: readonly string[];
}

/** The functions of which selection to fetch. */
export interface FunctionsQuestion {
  /** Base address of the server, ending in "/". */
  readonly base: string;
  readonly query: string;
  readonly span: Span;
}

/** The calls of profiles next to each other in time. */
export interface ChartQuestion {
  /** Base address of the server, ending in "/". */
  readonly base: string;
  readonly query: string;
  readonly span: Span;
  /** Labels whose values have a lane each. */
  readonly laneLabels: readonly string[];
  readonly rootTrimPercent: number;
}

/** Calls over time: the width of a tree is the time from `from` to `to`. */
export interface FlameChart {
  /** The lanes with the largest values, by the texts of their labels. */
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
  /** `pod=web-1`; "" where there is one lane. */
  readonly title: string;
  readonly tree: Tree;
}

/** Total of one side of an answer, and the time and samples it covers. */
export interface AnswerSide {
  readonly total: bigint;
  readonly coverage: Coverage;
}

/** A tree, and the facts that the server adds. */
export interface AnsweredTree extends Tree {
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

/** A question, and what it asks for. */
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
  /** A way to what answers questions about files. */
  | { readonly kind: 'connect'; readonly port: MessagePort };

export type FromTreeWorker =
  | { readonly kind: 'answer'; readonly id: number; readonly value: Answered[keyof Answered] }
  | {
      readonly kind: 'failed';
      readonly id: number;
      /** gRPC code when the server refused, undefined when the answer could not be read. */
      readonly code: number | undefined;
      readonly message: string;
    };
