// What the page and the tree worker say to each other.
import type { Coverage } from '../format/measure.ts';
import type { Span } from '../rpc/api.ts';
import type { SiblingOrder, Tree } from './tree.ts';

/** Which flame graph to fetch and how to lay it out. */
export interface TreeQuestion {
  /** Base address of the server, ending in "/". */
  readonly base: string;
  readonly query: string;
  readonly span: Span;
  readonly order: SiblingOrder;
  /** Frames below this percentage of the root are left out by the server. */
  readonly rootTrimPercent: number;
  /** Names of the frames to one that is shown in detail, from below the root; empty: all. */
  readonly zoomPath: readonly string[];
}

/** What the values of one side of an answer add up to, and what they rest on. */
export interface AnswerSide {
  readonly total: bigint;
  readonly coverage: Coverage;
}

/** A tree, and what the server says about its values. */
export interface AnsweredTree extends Tree {
  readonly coverage: Coverage;
  /** The base of a diff, unscaled. */
  readonly baseSide: AnswerSide | undefined;
  /** Number of profiles merged. */
  readonly profileCount: number;
  /** What the server could not read. */
  readonly warnings: readonly string[];
  /** How many frames of the zoom path there are. */
  readonly zoomedFrames: number;
}

export type ToTreeWorker =
  | {
      readonly kind: 'load';
      readonly id: number;
      readonly question: TreeQuestion;
      /** By which the server lists the question. */
      readonly tag: string | undefined;
    }
  | { readonly kind: 'cancel'; readonly id: number };

export type FromTreeWorker =
  | { readonly kind: 'tree'; readonly id: number; readonly tree: AnsweredTree }
  | {
      readonly kind: 'failed';
      readonly id: number;
      /** gRPC code when the server refused, undefined when the answer could not be read. */
      readonly code: number | undefined;
      readonly message: string;
    };
