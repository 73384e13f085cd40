// Generated from querier/v1/querier.proto, settings/v1/settings.proto, adhocprofiles/v1/adhocprofiles.proto, vcs/v1/vcs.proto, capabilities/v1/capabilities.proto, version/v1/version.proto by tools/generate/proto.mjs. Do not edit.
import * as $protobuf from "protobufjs/minimal.js";
import Long = require("long");
export namespace querier {
 namespace v1 {
  class ProfileTypesRequest {
   constructor(properties?: querier.v1.ProfileTypesRequest.$Properties);
   $unknowns?: Uint8Array[];
   start: Long;
   end: Long;
   static encode(message: querier.v1.ProfileTypesRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): querier.v1.ProfileTypesRequest & querier.v1.ProfileTypesRequest.$Shape;
  }
  namespace ProfileTypesRequest {
   interface $Properties {
    start?: Long;
    end?: Long;
    $unknowns?: Uint8Array[];
   }
   type $Shape = querier.v1.ProfileTypesRequest.$Properties;
  }
  class ProfileTypesResponse {
   constructor(properties?: querier.v1.ProfileTypesResponse.$Properties);
   $unknowns?: Uint8Array[];
   profileTypes: types.v1.ProfileType[];
   static encode(message: querier.v1.ProfileTypesResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): querier.v1.ProfileTypesResponse & querier.v1.ProfileTypesResponse.$Shape;
  }
  namespace ProfileTypesResponse {
   interface $Properties {
    profileTypes?: types.v1.ProfileType.$Properties[];
    $unknowns?: Uint8Array[];
   }
   type $Shape = querier.v1.ProfileTypesResponse.$Properties;
  }
  class SeriesRequest {
   constructor(properties?: querier.v1.SeriesRequest.$Properties);
   $unknowns?: Uint8Array[];
   matchers: string[];
   labelNames: string[];
   start: Long;
   end: Long;
   static encode(message: querier.v1.SeriesRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): querier.v1.SeriesRequest & querier.v1.SeriesRequest.$Shape;
  }
  namespace SeriesRequest {
   interface $Properties {
    matchers?: string[];
    labelNames?: string[];
    start?: Long;
    end?: Long;
    $unknowns?: Uint8Array[];
   }
   type $Shape = querier.v1.SeriesRequest.$Properties;
  }
  class SeriesResponse {
   constructor(properties?: querier.v1.SeriesResponse.$Properties);
   $unknowns?: Uint8Array[];
   labelsSet: types.v1.Labels[];
   static encode(message: querier.v1.SeriesResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): querier.v1.SeriesResponse & querier.v1.SeriesResponse.$Shape;
  }
  namespace SeriesResponse {
   interface $Properties {
    labelsSet?: types.v1.Labels.$Properties[];
    $unknowns?: Uint8Array[];
   }
   type $Shape = querier.v1.SeriesResponse.$Properties;
  }
  enum ProfileFormat {
   PROFILE_FORMAT_UNSPECIFIED = 0,
   PROFILE_FORMAT_FLAMEGRAPH = 1,
   PROFILE_FORMAT_TREE = 2,
   PROFILE_FORMAT_DOT = 3,
   PROFILE_FORMAT_PPROF = 4
  }
  class SelectMergeStacktracesRequest {
   constructor(properties?: querier.v1.SelectMergeStacktracesRequest.$Properties);
   $unknowns?: Uint8Array[];
   profileTypeID: string;
   labelSelector: string;
   start: Long;
   end: Long;
   maxNodes: (Long|null);
   format: querier.v1.ProfileFormat;
   stackTraceSelector: (types.v1.StackTraceSelector|null);
   profileIdSelector: string[];
   async: querier.v1.AsyncQueryRequest;
   traceIdSelector: string[];
   spanSelector: string[];
   static encode(message: querier.v1.SelectMergeStacktracesRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): querier.v1.SelectMergeStacktracesRequest & querier.v1.SelectMergeStacktracesRequest.$Shape;
  }
  namespace SelectMergeStacktracesRequest {
   interface $Properties {
    profileTypeID?: string;
    labelSelector?: string;
    start?: Long;
    end?: Long;
    maxNodes?: (Long|null);
    format?: querier.v1.ProfileFormat;
    stackTraceSelector?: (types.v1.StackTraceSelector.$Properties|null);
    profileIdSelector?: string[];
    async?: querier.v1.AsyncQueryRequest.$Properties;
    traceIdSelector?: string[];
    spanSelector?: string[];
    $unknowns?: Uint8Array[];
   }
   type $Shape = querier.v1.SelectMergeStacktracesRequest.$Properties;
  }
  class AsyncQueryRequest {
   constructor(properties?: querier.v1.AsyncQueryRequest.$Properties);
   $unknowns?: Uint8Array[];
   requestId: string;
   type: number;
   static encode(message: querier.v1.AsyncQueryRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): querier.v1.AsyncQueryRequest & querier.v1.AsyncQueryRequest.$Shape;
  }
  namespace AsyncQueryRequest {
   interface $Properties {
    requestId?: string;
    type?: number;
    $unknowns?: Uint8Array[];
   }
   type $Shape = querier.v1.AsyncQueryRequest.$Properties;
  }
  class SelectMergeStacktracesResponse {
   constructor(properties?: querier.v1.SelectMergeStacktracesResponse.$Properties);
   $unknowns?: Uint8Array[];
   flamegraph: querier.v1.FlameGraph;
   tree: Uint8Array;
   dot: string;
   pprof: querier.v1.PprofProfile;
   static encode(message: querier.v1.SelectMergeStacktracesResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): querier.v1.SelectMergeStacktracesResponse & querier.v1.SelectMergeStacktracesResponse.$Shape;
  }
  namespace SelectMergeStacktracesResponse {
   interface $Properties {
    flamegraph?: querier.v1.FlameGraph.$Properties;
    tree?: Uint8Array;
    dot?: string;
    pprof?: querier.v1.PprofProfile.$Properties;
    $unknowns?: Uint8Array[];
   }
   type $Shape = querier.v1.SelectMergeStacktracesResponse.$Properties;
  }
  class PprofProfile {
   constructor(properties?: querier.v1.PprofProfile.$Properties);
   $unknowns?: Uint8Array[];
   profile: google.v1.Profile;
   static encode(message: querier.v1.PprofProfile.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): querier.v1.PprofProfile & querier.v1.PprofProfile.$Shape;
  }
  namespace PprofProfile {
   interface $Properties {
    profile?: google.v1.Profile.$Properties;
    $unknowns?: Uint8Array[];
   }
   type $Shape = querier.v1.PprofProfile.$Properties;
  }
  class SelectMergeSpanProfileRequest {
   constructor(properties?: querier.v1.SelectMergeSpanProfileRequest.$Properties);
   $unknowns?: Uint8Array[];
   profileTypeID: string;
   labelSelector: string;
   spanSelector: string[];
   start: Long;
   end: Long;
   maxNodes: (Long|null);
   format: querier.v1.ProfileFormat;
   static encode(message: querier.v1.SelectMergeSpanProfileRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): querier.v1.SelectMergeSpanProfileRequest & querier.v1.SelectMergeSpanProfileRequest.$Shape;
  }
  namespace SelectMergeSpanProfileRequest {
   interface $Properties {
    profileTypeID?: string;
    labelSelector?: string;
    spanSelector?: string[];
    start?: Long;
    end?: Long;
    maxNodes?: (Long|null);
    format?: querier.v1.ProfileFormat;
    $unknowns?: Uint8Array[];
   }
   type $Shape = querier.v1.SelectMergeSpanProfileRequest.$Properties;
  }
  class SelectMergeSpanProfileResponse {
   constructor(properties?: querier.v1.SelectMergeSpanProfileResponse.$Properties);
   $unknowns?: Uint8Array[];
   flamegraph: querier.v1.FlameGraph;
   tree: Uint8Array;
   static encode(message: querier.v1.SelectMergeSpanProfileResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): querier.v1.SelectMergeSpanProfileResponse & querier.v1.SelectMergeSpanProfileResponse.$Shape;
  }
  namespace SelectMergeSpanProfileResponse {
   interface $Properties {
    flamegraph?: querier.v1.FlameGraph.$Properties;
    tree?: Uint8Array;
    $unknowns?: Uint8Array[];
   }
   type $Shape = querier.v1.SelectMergeSpanProfileResponse.$Properties;
  }
  class DiffRequest {
   constructor(properties?: querier.v1.DiffRequest.$Properties);
   $unknowns?: Uint8Array[];
   left: (querier.v1.SelectMergeStacktracesRequest|null);
   right: (querier.v1.SelectMergeStacktracesRequest|null);
   static encode(message: querier.v1.DiffRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): querier.v1.DiffRequest & querier.v1.DiffRequest.$Shape;
  }
  namespace DiffRequest {
   interface $Properties {
    left?: (querier.v1.SelectMergeStacktracesRequest.$Properties|null);
    right?: (querier.v1.SelectMergeStacktracesRequest.$Properties|null);
    $unknowns?: Uint8Array[];
   }
   type $Shape = querier.v1.DiffRequest.$Properties;
  }
  class DiffResponse {
   constructor(properties?: querier.v1.DiffResponse.$Properties);
   $unknowns?: Uint8Array[];
   flamegraph: querier.v1.FlameGraphDiff;
   static encode(message: querier.v1.DiffResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): querier.v1.DiffResponse & querier.v1.DiffResponse.$Shape;
  }
  namespace DiffResponse {
   interface $Properties {
    flamegraph?: querier.v1.FlameGraphDiff.$Properties;
    $unknowns?: Uint8Array[];
   }
   type $Shape = querier.v1.DiffResponse.$Properties;
  }
  class FlameGraph {
   constructor(properties?: querier.v1.FlameGraph.$Properties);
   $unknowns?: Uint8Array[];
   names: string[];
   levels: querier.v1.Level[];
   total: Long;
   maxSelf: Long;
   static encode(message: querier.v1.FlameGraph.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): querier.v1.FlameGraph & querier.v1.FlameGraph.$Shape;
  }
  namespace FlameGraph {
   interface $Properties {
    names?: string[];
    levels?: querier.v1.Level.$Properties[];
    total?: Long;
    maxSelf?: Long;
    $unknowns?: Uint8Array[];
   }
   type $Shape = querier.v1.FlameGraph.$Properties;
  }
  class FlameGraphDiff {
   constructor(properties?: querier.v1.FlameGraphDiff.$Properties);
   $unknowns?: Uint8Array[];
   names: string[];
   levels: querier.v1.Level[];
   total: Long;
   maxSelf: Long;
   leftTicks: Long;
   rightTicks: Long;
   static encode(message: querier.v1.FlameGraphDiff.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): querier.v1.FlameGraphDiff & querier.v1.FlameGraphDiff.$Shape;
  }
  namespace FlameGraphDiff {
   interface $Properties {
    names?: string[];
    levels?: querier.v1.Level.$Properties[];
    total?: Long;
    maxSelf?: Long;
    leftTicks?: Long;
    rightTicks?: Long;
    $unknowns?: Uint8Array[];
   }
   type $Shape = querier.v1.FlameGraphDiff.$Properties;
  }
  class Level {
   constructor(properties?: querier.v1.Level.$Properties);
   $unknowns?: Uint8Array[];
   values: Long[];
   static encode(message: querier.v1.Level.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): querier.v1.Level & querier.v1.Level.$Shape;
  }
  namespace Level {
   interface $Properties {
    values?: Long[];
    $unknowns?: Uint8Array[];
   }
   type $Shape = querier.v1.Level.$Properties;
  }
  class SelectMergeProfileRequest {
   constructor(properties?: querier.v1.SelectMergeProfileRequest.$Properties);
   $unknowns?: Uint8Array[];
   profileTypeID: string;
   labelSelector: string;
   start: Long;
   end: Long;
   maxNodes: (Long|null);
   stackTraceSelector: (types.v1.StackTraceSelector|null);
   profileIdSelector: string[];
   traceIdSelector: string[];
   static encode(message: querier.v1.SelectMergeProfileRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): querier.v1.SelectMergeProfileRequest & querier.v1.SelectMergeProfileRequest.$Shape;
  }
  namespace SelectMergeProfileRequest {
   interface $Properties {
    profileTypeID?: string;
    labelSelector?: string;
    start?: Long;
    end?: Long;
    maxNodes?: (Long|null);
    stackTraceSelector?: (types.v1.StackTraceSelector.$Properties|null);
    profileIdSelector?: string[];
    traceIdSelector?: string[];
    $unknowns?: Uint8Array[];
   }
   type $Shape = querier.v1.SelectMergeProfileRequest.$Properties;
  }
  class SelectSeriesRequest {
   constructor(properties?: querier.v1.SelectSeriesRequest.$Properties);
   $unknowns?: Uint8Array[];
   profileTypeID: string;
   labelSelector: string;
   start: Long;
   end: Long;
   groupBy: string[];
   step: number;
   aggregation: (types.v1.TimeSeriesAggregationType|null);
   stackTraceSelector: (types.v1.StackTraceSelector|null);
   limit: (Long|null);
   exemplarType: types.v1.ExemplarType;
   static encode(message: querier.v1.SelectSeriesRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): querier.v1.SelectSeriesRequest & querier.v1.SelectSeriesRequest.$Shape;
  }
  namespace SelectSeriesRequest {
   interface $Properties {
    profileTypeID?: string;
    labelSelector?: string;
    start?: Long;
    end?: Long;
    groupBy?: string[];
    step?: number;
    aggregation?: (types.v1.TimeSeriesAggregationType|null);
    stackTraceSelector?: (types.v1.StackTraceSelector.$Properties|null);
    limit?: (Long|null);
    exemplarType?: types.v1.ExemplarType;
    $unknowns?: Uint8Array[];
   }
   type $Shape = querier.v1.SelectSeriesRequest.$Properties;
  }
  class SelectSeriesResponse {
   constructor(properties?: querier.v1.SelectSeriesResponse.$Properties);
   $unknowns?: Uint8Array[];
   series: types.v1.Series[];
   static encode(message: querier.v1.SelectSeriesResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): querier.v1.SelectSeriesResponse & querier.v1.SelectSeriesResponse.$Shape;
  }
  namespace SelectSeriesResponse {
   interface $Properties {
    series?: types.v1.Series.$Properties[];
    $unknowns?: Uint8Array[];
   }
   type $Shape = querier.v1.SelectSeriesResponse.$Properties;
  }
  enum HeatmapQueryType {
   HEATMAP_QUERY_TYPE_UNSPECIFIED = 0,
   HEATMAP_QUERY_TYPE_INDIVIDUAL = 1,
   HEATMAP_QUERY_TYPE_SPAN = 2
  }
  class SelectHeatmapRequest {
   constructor(properties?: querier.v1.SelectHeatmapRequest.$Properties);
   $unknowns?: Uint8Array[];
   profileTypeID: string;
   labelSelector: string;
   start: Long;
   end: Long;
   step: number;
   groupBy: string[];
   queryType: querier.v1.HeatmapQueryType;
   exemplarType: types.v1.ExemplarType;
   limit: (Long|null);
   static encode(message: querier.v1.SelectHeatmapRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): querier.v1.SelectHeatmapRequest & querier.v1.SelectHeatmapRequest.$Shape;
  }
  namespace SelectHeatmapRequest {
   interface $Properties {
    profileTypeID?: string;
    labelSelector?: string;
    start?: Long;
    end?: Long;
    step?: number;
    groupBy?: string[];
    queryType?: querier.v1.HeatmapQueryType;
    exemplarType?: types.v1.ExemplarType;
    limit?: (Long|null);
    $unknowns?: Uint8Array[];
   }
   type $Shape = querier.v1.SelectHeatmapRequest.$Properties;
  }
  class SelectHeatmapResponse {
   constructor(properties?: querier.v1.SelectHeatmapResponse.$Properties);
   $unknowns?: Uint8Array[];
   series: types.v1.HeatmapSeries[];
   static encode(message: querier.v1.SelectHeatmapResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): querier.v1.SelectHeatmapResponse & querier.v1.SelectHeatmapResponse.$Shape;
  }
  namespace SelectHeatmapResponse {
   interface $Properties {
    series?: types.v1.HeatmapSeries.$Properties[];
    $unknowns?: Uint8Array[];
   }
   type $Shape = querier.v1.SelectHeatmapResponse.$Properties;
  }
  class AnalyzeQueryRequest {
   constructor(properties?: querier.v1.AnalyzeQueryRequest.$Properties);
   $unknowns?: Uint8Array[];
   start: Long;
   end: Long;
   query: string;
   static encode(message: querier.v1.AnalyzeQueryRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): querier.v1.AnalyzeQueryRequest & querier.v1.AnalyzeQueryRequest.$Shape;
  }
  namespace AnalyzeQueryRequest {
   interface $Properties {
    start?: Long;
    end?: Long;
    query?: string;
    $unknowns?: Uint8Array[];
   }
   type $Shape = querier.v1.AnalyzeQueryRequest.$Properties;
  }
  class AnalyzeQueryResponse {
   constructor(properties?: querier.v1.AnalyzeQueryResponse.$Properties);
   $unknowns?: Uint8Array[];
   queryScopes: querier.v1.QueryScope[];
   queryImpact: querier.v1.QueryImpact;
   static encode(message: querier.v1.AnalyzeQueryResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): querier.v1.AnalyzeQueryResponse & querier.v1.AnalyzeQueryResponse.$Shape;
  }
  namespace AnalyzeQueryResponse {
   interface $Properties {
    queryScopes?: querier.v1.QueryScope.$Properties[];
    queryImpact?: querier.v1.QueryImpact.$Properties;
    $unknowns?: Uint8Array[];
   }
   type $Shape = querier.v1.AnalyzeQueryResponse.$Properties;
  }
  class QueryScope {
   constructor(properties?: querier.v1.QueryScope.$Properties);
   $unknowns?: Uint8Array[];
   componentType: string;
   componentCount: Long;
   blockCount: Long;
   seriesCount: Long;
   profileCount: Long;
   sampleCount: Long;
   indexBytes: Long;
   profileBytes: Long;
   symbolBytes: Long;
   static encode(message: querier.v1.QueryScope.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): querier.v1.QueryScope & querier.v1.QueryScope.$Shape;
  }
  namespace QueryScope {
   interface $Properties {
    componentType?: string;
    componentCount?: Long;
    blockCount?: Long;
    seriesCount?: Long;
    profileCount?: Long;
    sampleCount?: Long;
    indexBytes?: Long;
    profileBytes?: Long;
    symbolBytes?: Long;
    $unknowns?: Uint8Array[];
   }
   type $Shape = querier.v1.QueryScope.$Properties;
  }
  class QueryImpact {
   constructor(properties?: querier.v1.QueryImpact.$Properties);
   $unknowns?: Uint8Array[];
   totalBytesInTimeRange: Long;
   totalQueriedSeries: Long;
   deduplicationNeeded: boolean;
   static encode(message: querier.v1.QueryImpact.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): querier.v1.QueryImpact & querier.v1.QueryImpact.$Shape;
  }
  namespace QueryImpact {
   interface $Properties {
    totalBytesInTimeRange?: Long;
    totalQueriedSeries?: Long;
    deduplicationNeeded?: boolean;
    $unknowns?: Uint8Array[];
   }
   type $Shape = querier.v1.QueryImpact.$Properties;
  }
 }
}
export namespace google {
 namespace v1 {
  class Profile {
   constructor(properties?: google.v1.Profile.$Properties);
   $unknowns?: Uint8Array[];
   sampleType: google.v1.ValueType[];
   sample: google.v1.Sample[];
   mapping: google.v1.Mapping[];
   location: google.v1.Location[];
   function: google.v1.Function[];
   stringTable: string[];
   dropFrames: Long;
   keepFrames: Long;
   timeNanos: Long;
   durationNanos: Long;
   periodType: google.v1.ValueType;
   period: Long;
   comment: Long[];
   defaultSampleType: Long;
   static encode(message: google.v1.Profile.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): google.v1.Profile & google.v1.Profile.$Shape;
  }
  namespace Profile {
   interface $Properties {
    sampleType?: google.v1.ValueType.$Properties[];
    sample?: google.v1.Sample.$Properties[];
    mapping?: google.v1.Mapping.$Properties[];
    location?: google.v1.Location.$Properties[];
    "function"?: google.v1.Function.$Properties[];
    stringTable?: string[];
    dropFrames?: Long;
    keepFrames?: Long;
    timeNanos?: Long;
    durationNanos?: Long;
    periodType?: google.v1.ValueType.$Properties;
    period?: Long;
    comment?: Long[];
    defaultSampleType?: Long;
    $unknowns?: Uint8Array[];
   }
   type $Shape = google.v1.Profile.$Properties;
  }
  class ValueType {
   constructor(properties?: google.v1.ValueType.$Properties);
   $unknowns?: Uint8Array[];
   type: Long;
   unit: Long;
   static encode(message: google.v1.ValueType.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): google.v1.ValueType & google.v1.ValueType.$Shape;
  }
  namespace ValueType {
   interface $Properties {
    type?: Long;
    unit?: Long;
    $unknowns?: Uint8Array[];
   }
   type $Shape = google.v1.ValueType.$Properties;
  }
  class Sample {
   constructor(properties?: google.v1.Sample.$Properties);
   $unknowns?: Uint8Array[];
   locationId: Long[];
   value: Long[];
   label: google.v1.Label[];
   static encode(message: google.v1.Sample.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): google.v1.Sample & google.v1.Sample.$Shape;
  }
  namespace Sample {
   interface $Properties {
    locationId?: Long[];
    value?: Long[];
    label?: google.v1.Label.$Properties[];
    $unknowns?: Uint8Array[];
   }
   type $Shape = google.v1.Sample.$Properties;
  }
  class Label {
   constructor(properties?: google.v1.Label.$Properties);
   $unknowns?: Uint8Array[];
   key: Long;
   str: Long;
   num: Long;
   numUnit: Long;
   static encode(message: google.v1.Label.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): google.v1.Label & google.v1.Label.$Shape;
  }
  namespace Label {
   interface $Properties {
    key?: Long;
    str?: Long;
    num?: Long;
    numUnit?: Long;
    $unknowns?: Uint8Array[];
   }
   type $Shape = google.v1.Label.$Properties;
  }
  class Mapping {
   constructor(properties?: google.v1.Mapping.$Properties);
   $unknowns?: Uint8Array[];
   id: Long;
   memoryStart: Long;
   memoryLimit: Long;
   fileOffset: Long;
   filename: Long;
   buildId: Long;
   hasFunctions: boolean;
   hasFilenames: boolean;
   hasLineNumbers: boolean;
   hasInlineFrames: boolean;
   static encode(message: google.v1.Mapping.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): google.v1.Mapping & google.v1.Mapping.$Shape;
  }
  namespace Mapping {
   interface $Properties {
    id?: Long;
    memoryStart?: Long;
    memoryLimit?: Long;
    fileOffset?: Long;
    filename?: Long;
    buildId?: Long;
    hasFunctions?: boolean;
    hasFilenames?: boolean;
    hasLineNumbers?: boolean;
    hasInlineFrames?: boolean;
    $unknowns?: Uint8Array[];
   }
   type $Shape = google.v1.Mapping.$Properties;
  }
  class Location {
   constructor(properties?: google.v1.Location.$Properties);
   $unknowns?: Uint8Array[];
   id: Long;
   mappingId: Long;
   address: Long;
   line: google.v1.Line[];
   isFolded: boolean;
   static encode(message: google.v1.Location.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): google.v1.Location & google.v1.Location.$Shape;
  }
  namespace Location {
   interface $Properties {
    id?: Long;
    mappingId?: Long;
    address?: Long;
    line?: google.v1.Line.$Properties[];
    isFolded?: boolean;
    $unknowns?: Uint8Array[];
   }
   type $Shape = google.v1.Location.$Properties;
  }
  class Line {
   constructor(properties?: google.v1.Line.$Properties);
   $unknowns?: Uint8Array[];
   functionId: Long;
   line: Long;
   static encode(message: google.v1.Line.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): google.v1.Line & google.v1.Line.$Shape;
  }
  namespace Line {
   interface $Properties {
    functionId?: Long;
    line?: Long;
    $unknowns?: Uint8Array[];
   }
   type $Shape = google.v1.Line.$Properties;
  }
  class Function {
   constructor(properties?: google.v1.Function.$Properties);
   $unknowns?: Uint8Array[];
   id: Long;
   name: Long;
   systemName: Long;
   filename: Long;
   startLine: Long;
   static encode(message: google.v1.Function.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): google.v1.Function & google.v1.Function.$Shape;
  }
  namespace Function {
   interface $Properties {
    id?: Long;
    name?: Long;
    systemName?: Long;
    filename?: Long;
    startLine?: Long;
    $unknowns?: Uint8Array[];
   }
   type $Shape = google.v1.Function.$Properties;
  }
 }
}
export namespace types {
 namespace v1 {
  class LabelPair {
   constructor(properties?: types.v1.LabelPair.$Properties);
   $unknowns?: Uint8Array[];
   name: string;
   value: string;
   static encode(message: types.v1.LabelPair.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): types.v1.LabelPair & types.v1.LabelPair.$Shape;
  }
  namespace LabelPair {
   interface $Properties {
    name?: string;
    value?: string;
    $unknowns?: Uint8Array[];
   }
   type $Shape = types.v1.LabelPair.$Properties;
  }
  class ProfileType {
   constructor(properties?: types.v1.ProfileType.$Properties);
   $unknowns?: Uint8Array[];
   ID: string;
   name: string;
   sampleType: string;
   sampleUnit: string;
   periodType: string;
   periodUnit: string;
   static encode(message: types.v1.ProfileType.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): types.v1.ProfileType & types.v1.ProfileType.$Shape;
  }
  namespace ProfileType {
   interface $Properties {
    ID?: string;
    name?: string;
    sampleType?: string;
    sampleUnit?: string;
    periodType?: string;
    periodUnit?: string;
    $unknowns?: Uint8Array[];
   }
   type $Shape = types.v1.ProfileType.$Properties;
  }
  class Labels {
   constructor(properties?: types.v1.Labels.$Properties);
   $unknowns?: Uint8Array[];
   labels: types.v1.LabelPair[];
   static encode(message: types.v1.Labels.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): types.v1.Labels & types.v1.Labels.$Shape;
  }
  namespace Labels {
   interface $Properties {
    labels?: types.v1.LabelPair.$Properties[];
    $unknowns?: Uint8Array[];
   }
   type $Shape = types.v1.Labels.$Properties;
  }
  class Series {
   constructor(properties?: types.v1.Series.$Properties);
   $unknowns?: Uint8Array[];
   labels: types.v1.LabelPair[];
   points: types.v1.Point[];
   static encode(message: types.v1.Series.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): types.v1.Series & types.v1.Series.$Shape;
  }
  namespace Series {
   interface $Properties {
    labels?: types.v1.LabelPair.$Properties[];
    points?: types.v1.Point.$Properties[];
    $unknowns?: Uint8Array[];
   }
   type $Shape = types.v1.Series.$Properties;
  }
  class Point {
   constructor(properties?: types.v1.Point.$Properties);
   $unknowns?: Uint8Array[];
   value: number;
   timestamp: Long;
   annotations: types.v1.ProfileAnnotation[];
   exemplars: types.v1.Exemplar[];
   static encode(message: types.v1.Point.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): types.v1.Point & types.v1.Point.$Shape;
  }
  namespace Point {
   interface $Properties {
    value?: number;
    timestamp?: Long;
    annotations?: types.v1.ProfileAnnotation.$Properties[];
    exemplars?: types.v1.Exemplar.$Properties[];
    $unknowns?: Uint8Array[];
   }
   type $Shape = types.v1.Point.$Properties;
  }
  class ProfileAnnotation {
   constructor(properties?: types.v1.ProfileAnnotation.$Properties);
   $unknowns?: Uint8Array[];
   key: string;
   value: string;
   static encode(message: types.v1.ProfileAnnotation.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): types.v1.ProfileAnnotation & types.v1.ProfileAnnotation.$Shape;
  }
  namespace ProfileAnnotation {
   interface $Properties {
    key?: string;
    value?: string;
    $unknowns?: Uint8Array[];
   }
   type $Shape = types.v1.ProfileAnnotation.$Properties;
  }
  class LabelNamesRequest {
   constructor(properties?: types.v1.LabelNamesRequest.$Properties);
   $unknowns?: Uint8Array[];
   matchers: string[];
   start: Long;
   end: Long;
   static encode(message: types.v1.LabelNamesRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): types.v1.LabelNamesRequest & types.v1.LabelNamesRequest.$Shape;
  }
  namespace LabelNamesRequest {
   interface $Properties {
    matchers?: string[];
    start?: Long;
    end?: Long;
    $unknowns?: Uint8Array[];
   }
   type $Shape = types.v1.LabelNamesRequest.$Properties;
  }
  class LabelNamesResponse {
   constructor(properties?: types.v1.LabelNamesResponse.$Properties);
   $unknowns?: Uint8Array[];
   names: string[];
   static encode(message: types.v1.LabelNamesResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): types.v1.LabelNamesResponse & types.v1.LabelNamesResponse.$Shape;
  }
  namespace LabelNamesResponse {
   interface $Properties {
    names?: string[];
    $unknowns?: Uint8Array[];
   }
   type $Shape = types.v1.LabelNamesResponse.$Properties;
  }
  class LabelValuesRequest {
   constructor(properties?: types.v1.LabelValuesRequest.$Properties);
   $unknowns?: Uint8Array[];
   name: string;
   matchers: string[];
   start: Long;
   end: Long;
   static encode(message: types.v1.LabelValuesRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): types.v1.LabelValuesRequest & types.v1.LabelValuesRequest.$Shape;
  }
  namespace LabelValuesRequest {
   interface $Properties {
    name?: string;
    matchers?: string[];
    start?: Long;
    end?: Long;
    $unknowns?: Uint8Array[];
   }
   type $Shape = types.v1.LabelValuesRequest.$Properties;
  }
  class LabelValuesResponse {
   constructor(properties?: types.v1.LabelValuesResponse.$Properties);
   $unknowns?: Uint8Array[];
   names: string[];
   static encode(message: types.v1.LabelValuesResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): types.v1.LabelValuesResponse & types.v1.LabelValuesResponse.$Shape;
  }
  namespace LabelValuesResponse {
   interface $Properties {
    names?: string[];
    $unknowns?: Uint8Array[];
   }
   type $Shape = types.v1.LabelValuesResponse.$Properties;
  }
  enum TimeSeriesAggregationType {
   TIME_SERIES_AGGREGATION_TYPE_SUM = 0,
   TIME_SERIES_AGGREGATION_TYPE_AVERAGE = 1
  }
  enum ExemplarType {
   EXEMPLAR_TYPE_UNSPECIFIED = 0,
   EXEMPLAR_TYPE_NONE = 1,
   EXEMPLAR_TYPE_INDIVIDUAL = 2,
   EXEMPLAR_TYPE_SPAN = 3
  }
  class StackTraceSelector {
   constructor(properties?: types.v1.StackTraceSelector.$Properties);
   $unknowns?: Uint8Array[];
   callSite: types.v1.Location[];
   goPgo: types.v1.GoPGO;
   static encode(message: types.v1.StackTraceSelector.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): types.v1.StackTraceSelector & types.v1.StackTraceSelector.$Shape;
  }
  namespace StackTraceSelector {
   interface $Properties {
    callSite?: types.v1.Location.$Properties[];
    goPgo?: types.v1.GoPGO.$Properties;
    $unknowns?: Uint8Array[];
   }
   type $Shape = types.v1.StackTraceSelector.$Properties;
  }
  class Location {
   constructor(properties?: types.v1.Location.$Properties);
   $unknowns?: Uint8Array[];
   name: string;
   static encode(message: types.v1.Location.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): types.v1.Location & types.v1.Location.$Shape;
  }
  namespace Location {
   interface $Properties {
    name?: string;
    $unknowns?: Uint8Array[];
   }
   type $Shape = types.v1.Location.$Properties;
  }
  class GoPGO {
   constructor(properties?: types.v1.GoPGO.$Properties);
   $unknowns?: Uint8Array[];
   keepLocations: number;
   aggregateCallees: boolean;
   static encode(message: types.v1.GoPGO.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): types.v1.GoPGO & types.v1.GoPGO.$Shape;
  }
  namespace GoPGO {
   interface $Properties {
    keepLocations?: number;
    aggregateCallees?: boolean;
    $unknowns?: Uint8Array[];
   }
   type $Shape = types.v1.GoPGO.$Properties;
  }
  class GetProfileStatsRequest {
   constructor(properties?: types.v1.GetProfileStatsRequest.$Properties);
   $unknowns?: Uint8Array[];
   static encode(message: types.v1.GetProfileStatsRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): types.v1.GetProfileStatsRequest & types.v1.GetProfileStatsRequest.$Shape;
  }
  namespace GetProfileStatsRequest {
   interface $Properties {
    $unknowns?: Uint8Array[];
   }
   type $Shape = types.v1.GetProfileStatsRequest.$Properties;
  }
  class GetProfileStatsResponse {
   constructor(properties?: types.v1.GetProfileStatsResponse.$Properties);
   $unknowns?: Uint8Array[];
   dataIngested: boolean;
   oldestProfileTime: Long;
   newestProfileTime: Long;
   static encode(message: types.v1.GetProfileStatsResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): types.v1.GetProfileStatsResponse & types.v1.GetProfileStatsResponse.$Shape;
  }
  namespace GetProfileStatsResponse {
   interface $Properties {
    dataIngested?: boolean;
    oldestProfileTime?: Long;
    newestProfileTime?: Long;
    $unknowns?: Uint8Array[];
   }
   type $Shape = types.v1.GetProfileStatsResponse.$Properties;
  }
  class Exemplar {
   constructor(properties?: types.v1.Exemplar.$Properties);
   $unknowns?: Uint8Array[];
   timestamp: Long;
   profileId: string;
   spanId: string;
   value: Long;
   labels: types.v1.LabelPair[];
   traceId: string;
   static encode(message: types.v1.Exemplar.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): types.v1.Exemplar & types.v1.Exemplar.$Shape;
  }
  namespace Exemplar {
   interface $Properties {
    timestamp?: Long;
    profileId?: string;
    spanId?: string;
    value?: Long;
    labels?: types.v1.LabelPair.$Properties[];
    traceId?: string;
    $unknowns?: Uint8Array[];
   }
   type $Shape = types.v1.Exemplar.$Properties;
  }
  class HeatmapSeries {
   constructor(properties?: types.v1.HeatmapSeries.$Properties);
   $unknowns?: Uint8Array[];
   labels: types.v1.LabelPair[];
   slots: types.v1.HeatmapSlot[];
   static encode(message: types.v1.HeatmapSeries.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): types.v1.HeatmapSeries & types.v1.HeatmapSeries.$Shape;
  }
  namespace HeatmapSeries {
   interface $Properties {
    labels?: types.v1.LabelPair.$Properties[];
    slots?: types.v1.HeatmapSlot.$Properties[];
    $unknowns?: Uint8Array[];
   }
   type $Shape = types.v1.HeatmapSeries.$Properties;
  }
  class HeatmapSlot {
   constructor(properties?: types.v1.HeatmapSlot.$Properties);
   $unknowns?: Uint8Array[];
   timestamp: Long;
   yMin: number[];
   counts: number[];
   exemplars: types.v1.Exemplar[];
   static encode(message: types.v1.HeatmapSlot.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): types.v1.HeatmapSlot & types.v1.HeatmapSlot.$Shape;
  }
  namespace HeatmapSlot {
   interface $Properties {
    timestamp?: Long;
    yMin?: number[];
    counts?: number[];
    exemplars?: types.v1.Exemplar.$Properties[];
    $unknowns?: Uint8Array[];
   }
   type $Shape = types.v1.HeatmapSlot.$Properties;
  }
 }
}
export namespace settings {
 namespace v1 {
  class GetSettingsRequest {
   constructor(properties?: settings.v1.GetSettingsRequest.$Properties);
   $unknowns?: Uint8Array[];
   static encode(message: settings.v1.GetSettingsRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): settings.v1.GetSettingsRequest & settings.v1.GetSettingsRequest.$Shape;
  }
  namespace GetSettingsRequest {
   interface $Properties {
    $unknowns?: Uint8Array[];
   }
   type $Shape = settings.v1.GetSettingsRequest.$Properties;
  }
  class GetSettingsResponse {
   constructor(properties?: settings.v1.GetSettingsResponse.$Properties);
   $unknowns?: Uint8Array[];
   settings: settings.v1.Setting[];
   static encode(message: settings.v1.GetSettingsResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): settings.v1.GetSettingsResponse & settings.v1.GetSettingsResponse.$Shape;
  }
  namespace GetSettingsResponse {
   interface $Properties {
    settings?: settings.v1.Setting.$Properties[];
    $unknowns?: Uint8Array[];
   }
   type $Shape = settings.v1.GetSettingsResponse.$Properties;
  }
  class SetSettingsRequest {
   constructor(properties?: settings.v1.SetSettingsRequest.$Properties);
   $unknowns?: Uint8Array[];
   setting: (settings.v1.Setting|null);
   static encode(message: settings.v1.SetSettingsRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): settings.v1.SetSettingsRequest & settings.v1.SetSettingsRequest.$Shape;
  }
  namespace SetSettingsRequest {
   interface $Properties {
    setting?: (settings.v1.Setting.$Properties|null);
    $unknowns?: Uint8Array[];
   }
   type $Shape = settings.v1.SetSettingsRequest.$Properties;
  }
  class SetSettingsResponse {
   constructor(properties?: settings.v1.SetSettingsResponse.$Properties);
   $unknowns?: Uint8Array[];
   setting: settings.v1.Setting;
   static encode(message: settings.v1.SetSettingsResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): settings.v1.SetSettingsResponse & settings.v1.SetSettingsResponse.$Shape;
  }
  namespace SetSettingsResponse {
   interface $Properties {
    setting?: settings.v1.Setting.$Properties;
    $unknowns?: Uint8Array[];
   }
   type $Shape = settings.v1.SetSettingsResponse.$Properties;
  }
  class DeleteSettingsRequest {
   constructor(properties?: settings.v1.DeleteSettingsRequest.$Properties);
   $unknowns?: Uint8Array[];
   name: string;
   static encode(message: settings.v1.DeleteSettingsRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): settings.v1.DeleteSettingsRequest & settings.v1.DeleteSettingsRequest.$Shape;
  }
  namespace DeleteSettingsRequest {
   interface $Properties {
    name?: string;
    $unknowns?: Uint8Array[];
   }
   type $Shape = settings.v1.DeleteSettingsRequest.$Properties;
  }
  class DeleteSettingsResponse {
   constructor(properties?: settings.v1.DeleteSettingsResponse.$Properties);
   $unknowns?: Uint8Array[];
   static encode(message: settings.v1.DeleteSettingsResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): settings.v1.DeleteSettingsResponse & settings.v1.DeleteSettingsResponse.$Shape;
  }
  namespace DeleteSettingsResponse {
   interface $Properties {
    $unknowns?: Uint8Array[];
   }
   type $Shape = settings.v1.DeleteSettingsResponse.$Properties;
  }
  class Setting {
   constructor(properties?: settings.v1.Setting.$Properties);
   $unknowns?: Uint8Array[];
   name: string;
   value: string;
   modifiedAt: Long;
   static encode(message: settings.v1.Setting.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): settings.v1.Setting & settings.v1.Setting.$Shape;
  }
  namespace Setting {
   interface $Properties {
    name?: string;
    value?: string;
    modifiedAt?: Long;
    $unknowns?: Uint8Array[];
   }
   type $Shape = settings.v1.Setting.$Properties;
  }
  class ListRecordingRulesRequest {
   constructor(properties?: settings.v1.ListRecordingRulesRequest.$Properties);
   $unknowns?: Uint8Array[];
   static encode(message: settings.v1.ListRecordingRulesRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): settings.v1.ListRecordingRulesRequest & settings.v1.ListRecordingRulesRequest.$Shape;
  }
  namespace ListRecordingRulesRequest {
   interface $Properties {
    $unknowns?: Uint8Array[];
   }
   type $Shape = settings.v1.ListRecordingRulesRequest.$Properties;
  }
  class ListRecordingRulesResponse {
   constructor(properties?: settings.v1.ListRecordingRulesResponse.$Properties);
   $unknowns?: Uint8Array[];
   rules: settings.v1.RecordingRule[];
   static encode(message: settings.v1.ListRecordingRulesResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): settings.v1.ListRecordingRulesResponse & settings.v1.ListRecordingRulesResponse.$Shape;
  }
  namespace ListRecordingRulesResponse {
   interface $Properties {
    rules?: settings.v1.RecordingRule.$Properties[];
    $unknowns?: Uint8Array[];
   }
   type $Shape = settings.v1.ListRecordingRulesResponse.$Properties;
  }
  class RecordingRule {
   constructor(properties?: settings.v1.RecordingRule.$Properties);
   $unknowns?: Uint8Array[];
   id: string;
   static encode(message: settings.v1.RecordingRule.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): settings.v1.RecordingRule & settings.v1.RecordingRule.$Shape;
  }
  namespace RecordingRule {
   interface $Properties {
    id?: string;
    $unknowns?: Uint8Array[];
   }
   type $Shape = settings.v1.RecordingRule.$Properties;
  }
  class GetRecordingRuleRequest {
   constructor(properties?: settings.v1.GetRecordingRuleRequest.$Properties);
   $unknowns?: Uint8Array[];
   id: string;
   static encode(message: settings.v1.GetRecordingRuleRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): settings.v1.GetRecordingRuleRequest & settings.v1.GetRecordingRuleRequest.$Shape;
  }
  namespace GetRecordingRuleRequest {
   interface $Properties {
    id?: string;
    $unknowns?: Uint8Array[];
   }
   type $Shape = settings.v1.GetRecordingRuleRequest.$Properties;
  }
  class GetRecordingRuleResponse {
   constructor(properties?: settings.v1.GetRecordingRuleResponse.$Properties);
   $unknowns?: Uint8Array[];
   rule: settings.v1.RecordingRule;
   static encode(message: settings.v1.GetRecordingRuleResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): settings.v1.GetRecordingRuleResponse & settings.v1.GetRecordingRuleResponse.$Shape;
  }
  namespace GetRecordingRuleResponse {
   interface $Properties {
    rule?: settings.v1.RecordingRule.$Properties;
    $unknowns?: Uint8Array[];
   }
   type $Shape = settings.v1.GetRecordingRuleResponse.$Properties;
  }
  class UpsertRecordingRuleRequest {
   constructor(properties?: settings.v1.UpsertRecordingRuleRequest.$Properties);
   $unknowns?: Uint8Array[];
   id: string;
   static encode(message: settings.v1.UpsertRecordingRuleRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): settings.v1.UpsertRecordingRuleRequest & settings.v1.UpsertRecordingRuleRequest.$Shape;
  }
  namespace UpsertRecordingRuleRequest {
   interface $Properties {
    id?: string;
    $unknowns?: Uint8Array[];
   }
   type $Shape = settings.v1.UpsertRecordingRuleRequest.$Properties;
  }
  class UpsertRecordingRuleResponse {
   constructor(properties?: settings.v1.UpsertRecordingRuleResponse.$Properties);
   $unknowns?: Uint8Array[];
   rule: settings.v1.RecordingRule;
   static encode(message: settings.v1.UpsertRecordingRuleResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): settings.v1.UpsertRecordingRuleResponse & settings.v1.UpsertRecordingRuleResponse.$Shape;
  }
  namespace UpsertRecordingRuleResponse {
   interface $Properties {
    rule?: settings.v1.RecordingRule.$Properties;
    $unknowns?: Uint8Array[];
   }
   type $Shape = settings.v1.UpsertRecordingRuleResponse.$Properties;
  }
  class DeleteRecordingRuleRequest {
   constructor(properties?: settings.v1.DeleteRecordingRuleRequest.$Properties);
   $unknowns?: Uint8Array[];
   id: string;
   static encode(message: settings.v1.DeleteRecordingRuleRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): settings.v1.DeleteRecordingRuleRequest & settings.v1.DeleteRecordingRuleRequest.$Shape;
  }
  namespace DeleteRecordingRuleRequest {
   interface $Properties {
    id?: string;
    $unknowns?: Uint8Array[];
   }
   type $Shape = settings.v1.DeleteRecordingRuleRequest.$Properties;
  }
  class DeleteRecordingRuleResponse {
   constructor(properties?: settings.v1.DeleteRecordingRuleResponse.$Properties);
   $unknowns?: Uint8Array[];
   static encode(message: settings.v1.DeleteRecordingRuleResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): settings.v1.DeleteRecordingRuleResponse & settings.v1.DeleteRecordingRuleResponse.$Shape;
  }
  namespace DeleteRecordingRuleResponse {
   interface $Properties {
    $unknowns?: Uint8Array[];
   }
   type $Shape = settings.v1.DeleteRecordingRuleResponse.$Properties;
  }
 }
}
export namespace adhocprofiles {
 namespace v1 {
  class AdHocProfilesUploadRequest {
   constructor(properties?: adhocprofiles.v1.AdHocProfilesUploadRequest.$Properties);
   $unknowns?: Uint8Array[];
   name: string;
   profile: string;
   maxNodes: (Long|null);
   static encode(message: adhocprofiles.v1.AdHocProfilesUploadRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): adhocprofiles.v1.AdHocProfilesUploadRequest & adhocprofiles.v1.AdHocProfilesUploadRequest.$Shape;
  }
  namespace AdHocProfilesUploadRequest {
   interface $Properties {
    name?: string;
    profile?: string;
    maxNodes?: (Long|null);
    $unknowns?: Uint8Array[];
   }
   type $Shape = adhocprofiles.v1.AdHocProfilesUploadRequest.$Properties;
  }
  class AdHocProfilesGetRequest {
   constructor(properties?: adhocprofiles.v1.AdHocProfilesGetRequest.$Properties);
   $unknowns?: Uint8Array[];
   id: string;
   profileType: (string|null);
   maxNodes: (Long|null);
   static encode(message: adhocprofiles.v1.AdHocProfilesGetRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): adhocprofiles.v1.AdHocProfilesGetRequest & adhocprofiles.v1.AdHocProfilesGetRequest.$Shape;
  }
  namespace AdHocProfilesGetRequest {
   interface $Properties {
    id?: string;
    profileType?: (string|null);
    maxNodes?: (Long|null);
    $unknowns?: Uint8Array[];
   }
   type $Shape = adhocprofiles.v1.AdHocProfilesGetRequest.$Properties;
  }
  class AdHocProfilesGetResponse {
   constructor(properties?: adhocprofiles.v1.AdHocProfilesGetResponse.$Properties);
   $unknowns?: Uint8Array[];
   id: string;
   name: string;
   uploadedAt: Long;
   profileType: string;
   profileTypes: string[];
   flamebearerProfile: string;
   static encode(message: adhocprofiles.v1.AdHocProfilesGetResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): adhocprofiles.v1.AdHocProfilesGetResponse & adhocprofiles.v1.AdHocProfilesGetResponse.$Shape;
  }
  namespace AdHocProfilesGetResponse {
   interface $Properties {
    id?: string;
    name?: string;
    uploadedAt?: Long;
    profileType?: string;
    profileTypes?: string[];
    flamebearerProfile?: string;
    $unknowns?: Uint8Array[];
   }
   type $Shape = adhocprofiles.v1.AdHocProfilesGetResponse.$Properties;
  }
  class AdHocProfilesListRequest {
   constructor(properties?: adhocprofiles.v1.AdHocProfilesListRequest.$Properties);
   $unknowns?: Uint8Array[];
   static encode(message: adhocprofiles.v1.AdHocProfilesListRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): adhocprofiles.v1.AdHocProfilesListRequest & adhocprofiles.v1.AdHocProfilesListRequest.$Shape;
  }
  namespace AdHocProfilesListRequest {
   interface $Properties {
    $unknowns?: Uint8Array[];
   }
   type $Shape = adhocprofiles.v1.AdHocProfilesListRequest.$Properties;
  }
  class AdHocProfilesListResponse {
   constructor(properties?: adhocprofiles.v1.AdHocProfilesListResponse.$Properties);
   $unknowns?: Uint8Array[];
   profiles: adhocprofiles.v1.AdHocProfilesProfileMetadata[];
   static encode(message: adhocprofiles.v1.AdHocProfilesListResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): adhocprofiles.v1.AdHocProfilesListResponse & adhocprofiles.v1.AdHocProfilesListResponse.$Shape;
  }
  namespace AdHocProfilesListResponse {
   interface $Properties {
    profiles?: adhocprofiles.v1.AdHocProfilesProfileMetadata.$Properties[];
    $unknowns?: Uint8Array[];
   }
   type $Shape = adhocprofiles.v1.AdHocProfilesListResponse.$Properties;
  }
  class AdHocProfilesProfileMetadata {
   constructor(properties?: adhocprofiles.v1.AdHocProfilesProfileMetadata.$Properties);
   $unknowns?: Uint8Array[];
   id: string;
   name: string;
   uploadedAt: Long;
   static encode(message: adhocprofiles.v1.AdHocProfilesProfileMetadata.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): adhocprofiles.v1.AdHocProfilesProfileMetadata & adhocprofiles.v1.AdHocProfilesProfileMetadata.$Shape;
  }
  namespace AdHocProfilesProfileMetadata {
   interface $Properties {
    id?: string;
    name?: string;
    uploadedAt?: Long;
    $unknowns?: Uint8Array[];
   }
   type $Shape = adhocprofiles.v1.AdHocProfilesProfileMetadata.$Properties;
  }
  class AdHocProfilesDiffRequest {
   constructor(properties?: adhocprofiles.v1.AdHocProfilesDiffRequest.$Properties);
   $unknowns?: Uint8Array[];
   leftId: string;
   rightId: string;
   profileType: (string|null);
   maxNodes: (Long|null);
   static encode(message: adhocprofiles.v1.AdHocProfilesDiffRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): adhocprofiles.v1.AdHocProfilesDiffRequest & adhocprofiles.v1.AdHocProfilesDiffRequest.$Shape;
  }
  namespace AdHocProfilesDiffRequest {
   interface $Properties {
    leftId?: string;
    rightId?: string;
    profileType?: (string|null);
    maxNodes?: (Long|null);
    $unknowns?: Uint8Array[];
   }
   type $Shape = adhocprofiles.v1.AdHocProfilesDiffRequest.$Properties;
  }
  class AdHocProfilesDiffResponse {
   constructor(properties?: adhocprofiles.v1.AdHocProfilesDiffResponse.$Properties);
   $unknowns?: Uint8Array[];
   profileTypes: string[];
   flamebearerProfile: string;
   static encode(message: adhocprofiles.v1.AdHocProfilesDiffResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): adhocprofiles.v1.AdHocProfilesDiffResponse & adhocprofiles.v1.AdHocProfilesDiffResponse.$Shape;
  }
  namespace AdHocProfilesDiffResponse {
   interface $Properties {
    profileTypes?: string[];
    flamebearerProfile?: string;
    $unknowns?: Uint8Array[];
   }
   type $Shape = adhocprofiles.v1.AdHocProfilesDiffResponse.$Properties;
  }
 }
}
export namespace vcs {
 namespace v1 {
  class GithubAppRequest {
   constructor(properties?: vcs.v1.GithubAppRequest.$Properties);
   $unknowns?: Uint8Array[];
   static encode(message: vcs.v1.GithubAppRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): vcs.v1.GithubAppRequest & vcs.v1.GithubAppRequest.$Shape;
  }
  namespace GithubAppRequest {
   interface $Properties {
    $unknowns?: Uint8Array[];
   }
   type $Shape = vcs.v1.GithubAppRequest.$Properties;
  }
  class GithubAppResponse {
   constructor(properties?: vcs.v1.GithubAppResponse.$Properties);
   $unknowns?: Uint8Array[];
   clientID: string;
   callbackURL: string;
   static encode(message: vcs.v1.GithubAppResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): vcs.v1.GithubAppResponse & vcs.v1.GithubAppResponse.$Shape;
  }
  namespace GithubAppResponse {
   interface $Properties {
    clientID?: string;
    callbackURL?: string;
    $unknowns?: Uint8Array[];
   }
   type $Shape = vcs.v1.GithubAppResponse.$Properties;
  }
  class GithubLoginRequest {
   constructor(properties?: vcs.v1.GithubLoginRequest.$Properties);
   $unknowns?: Uint8Array[];
   static encode(message: vcs.v1.GithubLoginRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): vcs.v1.GithubLoginRequest & vcs.v1.GithubLoginRequest.$Shape;
  }
  namespace GithubLoginRequest {
   interface $Properties {
    $unknowns?: Uint8Array[];
   }
   type $Shape = vcs.v1.GithubLoginRequest.$Properties;
  }
  class GithubLoginResponse {
   constructor(properties?: vcs.v1.GithubLoginResponse.$Properties);
   $unknowns?: Uint8Array[];
   static encode(message: vcs.v1.GithubLoginResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): vcs.v1.GithubLoginResponse & vcs.v1.GithubLoginResponse.$Shape;
  }
  namespace GithubLoginResponse {
   interface $Properties {
    $unknowns?: Uint8Array[];
   }
   type $Shape = vcs.v1.GithubLoginResponse.$Properties;
  }
  class GithubRefreshRequest {
   constructor(properties?: vcs.v1.GithubRefreshRequest.$Properties);
   $unknowns?: Uint8Array[];
   static encode(message: vcs.v1.GithubRefreshRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): vcs.v1.GithubRefreshRequest & vcs.v1.GithubRefreshRequest.$Shape;
  }
  namespace GithubRefreshRequest {
   interface $Properties {
    $unknowns?: Uint8Array[];
   }
   type $Shape = vcs.v1.GithubRefreshRequest.$Properties;
  }
  class GithubRefreshResponse {
   constructor(properties?: vcs.v1.GithubRefreshResponse.$Properties);
   $unknowns?: Uint8Array[];
   static encode(message: vcs.v1.GithubRefreshResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): vcs.v1.GithubRefreshResponse & vcs.v1.GithubRefreshResponse.$Shape;
  }
  namespace GithubRefreshResponse {
   interface $Properties {
    $unknowns?: Uint8Array[];
   }
   type $Shape = vcs.v1.GithubRefreshResponse.$Properties;
  }
  class GetFileRequest {
   constructor(properties?: vcs.v1.GetFileRequest.$Properties);
   $unknowns?: Uint8Array[];
   static encode(message: vcs.v1.GetFileRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): vcs.v1.GetFileRequest & vcs.v1.GetFileRequest.$Shape;
  }
  namespace GetFileRequest {
   interface $Properties {
    $unknowns?: Uint8Array[];
   }
   type $Shape = vcs.v1.GetFileRequest.$Properties;
  }
  class GetFileResponse {
   constructor(properties?: vcs.v1.GetFileResponse.$Properties);
   $unknowns?: Uint8Array[];
   static encode(message: vcs.v1.GetFileResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): vcs.v1.GetFileResponse & vcs.v1.GetFileResponse.$Shape;
  }
  namespace GetFileResponse {
   interface $Properties {
    $unknowns?: Uint8Array[];
   }
   type $Shape = vcs.v1.GetFileResponse.$Properties;
  }
  class GetCommitRequest {
   constructor(properties?: vcs.v1.GetCommitRequest.$Properties);
   $unknowns?: Uint8Array[];
   static encode(message: vcs.v1.GetCommitRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): vcs.v1.GetCommitRequest & vcs.v1.GetCommitRequest.$Shape;
  }
  namespace GetCommitRequest {
   interface $Properties {
    $unknowns?: Uint8Array[];
   }
   type $Shape = vcs.v1.GetCommitRequest.$Properties;
  }
  class GetCommitResponse {
   constructor(properties?: vcs.v1.GetCommitResponse.$Properties);
   $unknowns?: Uint8Array[];
   static encode(message: vcs.v1.GetCommitResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): vcs.v1.GetCommitResponse & vcs.v1.GetCommitResponse.$Shape;
  }
  namespace GetCommitResponse {
   interface $Properties {
    $unknowns?: Uint8Array[];
   }
   type $Shape = vcs.v1.GetCommitResponse.$Properties;
  }
  class GetCommitsRequest {
   constructor(properties?: vcs.v1.GetCommitsRequest.$Properties);
   $unknowns?: Uint8Array[];
   static encode(message: vcs.v1.GetCommitsRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): vcs.v1.GetCommitsRequest & vcs.v1.GetCommitsRequest.$Shape;
  }
  namespace GetCommitsRequest {
   interface $Properties {
    $unknowns?: Uint8Array[];
   }
   type $Shape = vcs.v1.GetCommitsRequest.$Properties;
  }
  class GetCommitsResponse {
   constructor(properties?: vcs.v1.GetCommitsResponse.$Properties);
   $unknowns?: Uint8Array[];
   static encode(message: vcs.v1.GetCommitsResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): vcs.v1.GetCommitsResponse & vcs.v1.GetCommitsResponse.$Shape;
  }
  namespace GetCommitsResponse {
   interface $Properties {
    $unknowns?: Uint8Array[];
   }
   type $Shape = vcs.v1.GetCommitsResponse.$Properties;
  }
 }
}
export namespace capabilities {
 namespace v1 {
  class GetFeatureFlagsRequest {
   constructor(properties?: capabilities.v1.GetFeatureFlagsRequest.$Properties);
   $unknowns?: Uint8Array[];
   static encode(message: capabilities.v1.GetFeatureFlagsRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): capabilities.v1.GetFeatureFlagsRequest & capabilities.v1.GetFeatureFlagsRequest.$Shape;
  }
  namespace GetFeatureFlagsRequest {
   interface $Properties {
    $unknowns?: Uint8Array[];
   }
   type $Shape = capabilities.v1.GetFeatureFlagsRequest.$Properties;
  }
  class GetFeatureFlagsResponse {
   constructor(properties?: capabilities.v1.GetFeatureFlagsResponse.$Properties);
   $unknowns?: Uint8Array[];
   featureFlags: capabilities.v1.FeatureFlag[];
   static encode(message: capabilities.v1.GetFeatureFlagsResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): capabilities.v1.GetFeatureFlagsResponse & capabilities.v1.GetFeatureFlagsResponse.$Shape;
  }
  namespace GetFeatureFlagsResponse {
   interface $Properties {
    featureFlags?: capabilities.v1.FeatureFlag.$Properties[];
    $unknowns?: Uint8Array[];
   }
   type $Shape = capabilities.v1.GetFeatureFlagsResponse.$Properties;
  }
  class FeatureFlag {
   constructor(properties?: capabilities.v1.FeatureFlag.$Properties);
   $unknowns?: Uint8Array[];
   name: string;
   enabled: boolean;
   description: (string|null);
   documentationUrl: (string|null);
   static encode(message: capabilities.v1.FeatureFlag.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): capabilities.v1.FeatureFlag & capabilities.v1.FeatureFlag.$Shape;
  }
  namespace FeatureFlag {
   interface $Properties {
    name?: string;
    enabled?: boolean;
    description?: (string|null);
    documentationUrl?: (string|null);
    $unknowns?: Uint8Array[];
   }
   type $Shape = capabilities.v1.FeatureFlag.$Properties;
  }
 }
}
export namespace version {
 namespace v1 {
  class VersionRequest {
   constructor(properties?: version.v1.VersionRequest.$Properties);
   $unknowns?: Uint8Array[];
   static encode(message: version.v1.VersionRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): version.v1.VersionRequest & version.v1.VersionRequest.$Shape;
  }
  namespace VersionRequest {
   interface $Properties {
    $unknowns?: Uint8Array[];
   }
   type $Shape = version.v1.VersionRequest.$Properties;
  }
  class VersionResponse {
   constructor(properties?: version.v1.VersionResponse.$Properties);
   $unknowns?: Uint8Array[];
   QuerierAPI: Long;
   static encode(message: version.v1.VersionResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): version.v1.VersionResponse & version.v1.VersionResponse.$Shape;
  }
  namespace VersionResponse {
   interface $Properties {
    QuerierAPI?: Long;
    $unknowns?: Uint8Array[];
   }
   type $Shape = version.v1.VersionResponse.$Properties;
  }
 }
}
