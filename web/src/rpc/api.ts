// The page's gRPC-Web calls, one function per call.
import type { Asking } from './asking.ts';
import { RpcError, call, grpcNotFound } from './grpc-web.ts';
import * as messages from './messages.gen.ts';
import { toTimestamp } from './timestamp.ts';

const queryService = 'parca.query.v1alpha1.QueryService';

const profileTypesMethod = {
  path: `${queryService}/ProfileTypes`,
  request: messages.profileTypesRequest,
  response: messages.profileTypesResponse,
};
const labelsMethod = {
  path: `${queryService}/Labels`,
  request: messages.labelsRequest,
  response: messages.labelsResponse,
};
const valuesMethod = {
  path: `${queryService}/Values`,
  request: messages.valuesRequest,
  response: messages.valuesResponse,
};
const queryRangeMethod = {
  path: `${queryService}/QueryRange`,
  request: messages.queryRangeRequest,
  response: messages.queryRangeResponse,
};
export const queryMethod = {
  path: `${queryService}/Query`,
  request: messages.queryRequest,
  response: messages.queryResponse,
};
const shareProfileMethod = {
  path: `${queryService}/ShareProfile`,
  request: messages.shareProfileRequest,
  response: messages.shareProfileResponse,
};
export const targetsMethod = {
  path: 'parca.scrape.v1alpha1.ScrapeService/Targets',
  request: messages.targetsRequest,
  response: messages.targetsResponse,
};

const searchModes = {
  text: messages.textSearch,
  regex: messages.regexSearch,
  case: messages.caseSearch,
} as const;
const targetStates = {
  active: messages.activeTargets,
  dropped: messages.droppedTargets,
} as const;

/** Milliseconds since the epoch, both ends included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Sends requests to the server; `base` ends in "/". */
export interface Api {
  profileTypes(signal: AbortSignal): Promise<readonly messages.ProfileTypeMessage[]>;
  labelNames(profileType: string, signal: AbortSignal): Promise<readonly string[]>;
  labelValues(name: string, profileType: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Requests values over time; Parca returns "not found" if there are no profiles. */
  queryRange(question: RangeQuestion, asking: Asking): Promise<RangeAnswer>;
  search(question: SearchQuestion, signal: AbortSignal): Promise<SearchAnswer>;
  /** Stores a copy of the selected profiles; returns a link to it. */
  share(query: string, span: Span, signal: AbortSignal): Promise<string>;
  targets(
    state: keyof typeof targetStates,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly messages.TargetMessage[]>>;
}

export interface RangeQuestion {
  readonly query: string;
  readonly span: Span;
  readonly stepMillis: number;
  readonly sumBy: readonly string[];
  /** True to return a series per value of the first label in `sumBy` that exists. */
  readonly isByFirstLabel?: boolean;
}

export interface RangeAnswer {
  readonly series: readonly messages.MetricsSeries[];
  /** Warnings about data that the server could not read. */
  readonly warnings: readonly string[];
  /** Full names of the query's types; values belong to the first. */
  readonly profileTypes: readonly string[];
}

export interface SearchQuestion {
  readonly query: string;
  readonly span: Span;
  readonly text: string;
  readonly mode: keyof typeof searchModes;
}

/** Matches of a search in all stacks, including trimmed stacks. */
export interface SearchAnswer {
  /** Share of the stacks with a match, 0 .. 1. */
  readonly share: number;
  /** Number of different names that match. */
  readonly functions: number;
}

const emptyRange: RangeAnswer = { series: [], warnings: [], profileTypes: [] };

/** Returns the API of a server. */
export function createApi(base: string): Api {
  return {
    async profileTypes(signal) {
      const request = { start: undefined, end: undefined };
      return (await call(base, profileTypesMethod, request, { signal })).types;
    },
    async labelNames(profileType, signal) {
      const request = { match: [], start: undefined, end: undefined, profileType };
      return (await call(base, labelsMethod, request, { signal })).labelNames;
    },
    async labelValues(labelName, profileType, signal) {
      const request = { labelName, match: [], start: undefined, end: undefined, profileType };
      return (await call(base, valuesMethod, request, { signal })).labelValues;
    },
    async queryRange({ query, span, stepMillis, sumBy, isByFirstLabel = false }, asking) {
      const request = {
        query,
        start: toTimestamp(millisToNanos(span.from)),
        end: toTimestamp(millisToNanos(span.to)),
        limit: 0,
        step: toTimestamp(millisToNanos(stepMillis)),
        sumBy: [...sumBy],
        averages: true,
        byFirstLabel: isByFirstLabel,
      };
      try {
        return await call(base, queryRangeMethod, request, asking);
      } catch (error) {
        if (error instanceof RpcError && error.code === grpcNotFound) return emptyRange;
        throw error;
      }
    },
    async search({ query, span, text, mode }, signal) {
      const search = { text, mode: searchModes[mode] };
      const request = { ...mergeRequest(query, span, messages.metadataReport, 0), search };
      const answer = await call(base, queryMethod, request, { signal });
      const { cumulative, names } = answer.search ?? { cumulative: 0n, names: 0 };
      const share = answer.total > 0n ? Number(cumulative) / Number(answer.total) : 0;
      return { share, functions: names };
    },
    async share(query, span, signal) {
      const queryRequest = mergeRequest(query, span, messages.metadataReport, 0);
      return (await call(base, shareProfileMethod, { queryRequest }, { signal })).link;
    },
    async targets(state, signal) {
      const request = { state: targetStates[state] };
      const answer = await call(base, targetsMethod, request, { signal });
      return new Map([...answer.targets].map(([job, { targets }]) => [job, targets]));
    },
  };
}

/**
 * Builds a QueryRequest that merges all profiles that `query` selects in `span`.
 *
 * Nodes below `rootTrimPercent` of the root are omitted; 0 = none.
 */
export function mergeRequest(
  query: string,
  span: Span,
  reportType: number,
  rootTrimPercent: number,
) {
  return {
    mode: messages.mergeMode,
    merge: {
      query,
      start: toTimestamp(millisToNanos(span.from)),
      end: toTimestamp(millisToNanos(span.to)),
    },
    reportType,
    rootTrimThreshold: rootTrimPercent,
    groupBy: undefined,
    search: undefined,
    zoomPath: [],
    topRecord: false,
  };
}

/** Returns whole milliseconds as nanoseconds. */
function millisToNanos(millis: number): bigint {
  return BigInt(Math.round(millis)) * 1_000_000n;
}
