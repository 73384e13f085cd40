// Generated from parca/query/v1alpha1/query.proto by tools/generate/proto.mjs. Do not edit.
import * as $protobuf from "protobufjs/minimal.js";
import Long = require("long");
export namespace parca {
 namespace query {
  namespace v1alpha1 {
   class ProfileTypesRequest {
    constructor(properties?: parca.query.v1alpha1.ProfileTypesRequest.$Properties);
    $unknowns?: Uint8Array[];
    start: (google.protobuf.Timestamp|null);
    end: (google.protobuf.Timestamp|null);
    static encode(message: parca.query.v1alpha1.ProfileTypesRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.ProfileTypesRequest & parca.query.v1alpha1.ProfileTypesRequest.$Shape;
   }
   namespace ProfileTypesRequest {
    interface $Properties {
     start?: (google.protobuf.Timestamp.$Properties|null);
     end?: (google.protobuf.Timestamp.$Properties|null);
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.ProfileTypesRequest.$Properties;
   }
   class ProfileTypesResponse {
    constructor(properties?: parca.query.v1alpha1.ProfileTypesResponse.$Properties);
    $unknowns?: Uint8Array[];
    types: parca.query.v1alpha1.ProfileType[];
    static encode(message: parca.query.v1alpha1.ProfileTypesResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.ProfileTypesResponse & parca.query.v1alpha1.ProfileTypesResponse.$Shape;
   }
   namespace ProfileTypesResponse {
    interface $Properties {
     types?: parca.query.v1alpha1.ProfileType.$Properties[];
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.ProfileTypesResponse.$Properties;
   }
   class ProfileType {
    constructor(properties?: parca.query.v1alpha1.ProfileType.$Properties);
    $unknowns?: Uint8Array[];
    name: string;
    sampleType: string;
    sampleUnit: string;
    periodType: string;
    periodUnit: string;
    delta: boolean;
    static encode(message: parca.query.v1alpha1.ProfileType.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.ProfileType & parca.query.v1alpha1.ProfileType.$Shape;
   }
   namespace ProfileType {
    interface $Properties {
     name?: string;
     sampleType?: string;
     sampleUnit?: string;
     periodType?: string;
     periodUnit?: string;
     delta?: boolean;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.ProfileType.$Properties;
   }
   class QueryRangeRequest {
    constructor(properties?: parca.query.v1alpha1.QueryRangeRequest.$Properties);
    $unknowns?: Uint8Array[];
    query: string;
    start: google.protobuf.Timestamp;
    end: google.protobuf.Timestamp;
    limit: number;
    step: google.protobuf.Duration;
    sumBy: string[];
    averages: boolean;
    byFirstLabel: boolean;
    static encode(message: parca.query.v1alpha1.QueryRangeRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.QueryRangeRequest & parca.query.v1alpha1.QueryRangeRequest.$Shape;
   }
   namespace QueryRangeRequest {
    interface $Properties {
     query?: string;
     start?: google.protobuf.Timestamp.$Properties;
     end?: google.protobuf.Timestamp.$Properties;
     limit?: number;
     step?: google.protobuf.Duration.$Properties;
     sumBy?: string[];
     averages?: boolean;
     byFirstLabel?: boolean;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.QueryRangeRequest.$Properties;
   }
   class QueryRangeResponse {
    constructor(properties?: parca.query.v1alpha1.QueryRangeResponse.$Properties);
    $unknowns?: Uint8Array[];
    series: parca.query.v1alpha1.MetricsSeries[];
    warnings: string[];
    profileTypes: string[];
    static encode(message: parca.query.v1alpha1.QueryRangeResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.QueryRangeResponse & parca.query.v1alpha1.QueryRangeResponse.$Shape;
   }
   namespace QueryRangeResponse {
    interface $Properties {
     series?: parca.query.v1alpha1.MetricsSeries.$Properties[];
     warnings?: string[];
     profileTypes?: string[];
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.QueryRangeResponse.$Properties;
   }
   class MetricsSeries {
    constructor(properties?: parca.query.v1alpha1.MetricsSeries.$Properties);
    $unknowns?: Uint8Array[];
    labelset: parca.profilestore.v1alpha1.LabelSet;
    samples: parca.query.v1alpha1.MetricsSample[];
    periodType: parca.query.v1alpha1.ValueType;
    sampleType: parca.query.v1alpha1.ValueType;
    total: Long;
    average: number;
    coveredNanos: Long;
    snapshots: number;
    static encode(message: parca.query.v1alpha1.MetricsSeries.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.MetricsSeries & parca.query.v1alpha1.MetricsSeries.$Shape;
   }
   namespace MetricsSeries {
    interface $Properties {
     labelset?: parca.profilestore.v1alpha1.LabelSet.$Properties;
     samples?: parca.query.v1alpha1.MetricsSample.$Properties[];
     periodType?: parca.query.v1alpha1.ValueType.$Properties;
     sampleType?: parca.query.v1alpha1.ValueType.$Properties;
     total?: Long;
     average?: number;
     coveredNanos?: Long;
     snapshots?: number;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.MetricsSeries.$Properties;
   }
   class MetricsSample {
    constructor(properties?: parca.query.v1alpha1.MetricsSample.$Properties);
    $unknowns?: Uint8Array[];
    timestamp: google.protobuf.Timestamp;
    value: Long;
    valuePerSecond: number;
    duration: Long;
    count: number;
    rate: number;
    coveredNanos: Long;
    static encode(message: parca.query.v1alpha1.MetricsSample.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.MetricsSample & parca.query.v1alpha1.MetricsSample.$Shape;
   }
   namespace MetricsSample {
    interface $Properties {
     timestamp?: google.protobuf.Timestamp.$Properties;
     value?: Long;
     valuePerSecond?: number;
     duration?: Long;
     count?: number;
     rate?: number;
     coveredNanos?: Long;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.MetricsSample.$Properties;
   }
   class MergeProfile {
    constructor(properties?: parca.query.v1alpha1.MergeProfile.$Properties);
    $unknowns?: Uint8Array[];
    query: string;
    start: google.protobuf.Timestamp;
    end: google.protobuf.Timestamp;
    static encode(message: parca.query.v1alpha1.MergeProfile.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.MergeProfile & parca.query.v1alpha1.MergeProfile.$Shape;
   }
   namespace MergeProfile {
    interface $Properties {
     query?: string;
     start?: google.protobuf.Timestamp.$Properties;
     end?: google.protobuf.Timestamp.$Properties;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.MergeProfile.$Properties;
   }
   class SingleProfile {
    constructor(properties?: parca.query.v1alpha1.SingleProfile.$Properties);
    $unknowns?: Uint8Array[];
    time: google.protobuf.Timestamp;
    query: string;
    static encode(message: parca.query.v1alpha1.SingleProfile.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.SingleProfile & parca.query.v1alpha1.SingleProfile.$Shape;
   }
   namespace SingleProfile {
    interface $Properties {
     time?: google.protobuf.Timestamp.$Properties;
     query?: string;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.SingleProfile.$Properties;
   }
   class DiffProfile {
    constructor(properties?: parca.query.v1alpha1.DiffProfile.$Properties);
    $unknowns?: Uint8Array[];
    a: parca.query.v1alpha1.ProfileDiffSelection;
    b: parca.query.v1alpha1.ProfileDiffSelection;
    absolute: (boolean|null);
    static encode(message: parca.query.v1alpha1.DiffProfile.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.DiffProfile & parca.query.v1alpha1.DiffProfile.$Shape;
   }
   namespace DiffProfile {
    interface $Properties {
     a?: parca.query.v1alpha1.ProfileDiffSelection.$Properties;
     b?: parca.query.v1alpha1.ProfileDiffSelection.$Properties;
     absolute?: (boolean|null);
     $unknowns?: Uint8Array[];
    }
    type $Shape = {
      a?: parca.query.v1alpha1.ProfileDiffSelection.$Shape;
      b?: parca.query.v1alpha1.ProfileDiffSelection.$Shape;
      absolute?: boolean|null;
      $unknowns?: Uint8Array[];
    };
   }
   class ProfileDiffSelection {
    constructor(properties?: parca.query.v1alpha1.ProfileDiffSelection.$Properties);
    $unknowns?: Uint8Array[];
    mode: parca.query.v1alpha1.ProfileDiffSelection.Mode;
    merge: (parca.query.v1alpha1.MergeProfile|null);
    single: (parca.query.v1alpha1.SingleProfile|null);
    options?: ("merge"|"single");
    static encode(message: parca.query.v1alpha1.ProfileDiffSelection.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.ProfileDiffSelection & parca.query.v1alpha1.ProfileDiffSelection.$Shape;
   }
   namespace ProfileDiffSelection {
    interface $Properties {
     mode?: parca.query.v1alpha1.ProfileDiffSelection.Mode;
     merge?: (parca.query.v1alpha1.MergeProfile.$Properties|null);
     single?: (parca.query.v1alpha1.SingleProfile.$Properties|null);
     options?: ("merge"|"single");
     $unknowns?: Uint8Array[];
    }
    type $Shape = {
      mode?: parca.query.v1alpha1.ProfileDiffSelection.Mode;
      merge?: parca.query.v1alpha1.MergeProfile.$Shape|null;
      single?: parca.query.v1alpha1.SingleProfile.$Shape|null;
      $unknowns?: Uint8Array[];
    } & (
      ({ options?: undefined; merge?: null; single?: null }|{ options?: "merge"; merge: parca.query.v1alpha1.MergeProfile.$Shape; single?: null }|{ options?: "single"; merge?: null; single: parca.query.v1alpha1.SingleProfile.$Shape })
    );
    enum Mode {
     MODE_SINGLE_UNSPECIFIED = 0,
     MODE_MERGE = 1
    }
   }
   class QueryRequest {
    constructor(properties?: parca.query.v1alpha1.QueryRequest.$Properties);
    $unknowns?: Uint8Array[];
    mode: parca.query.v1alpha1.QueryRequest.Mode;
    diff: (parca.query.v1alpha1.DiffProfile|null);
    merge: (parca.query.v1alpha1.MergeProfile|null);
    single: (parca.query.v1alpha1.SingleProfile|null);
    reportType: parca.query.v1alpha1.QueryRequest.ReportType;
    filterQuery: (string|null);
    nodeTrimThreshold: (number|null);
    groupBy: (parca.query.v1alpha1.GroupBy|null);
    sourceReference: (parca.query.v1alpha1.SourceReference|null);
    runtimeFilter: (parca.query.v1alpha1.RuntimeFilter|null);
    invertCallStack: (boolean|null);
    filter: parca.query.v1alpha1.Filter[];
    sandwichByFunction: (string|null);
    rootTrimThreshold: (number|null);
    search: (parca.query.v1alpha1.NameSearch|null);
    zoomPath: string[];
    topLimit: (parca.query.v1alpha1.TopLimit|null);
    topRecord: (boolean|null);
    options?: ("diff"|"merge"|"single");
    static encode(message: parca.query.v1alpha1.QueryRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.QueryRequest & parca.query.v1alpha1.QueryRequest.$Shape;
   }
   namespace QueryRequest {
    interface $Properties {
     mode?: parca.query.v1alpha1.QueryRequest.Mode;
     diff?: (parca.query.v1alpha1.DiffProfile.$Properties|null);
     merge?: (parca.query.v1alpha1.MergeProfile.$Properties|null);
     single?: (parca.query.v1alpha1.SingleProfile.$Properties|null);
     reportType?: parca.query.v1alpha1.QueryRequest.ReportType;
     filterQuery?: (string|null);
     nodeTrimThreshold?: (number|null);
     groupBy?: (parca.query.v1alpha1.GroupBy.$Properties|null);
     sourceReference?: (parca.query.v1alpha1.SourceReference.$Properties|null);
     runtimeFilter?: (parca.query.v1alpha1.RuntimeFilter.$Properties|null);
     invertCallStack?: (boolean|null);
     filter?: parca.query.v1alpha1.Filter.$Properties[];
     sandwichByFunction?: (string|null);
     rootTrimThreshold?: (number|null);
     search?: (parca.query.v1alpha1.NameSearch.$Properties|null);
     zoomPath?: string[];
     topLimit?: (parca.query.v1alpha1.TopLimit.$Properties|null);
     topRecord?: (boolean|null);
     options?: ("diff"|"merge"|"single");
     $unknowns?: Uint8Array[];
    }
    type $Shape = {
      mode?: parca.query.v1alpha1.QueryRequest.Mode;
      diff?: parca.query.v1alpha1.DiffProfile.$Shape|null;
      merge?: parca.query.v1alpha1.MergeProfile.$Shape|null;
      single?: parca.query.v1alpha1.SingleProfile.$Shape|null;
      reportType?: parca.query.v1alpha1.QueryRequest.ReportType;
      filterQuery?: string|null;
      nodeTrimThreshold?: number|null;
      groupBy?: parca.query.v1alpha1.GroupBy.$Shape|null;
      sourceReference?: parca.query.v1alpha1.SourceReference.$Shape|null;
      runtimeFilter?: parca.query.v1alpha1.RuntimeFilter.$Shape|null;
      invertCallStack?: boolean|null;
      filter?: parca.query.v1alpha1.Filter.$Shape[];
      sandwichByFunction?: string|null;
      rootTrimThreshold?: number|null;
      search?: parca.query.v1alpha1.NameSearch.$Shape|null;
      zoomPath?: string[];
      topLimit?: parca.query.v1alpha1.TopLimit.$Shape|null;
      topRecord?: boolean|null;
      $unknowns?: Uint8Array[];
    } & (
      ({ options?: undefined; diff?: null; merge?: null; single?: null }|{ options?: "diff"; diff: parca.query.v1alpha1.DiffProfile.$Shape; merge?: null; single?: null }|{ options?: "merge"; diff?: null; merge: parca.query.v1alpha1.MergeProfile.$Shape; single?: null }|{ options?: "single"; diff?: null; merge?: null; single: parca.query.v1alpha1.SingleProfile.$Shape })
    );
    enum Mode {
     MODE_SINGLE_UNSPECIFIED = 0,
     MODE_DIFF = 1,
     MODE_MERGE = 2
    }
    enum ReportType {
     REPORT_TYPE_FLAMEGRAPH_UNSPECIFIED = 0,
     REPORT_TYPE_PPROF = 1,
     REPORT_TYPE_TOP = 2,
     REPORT_TYPE_CALLGRAPH = 3,
     REPORT_TYPE_FLAMEGRAPH_TABLE = 4,
     REPORT_TYPE_FLAMEGRAPH_ARROW = 5,
     REPORT_TYPE_SOURCE = 6,
     REPORT_TYPE_TABLE_ARROW = 7,
     REPORT_TYPE_PROFILE_METADATA = 8,
     REPORT_TYPE_FLAMECHART = 9
    }
   }
   class TopLimit {
    constructor(properties?: parca.query.v1alpha1.TopLimit.$Properties);
    $unknowns?: Uint8Array[];
    count: number;
    cumulative: boolean;
    static encode(message: parca.query.v1alpha1.TopLimit.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.TopLimit & parca.query.v1alpha1.TopLimit.$Shape;
   }
   namespace TopLimit {
    interface $Properties {
     count?: number;
     cumulative?: boolean;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.TopLimit.$Properties;
   }
   class NameSearch {
    constructor(properties?: parca.query.v1alpha1.NameSearch.$Properties);
    $unknowns?: Uint8Array[];
    text: string;
    mode: parca.query.v1alpha1.NameSearch.Mode;
    static encode(message: parca.query.v1alpha1.NameSearch.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.NameSearch & parca.query.v1alpha1.NameSearch.$Shape;
   }
   namespace NameSearch {
    interface $Properties {
     text?: string;
     mode?: parca.query.v1alpha1.NameSearch.Mode;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.NameSearch.$Properties;
    enum Mode {
     MODE_TEXT_UNSPECIFIED = 0,
     MODE_REGEX = 1,
     MODE_CASE = 2
    }
   }
   class FilterCriteria {
    constructor(properties?: parca.query.v1alpha1.FilterCriteria.$Properties);
    $unknowns?: Uint8Array[];
    functionName: parca.query.v1alpha1.StringCondition;
    systemName: parca.query.v1alpha1.StringCondition;
    binary: parca.query.v1alpha1.StringCondition;
    filename: parca.query.v1alpha1.StringCondition;
    address: parca.query.v1alpha1.NumberCondition;
    lineNumber: parca.query.v1alpha1.NumberCondition;
    static encode(message: parca.query.v1alpha1.FilterCriteria.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.FilterCriteria & parca.query.v1alpha1.FilterCriteria.$Shape;
   }
   namespace FilterCriteria {
    interface $Properties {
     functionName?: parca.query.v1alpha1.StringCondition.$Properties;
     systemName?: parca.query.v1alpha1.StringCondition.$Properties;
     binary?: parca.query.v1alpha1.StringCondition.$Properties;
     filename?: parca.query.v1alpha1.StringCondition.$Properties;
     address?: parca.query.v1alpha1.NumberCondition.$Properties;
     lineNumber?: parca.query.v1alpha1.NumberCondition.$Properties;
     $unknowns?: Uint8Array[];
    }
    type $Shape = {
      functionName?: parca.query.v1alpha1.StringCondition.$Shape;
      systemName?: parca.query.v1alpha1.StringCondition.$Shape;
      binary?: parca.query.v1alpha1.StringCondition.$Shape;
      filename?: parca.query.v1alpha1.StringCondition.$Shape;
      address?: parca.query.v1alpha1.NumberCondition.$Shape;
      lineNumber?: parca.query.v1alpha1.NumberCondition.$Shape;
      $unknowns?: Uint8Array[];
    };
   }
   class StringCondition {
    constructor(properties?: parca.query.v1alpha1.StringCondition.$Properties);
    $unknowns?: Uint8Array[];
    equal: (string|null);
    notEqual: (string|null);
    contains: (string|null);
    notContains: (string|null);
    startsWith: (string|null);
    notStartsWith: (string|null);
    condition?: ("equal"|"notEqual"|"contains"|"notContains"|"startsWith"|"notStartsWith");
    static encode(message: parca.query.v1alpha1.StringCondition.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.StringCondition & parca.query.v1alpha1.StringCondition.$Shape;
   }
   namespace StringCondition {
    interface $Properties {
     equal?: (string|null);
     notEqual?: (string|null);
     contains?: (string|null);
     notContains?: (string|null);
     startsWith?: (string|null);
     notStartsWith?: (string|null);
     condition?: ("equal"|"notEqual"|"contains"|"notContains"|"startsWith"|"notStartsWith");
     $unknowns?: Uint8Array[];
    }
    type $Shape = {
      equal?: string|null;
      notEqual?: string|null;
      contains?: string|null;
      notContains?: string|null;
      startsWith?: string|null;
      notStartsWith?: string|null;
      $unknowns?: Uint8Array[];
    } & (
      ({ condition?: undefined; equal?: null; notEqual?: null; contains?: null; notContains?: null; startsWith?: null; notStartsWith?: null }|{ condition?: "equal"; equal: string; notEqual?: null; contains?: null; notContains?: null; startsWith?: null; notStartsWith?: null }|{ condition?: "notEqual"; equal?: null; notEqual: string; contains?: null; notContains?: null; startsWith?: null; notStartsWith?: null }|{ condition?: "contains"; equal?: null; notEqual?: null; contains: string; notContains?: null; startsWith?: null; notStartsWith?: null }|{ condition?: "notContains"; equal?: null; notEqual?: null; contains?: null; notContains: string; startsWith?: null; notStartsWith?: null }|{ condition?: "startsWith"; equal?: null; notEqual?: null; contains?: null; notContains?: null; startsWith: string; notStartsWith?: null }|{ condition?: "notStartsWith"; equal?: null; notEqual?: null; contains?: null; notContains?: null; startsWith?: null; notStartsWith: string })
    );
   }
   class NumberCondition {
    constructor(properties?: parca.query.v1alpha1.NumberCondition.$Properties);
    $unknowns?: Uint8Array[];
    equal: (Long|null);
    notEqual: (Long|null);
    condition?: ("equal"|"notEqual");
    static encode(message: parca.query.v1alpha1.NumberCondition.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.NumberCondition & parca.query.v1alpha1.NumberCondition.$Shape;
   }
   namespace NumberCondition {
    interface $Properties {
     equal?: (Long|null);
     notEqual?: (Long|null);
     condition?: ("equal"|"notEqual");
     $unknowns?: Uint8Array[];
    }
    type $Shape = {
      equal?: Long|null;
      notEqual?: Long|null;
      $unknowns?: Uint8Array[];
    } & (
      ({ condition?: undefined; equal?: null; notEqual?: null }|{ condition?: "equal"; equal: Long; notEqual?: null }|{ condition?: "notEqual"; equal?: null; notEqual: Long })
    );
   }
   class Filter {
    constructor(properties?: parca.query.v1alpha1.Filter.$Properties);
    $unknowns?: Uint8Array[];
    stackFilter: (parca.query.v1alpha1.StackFilter|null);
    frameFilter: (parca.query.v1alpha1.FrameFilter|null);
    filter?: ("stackFilter"|"frameFilter");
    static encode(message: parca.query.v1alpha1.Filter.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.Filter & parca.query.v1alpha1.Filter.$Shape;
   }
   namespace Filter {
    interface $Properties {
     stackFilter?: (parca.query.v1alpha1.StackFilter.$Properties|null);
     frameFilter?: (parca.query.v1alpha1.FrameFilter.$Properties|null);
     filter?: ("stackFilter"|"frameFilter");
     $unknowns?: Uint8Array[];
    }
    type $Shape = {
      stackFilter?: parca.query.v1alpha1.StackFilter.$Shape|null;
      frameFilter?: parca.query.v1alpha1.FrameFilter.$Shape|null;
      $unknowns?: Uint8Array[];
    } & (
      ({ filter?: undefined; stackFilter?: null; frameFilter?: null }|{ filter?: "stackFilter"; stackFilter: parca.query.v1alpha1.StackFilter.$Shape; frameFilter?: null }|{ filter?: "frameFilter"; stackFilter?: null; frameFilter: parca.query.v1alpha1.FrameFilter.$Shape })
    );
   }
   class StackFilter {
    constructor(properties?: parca.query.v1alpha1.StackFilter.$Properties);
    $unknowns?: Uint8Array[];
    functionNameStackFilter: (parca.query.v1alpha1.FunctionNameStackFilter|null);
    criteria: (parca.query.v1alpha1.FilterCriteria|null);
    filter?: ("functionNameStackFilter"|"criteria");
    static encode(message: parca.query.v1alpha1.StackFilter.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.StackFilter & parca.query.v1alpha1.StackFilter.$Shape;
   }
   namespace StackFilter {
    interface $Properties {
     functionNameStackFilter?: (parca.query.v1alpha1.FunctionNameStackFilter.$Properties|null);
     criteria?: (parca.query.v1alpha1.FilterCriteria.$Properties|null);
     filter?: ("functionNameStackFilter"|"criteria");
     $unknowns?: Uint8Array[];
    }
    type $Shape = {
      functionNameStackFilter?: parca.query.v1alpha1.FunctionNameStackFilter.$Shape|null;
      criteria?: parca.query.v1alpha1.FilterCriteria.$Shape|null;
      $unknowns?: Uint8Array[];
    } & (
      ({ filter?: undefined; functionNameStackFilter?: null; criteria?: null }|{ filter?: "functionNameStackFilter"; functionNameStackFilter: parca.query.v1alpha1.FunctionNameStackFilter.$Shape; criteria?: null }|{ filter?: "criteria"; functionNameStackFilter?: null; criteria: parca.query.v1alpha1.FilterCriteria.$Shape })
    );
   }
   class FunctionNameStackFilter {
    constructor(properties?: parca.query.v1alpha1.FunctionNameStackFilter.$Properties);
    $unknowns?: Uint8Array[];
    functionToFilter: string;
    exclude: boolean;
    static encode(message: parca.query.v1alpha1.FunctionNameStackFilter.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.FunctionNameStackFilter & parca.query.v1alpha1.FunctionNameStackFilter.$Shape;
   }
   namespace FunctionNameStackFilter {
    interface $Properties {
     functionToFilter?: string;
     exclude?: boolean;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.FunctionNameStackFilter.$Properties;
   }
   class FrameFilter {
    constructor(properties?: parca.query.v1alpha1.FrameFilter.$Properties);
    $unknowns?: Uint8Array[];
    binaryFrameFilter: (parca.query.v1alpha1.BinaryFrameFilter|null);
    criteria: (parca.query.v1alpha1.FilterCriteria|null);
    filter?: ("binaryFrameFilter"|"criteria");
    static encode(message: parca.query.v1alpha1.FrameFilter.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.FrameFilter & parca.query.v1alpha1.FrameFilter.$Shape;
   }
   namespace FrameFilter {
    interface $Properties {
     binaryFrameFilter?: (parca.query.v1alpha1.BinaryFrameFilter.$Properties|null);
     criteria?: (parca.query.v1alpha1.FilterCriteria.$Properties|null);
     filter?: ("binaryFrameFilter"|"criteria");
     $unknowns?: Uint8Array[];
    }
    type $Shape = {
      binaryFrameFilter?: parca.query.v1alpha1.BinaryFrameFilter.$Shape|null;
      criteria?: parca.query.v1alpha1.FilterCriteria.$Shape|null;
      $unknowns?: Uint8Array[];
    } & (
      ({ filter?: undefined; binaryFrameFilter?: null; criteria?: null }|{ filter?: "binaryFrameFilter"; binaryFrameFilter: parca.query.v1alpha1.BinaryFrameFilter.$Shape; criteria?: null }|{ filter?: "criteria"; binaryFrameFilter?: null; criteria: parca.query.v1alpha1.FilterCriteria.$Shape })
    );
   }
   class BinaryFrameFilter {
    constructor(properties?: parca.query.v1alpha1.BinaryFrameFilter.$Properties);
    $unknowns?: Uint8Array[];
    includeBinaries: string[];
    static encode(message: parca.query.v1alpha1.BinaryFrameFilter.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.BinaryFrameFilter & parca.query.v1alpha1.BinaryFrameFilter.$Shape;
   }
   namespace BinaryFrameFilter {
    interface $Properties {
     includeBinaries?: string[];
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.BinaryFrameFilter.$Properties;
   }
   class RuntimeFilter {
    constructor(properties?: parca.query.v1alpha1.RuntimeFilter.$Properties);
    $unknowns?: Uint8Array[];
    showPython: boolean;
    showRuby: boolean;
    showInterpretedOnly: boolean;
    static encode(message: parca.query.v1alpha1.RuntimeFilter.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.RuntimeFilter & parca.query.v1alpha1.RuntimeFilter.$Shape;
   }
   namespace RuntimeFilter {
    interface $Properties {
     showPython?: boolean;
     showRuby?: boolean;
     showInterpretedOnly?: boolean;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.RuntimeFilter.$Properties;
   }
   class SourceReference {
    constructor(properties?: parca.query.v1alpha1.SourceReference.$Properties);
    $unknowns?: Uint8Array[];
    buildId: string;
    filename: string;
    sourceOnly: boolean;
    static encode(message: parca.query.v1alpha1.SourceReference.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.SourceReference & parca.query.v1alpha1.SourceReference.$Shape;
   }
   namespace SourceReference {
    interface $Properties {
     buildId?: string;
     filename?: string;
     sourceOnly?: boolean;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.SourceReference.$Properties;
   }
   class GroupBy {
    constructor(properties?: parca.query.v1alpha1.GroupBy.$Properties);
    $unknowns?: Uint8Array[];
    fields: string[];
    static encode(message: parca.query.v1alpha1.GroupBy.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.GroupBy & parca.query.v1alpha1.GroupBy.$Shape;
   }
   namespace GroupBy {
    interface $Properties {
     fields?: string[];
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.GroupBy.$Properties;
   }
   class Top {
    constructor(properties?: parca.query.v1alpha1.Top.$Properties);
    $unknowns?: Uint8Array[];
    list: parca.query.v1alpha1.TopNode[];
    reported: number;
    total: number;
    unit: string;
    functions: number;
    record: Uint8Array;
    static encode(message: parca.query.v1alpha1.Top.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.Top & parca.query.v1alpha1.Top.$Shape;
   }
   namespace Top {
    interface $Properties {
     list?: parca.query.v1alpha1.TopNode.$Properties[];
     reported?: number;
     total?: number;
     unit?: string;
     functions?: number;
     record?: Uint8Array;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.Top.$Properties;
   }
   class TopNode {
    constructor(properties?: parca.query.v1alpha1.TopNode.$Properties);
    $unknowns?: Uint8Array[];
    meta: parca.query.v1alpha1.TopNodeMeta;
    cumulative: Long;
    flat: Long;
    diff: Long;
    flatDiff: Long;
    static encode(message: parca.query.v1alpha1.TopNode.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.TopNode & parca.query.v1alpha1.TopNode.$Shape;
   }
   namespace TopNode {
    interface $Properties {
     meta?: parca.query.v1alpha1.TopNodeMeta.$Properties;
     cumulative?: Long;
     flat?: Long;
     diff?: Long;
     flatDiff?: Long;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.TopNode.$Properties;
   }
   class TopNodeMeta {
    constructor(properties?: parca.query.v1alpha1.TopNodeMeta.$Properties);
    $unknowns?: Uint8Array[];
    location: parca.metastore.v1alpha1.Location;
    mapping: parca.metastore.v1alpha1.Mapping;
    function: parca.metastore.v1alpha1.Function;
    line: parca.metastore.v1alpha1.Line;
    static encode(message: parca.query.v1alpha1.TopNodeMeta.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.TopNodeMeta & parca.query.v1alpha1.TopNodeMeta.$Shape;
   }
   namespace TopNodeMeta {
    interface $Properties {
     location?: parca.metastore.v1alpha1.Location.$Properties;
     mapping?: parca.metastore.v1alpha1.Mapping.$Properties;
     "function"?: parca.metastore.v1alpha1.Function.$Properties;
     line?: parca.metastore.v1alpha1.Line.$Properties;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.TopNodeMeta.$Properties;
   }
   class Flamegraph {
    constructor(properties?: parca.query.v1alpha1.Flamegraph.$Properties);
    $unknowns?: Uint8Array[];
    root: parca.query.v1alpha1.FlamegraphRootNode;
    total: Long;
    unit: string;
    height: number;
    stringTable: string[];
    locations: parca.metastore.v1alpha1.Location[];
    mapping: parca.metastore.v1alpha1.Mapping[];
    function: parca.metastore.v1alpha1.Function[];
    untrimmedTotal: Long;
    trimmed: Long;
    static encode(message: parca.query.v1alpha1.Flamegraph.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.Flamegraph & parca.query.v1alpha1.Flamegraph.$Shape;
   }
   namespace Flamegraph {
    interface $Properties {
     root?: parca.query.v1alpha1.FlamegraphRootNode.$Properties;
     total?: Long;
     unit?: string;
     height?: number;
     stringTable?: string[];
     locations?: parca.metastore.v1alpha1.Location.$Properties[];
     mapping?: parca.metastore.v1alpha1.Mapping.$Properties[];
     "function"?: parca.metastore.v1alpha1.Function.$Properties[];
     untrimmedTotal?: Long;
     trimmed?: Long;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.Flamegraph.$Properties;
   }
   class FlamegraphArrow {
    constructor(properties?: parca.query.v1alpha1.FlamegraphArrow.$Properties);
    $unknowns?: Uint8Array[];
    record: Uint8Array;
    unit: string;
    height: number;
    trimmed: Long;
    static encode(message: parca.query.v1alpha1.FlamegraphArrow.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.FlamegraphArrow & parca.query.v1alpha1.FlamegraphArrow.$Shape;
   }
   namespace FlamegraphArrow {
    interface $Properties {
     record?: Uint8Array;
     unit?: string;
     height?: number;
     trimmed?: Long;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.FlamegraphArrow.$Properties;
   }
   class Source {
    constructor(properties?: parca.query.v1alpha1.Source.$Properties);
    $unknowns?: Uint8Array[];
    record: Uint8Array;
    source: string;
    unit: string;
    whyEmpty: string;
    static encode(message: parca.query.v1alpha1.Source.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.Source & parca.query.v1alpha1.Source.$Shape;
   }
   namespace Source {
    interface $Properties {
     record?: Uint8Array;
     source?: string;
     unit?: string;
     whyEmpty?: string;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.Source.$Properties;
   }
   class FlamegraphRootNode {
    constructor(properties?: parca.query.v1alpha1.FlamegraphRootNode.$Properties);
    $unknowns?: Uint8Array[];
    cumulative: Long;
    diff: Long;
    children: parca.query.v1alpha1.FlamegraphNode[];
    static encode(message: parca.query.v1alpha1.FlamegraphRootNode.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.FlamegraphRootNode & parca.query.v1alpha1.FlamegraphRootNode.$Shape;
   }
   namespace FlamegraphRootNode {
    interface $Properties {
     cumulative?: Long;
     diff?: Long;
     children?: parca.query.v1alpha1.FlamegraphNode.$Properties[];
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.FlamegraphRootNode.$Properties;
   }
   class FlamegraphNode {
    constructor(properties?: parca.query.v1alpha1.FlamegraphNode.$Properties);
    $unknowns?: Uint8Array[];
    meta: parca.query.v1alpha1.FlamegraphNodeMeta;
    cumulative: Long;
    diff: Long;
    children: parca.query.v1alpha1.FlamegraphNode[];
    static encode(message: parca.query.v1alpha1.FlamegraphNode.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.FlamegraphNode & parca.query.v1alpha1.FlamegraphNode.$Shape;
   }
   namespace FlamegraphNode {
    interface $Properties {
     meta?: parca.query.v1alpha1.FlamegraphNodeMeta.$Properties;
     cumulative?: Long;
     diff?: Long;
     children?: parca.query.v1alpha1.FlamegraphNode.$Properties[];
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.FlamegraphNode.$Properties;
   }
   class FlamegraphNodeMeta {
    constructor(properties?: parca.query.v1alpha1.FlamegraphNodeMeta.$Properties);
    $unknowns?: Uint8Array[];
    location: parca.metastore.v1alpha1.Location;
    mapping: parca.metastore.v1alpha1.Mapping;
    function: parca.metastore.v1alpha1.Function;
    line: parca.metastore.v1alpha1.Line;
    locationIndex: number;
    lineIndex: number;
    static encode(message: parca.query.v1alpha1.FlamegraphNodeMeta.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.FlamegraphNodeMeta & parca.query.v1alpha1.FlamegraphNodeMeta.$Shape;
   }
   namespace FlamegraphNodeMeta {
    interface $Properties {
     location?: parca.metastore.v1alpha1.Location.$Properties;
     mapping?: parca.metastore.v1alpha1.Mapping.$Properties;
     "function"?: parca.metastore.v1alpha1.Function.$Properties;
     line?: parca.metastore.v1alpha1.Line.$Properties;
     locationIndex?: number;
     lineIndex?: number;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.FlamegraphNodeMeta.$Properties;
   }
   class CallgraphNode {
    constructor(properties?: parca.query.v1alpha1.CallgraphNode.$Properties);
    $unknowns?: Uint8Array[];
    id: string;
    meta: parca.query.v1alpha1.CallgraphNodeMeta;
    cumulative: Long;
    flat: Long;
    diff: Long;
    flatDiff: Long;
    static encode(message: parca.query.v1alpha1.CallgraphNode.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.CallgraphNode & parca.query.v1alpha1.CallgraphNode.$Shape;
   }
   namespace CallgraphNode {
    interface $Properties {
     id?: string;
     meta?: parca.query.v1alpha1.CallgraphNodeMeta.$Properties;
     cumulative?: Long;
     flat?: Long;
     diff?: Long;
     flatDiff?: Long;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.CallgraphNode.$Properties;
   }
   class CallgraphNodeMeta {
    constructor(properties?: parca.query.v1alpha1.CallgraphNodeMeta.$Properties);
    $unknowns?: Uint8Array[];
    location: parca.metastore.v1alpha1.Location;
    mapping: parca.metastore.v1alpha1.Mapping;
    function: parca.metastore.v1alpha1.Function;
    line: parca.metastore.v1alpha1.Line;
    static encode(message: parca.query.v1alpha1.CallgraphNodeMeta.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.CallgraphNodeMeta & parca.query.v1alpha1.CallgraphNodeMeta.$Shape;
   }
   namespace CallgraphNodeMeta {
    interface $Properties {
     location?: parca.metastore.v1alpha1.Location.$Properties;
     mapping?: parca.metastore.v1alpha1.Mapping.$Properties;
     "function"?: parca.metastore.v1alpha1.Function.$Properties;
     line?: parca.metastore.v1alpha1.Line.$Properties;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.CallgraphNodeMeta.$Properties;
   }
   class CallgraphEdge {
    constructor(properties?: parca.query.v1alpha1.CallgraphEdge.$Properties);
    $unknowns?: Uint8Array[];
    id: string;
    source: string;
    target: string;
    cumulative: Long;
    isCollapsed: boolean;
    diff: Long;
    static encode(message: parca.query.v1alpha1.CallgraphEdge.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.CallgraphEdge & parca.query.v1alpha1.CallgraphEdge.$Shape;
   }
   namespace CallgraphEdge {
    interface $Properties {
     id?: string;
     source?: string;
     target?: string;
     cumulative?: Long;
     isCollapsed?: boolean;
     diff?: Long;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.CallgraphEdge.$Properties;
   }
   class Callgraph {
    constructor(properties?: parca.query.v1alpha1.Callgraph.$Properties);
    $unknowns?: Uint8Array[];
    nodes: parca.query.v1alpha1.CallgraphNode[];
    edges: parca.query.v1alpha1.CallgraphEdge[];
    cumulative: Long;
    static encode(message: parca.query.v1alpha1.Callgraph.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.Callgraph & parca.query.v1alpha1.Callgraph.$Shape;
   }
   namespace Callgraph {
    interface $Properties {
     nodes?: parca.query.v1alpha1.CallgraphNode.$Properties[];
     edges?: parca.query.v1alpha1.CallgraphEdge.$Properties[];
     cumulative?: Long;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.Callgraph.$Properties;
   }
   class QueryResponse {
    constructor(properties?: parca.query.v1alpha1.QueryResponse.$Properties);
    $unknowns?: Uint8Array[];
    flamegraph: (parca.query.v1alpha1.Flamegraph|null);
    pprof: (Uint8Array|null);
    top: (parca.query.v1alpha1.Top|null);
    callgraph: (parca.query.v1alpha1.Callgraph|null);
    flamegraphArrow: (parca.query.v1alpha1.FlamegraphArrow|null);
    source: (parca.query.v1alpha1.Source|null);
    tableArrow: (parca.query.v1alpha1.TableArrow|null);
    profileMetadata: (parca.query.v1alpha1.ProfileMetadata|null);
    total: Long;
    filtered: Long;
    profileCount: Long;
    sampleCount: Long;
    coveredNanos: Long;
    period: Long;
    snapshots: number;
    warnings: string[];
    trimmed: Long;
    base: parca.query.v1alpha1.AnswerFacts;
    search: parca.query.v1alpha1.SearchTotals;
    zoomedFrames: number;
    profileTypes: string[];
    load: parca.query.v1alpha1.LoadRatio;
    report?: ("flamegraph"|"pprof"|"top"|"callgraph"|"flamegraphArrow"|"source"|"tableArrow"|"profileMetadata");
    static encode(message: parca.query.v1alpha1.QueryResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.QueryResponse & parca.query.v1alpha1.QueryResponse.$Shape;
   }
   namespace QueryResponse {
    interface $Properties {
     flamegraph?: (parca.query.v1alpha1.Flamegraph.$Properties|null);
     pprof?: (Uint8Array|null);
     top?: (parca.query.v1alpha1.Top.$Properties|null);
     callgraph?: (parca.query.v1alpha1.Callgraph.$Properties|null);
     flamegraphArrow?: (parca.query.v1alpha1.FlamegraphArrow.$Properties|null);
     source?: (parca.query.v1alpha1.Source.$Properties|null);
     tableArrow?: (parca.query.v1alpha1.TableArrow.$Properties|null);
     profileMetadata?: (parca.query.v1alpha1.ProfileMetadata.$Properties|null);
     total?: Long;
     filtered?: Long;
     profileCount?: Long;
     sampleCount?: Long;
     coveredNanos?: Long;
     period?: Long;
     snapshots?: number;
     warnings?: string[];
     trimmed?: Long;
     base?: parca.query.v1alpha1.AnswerFacts.$Properties;
     search?: parca.query.v1alpha1.SearchTotals.$Properties;
     zoomedFrames?: number;
     profileTypes?: string[];
     load?: parca.query.v1alpha1.LoadRatio.$Properties;
     report?: ("flamegraph"|"pprof"|"top"|"callgraph"|"flamegraphArrow"|"source"|"tableArrow"|"profileMetadata");
     $unknowns?: Uint8Array[];
    }
    type $Shape = {
      flamegraph?: parca.query.v1alpha1.Flamegraph.$Shape|null;
      pprof?: Uint8Array|null;
      top?: parca.query.v1alpha1.Top.$Shape|null;
      callgraph?: parca.query.v1alpha1.Callgraph.$Shape|null;
      flamegraphArrow?: parca.query.v1alpha1.FlamegraphArrow.$Shape|null;
      source?: parca.query.v1alpha1.Source.$Shape|null;
      tableArrow?: parca.query.v1alpha1.TableArrow.$Shape|null;
      profileMetadata?: parca.query.v1alpha1.ProfileMetadata.$Shape|null;
      total?: Long;
      filtered?: Long;
      profileCount?: Long;
      sampleCount?: Long;
      coveredNanos?: Long;
      period?: Long;
      snapshots?: number;
      warnings?: string[];
      trimmed?: Long;
      base?: parca.query.v1alpha1.AnswerFacts.$Shape;
      search?: parca.query.v1alpha1.SearchTotals.$Shape;
      zoomedFrames?: number;
      profileTypes?: string[];
      load?: parca.query.v1alpha1.LoadRatio.$Shape;
      $unknowns?: Uint8Array[];
    } & (
      ({ report?: undefined; flamegraph?: null; pprof?: null; top?: null; callgraph?: null; flamegraphArrow?: null; source?: null; tableArrow?: null; profileMetadata?: null }|{ report?: "flamegraph"; flamegraph: parca.query.v1alpha1.Flamegraph.$Shape; pprof?: null; top?: null; callgraph?: null; flamegraphArrow?: null; source?: null; tableArrow?: null; profileMetadata?: null }|{ report?: "pprof"; flamegraph?: null; pprof: Uint8Array; top?: null; callgraph?: null; flamegraphArrow?: null; source?: null; tableArrow?: null; profileMetadata?: null }|{ report?: "top"; flamegraph?: null; pprof?: null; top: parca.query.v1alpha1.Top.$Shape; callgraph?: null; flamegraphArrow?: null; source?: null; tableArrow?: null; profileMetadata?: null }|{ report?: "callgraph"; flamegraph?: null; pprof?: null; top?: null; callgraph: parca.query.v1alpha1.Callgraph.$Shape; flamegraphArrow?: null; source?: null; tableArrow?: null; profileMetadata?: null }|{ report?: "flamegraphArrow"; flamegraph?: null; pprof?: null; top?: null; callgraph?: null; flamegraphArrow: parca.query.v1alpha1.FlamegraphArrow.$Shape; source?: null; tableArrow?: null; profileMetadata?: null }|{ report?: "source"; flamegraph?: null; pprof?: null; top?: null; callgraph?: null; flamegraphArrow?: null; source: parca.query.v1alpha1.Source.$Shape; tableArrow?: null; profileMetadata?: null }|{ report?: "tableArrow"; flamegraph?: null; pprof?: null; top?: null; callgraph?: null; flamegraphArrow?: null; source?: null; tableArrow: parca.query.v1alpha1.TableArrow.$Shape; profileMetadata?: null }|{ report?: "profileMetadata"; flamegraph?: null; pprof?: null; top?: null; callgraph?: null; flamegraphArrow?: null; source?: null; tableArrow?: null; profileMetadata: parca.query.v1alpha1.ProfileMetadata.$Shape })
    );
   }
   class LoadRatio {
    constructor(properties?: parca.query.v1alpha1.LoadRatio.$Properties);
    $unknowns?: Uint8Array[];
    ratio: number;
    relativeError: number;
    functionCount: number;
    static encode(message: parca.query.v1alpha1.LoadRatio.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.LoadRatio & parca.query.v1alpha1.LoadRatio.$Shape;
   }
   namespace LoadRatio {
    interface $Properties {
     ratio?: number;
     relativeError?: number;
     functionCount?: number;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.LoadRatio.$Properties;
   }
   class SearchTotals {
    constructor(properties?: parca.query.v1alpha1.SearchTotals.$Properties);
    $unknowns?: Uint8Array[];
    cumulative: Long;
    flat: Long;
    cumulativeDiff: Long;
    flatDiff: Long;
    names: number;
    static encode(message: parca.query.v1alpha1.SearchTotals.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.SearchTotals & parca.query.v1alpha1.SearchTotals.$Shape;
   }
   namespace SearchTotals {
    interface $Properties {
     cumulative?: Long;
     flat?: Long;
     cumulativeDiff?: Long;
     flatDiff?: Long;
     names?: number;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.SearchTotals.$Properties;
   }
   class AnswerFacts {
    constructor(properties?: parca.query.v1alpha1.AnswerFacts.$Properties);
    $unknowns?: Uint8Array[];
    total: Long;
    filtered: Long;
    profileCount: Long;
    sampleCount: Long;
    coveredNanos: Long;
    period: Long;
    snapshots: number;
    static encode(message: parca.query.v1alpha1.AnswerFacts.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.AnswerFacts & parca.query.v1alpha1.AnswerFacts.$Shape;
   }
   namespace AnswerFacts {
    interface $Properties {
     total?: Long;
     filtered?: Long;
     profileCount?: Long;
     sampleCount?: Long;
     coveredNanos?: Long;
     period?: Long;
     snapshots?: number;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.AnswerFacts.$Properties;
   }
   class SeriesRequest {
    constructor(properties?: parca.query.v1alpha1.SeriesRequest.$Properties);
    $unknowns?: Uint8Array[];
    match: string[];
    start: google.protobuf.Timestamp;
    end: google.protobuf.Timestamp;
    static encode(message: parca.query.v1alpha1.SeriesRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.SeriesRequest & parca.query.v1alpha1.SeriesRequest.$Shape;
   }
   namespace SeriesRequest {
    interface $Properties {
     match?: string[];
     start?: google.protobuf.Timestamp.$Properties;
     end?: google.protobuf.Timestamp.$Properties;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.SeriesRequest.$Properties;
   }
   class SeriesResponse {
    constructor(properties?: parca.query.v1alpha1.SeriesResponse.$Properties);
    $unknowns?: Uint8Array[];
    series: parca.profilestore.v1alpha1.LabelSet[];
    warnings: string[];
    static encode(message: parca.query.v1alpha1.SeriesResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.SeriesResponse & parca.query.v1alpha1.SeriesResponse.$Shape;
   }
   namespace SeriesResponse {
    interface $Properties {
     series?: parca.profilestore.v1alpha1.LabelSet.$Properties[];
     warnings?: string[];
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.SeriesResponse.$Properties;
   }
   class LabelsRequest {
    constructor(properties?: parca.query.v1alpha1.LabelsRequest.$Properties);
    $unknowns?: Uint8Array[];
    match: string[];
    start: google.protobuf.Timestamp;
    end: google.protobuf.Timestamp;
    profileType: (string|null);
    static encode(message: parca.query.v1alpha1.LabelsRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.LabelsRequest & parca.query.v1alpha1.LabelsRequest.$Shape;
   }
   namespace LabelsRequest {
    interface $Properties {
     match?: string[];
     start?: google.protobuf.Timestamp.$Properties;
     end?: google.protobuf.Timestamp.$Properties;
     profileType?: (string|null);
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.LabelsRequest.$Properties;
   }
   class LabelsResponse {
    constructor(properties?: parca.query.v1alpha1.LabelsResponse.$Properties);
    $unknowns?: Uint8Array[];
    labelNames: string[];
    warnings: string[];
    static encode(message: parca.query.v1alpha1.LabelsResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.LabelsResponse & parca.query.v1alpha1.LabelsResponse.$Shape;
   }
   namespace LabelsResponse {
    interface $Properties {
     labelNames?: string[];
     warnings?: string[];
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.LabelsResponse.$Properties;
   }
   class ValuesRequest {
    constructor(properties?: parca.query.v1alpha1.ValuesRequest.$Properties);
    $unknowns?: Uint8Array[];
    labelName: string;
    match: string[];
    start: google.protobuf.Timestamp;
    end: google.protobuf.Timestamp;
    profileType: (string|null);
    static encode(message: parca.query.v1alpha1.ValuesRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.ValuesRequest & parca.query.v1alpha1.ValuesRequest.$Shape;
   }
   namespace ValuesRequest {
    interface $Properties {
     labelName?: string;
     match?: string[];
     start?: google.protobuf.Timestamp.$Properties;
     end?: google.protobuf.Timestamp.$Properties;
     profileType?: (string|null);
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.ValuesRequest.$Properties;
   }
   class ValuesResponse {
    constructor(properties?: parca.query.v1alpha1.ValuesResponse.$Properties);
    $unknowns?: Uint8Array[];
    labelValues: string[];
    warnings: string[];
    static encode(message: parca.query.v1alpha1.ValuesResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.ValuesResponse & parca.query.v1alpha1.ValuesResponse.$Shape;
   }
   namespace ValuesResponse {
    interface $Properties {
     labelValues?: string[];
     warnings?: string[];
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.ValuesResponse.$Properties;
   }
   class ValueType {
    constructor(properties?: parca.query.v1alpha1.ValueType.$Properties);
    $unknowns?: Uint8Array[];
    type: string;
    unit: string;
    static encode(message: parca.query.v1alpha1.ValueType.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.ValueType & parca.query.v1alpha1.ValueType.$Shape;
   }
   namespace ValueType {
    interface $Properties {
     type?: string;
     unit?: string;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.ValueType.$Properties;
   }
   class ShareProfileRequest {
    constructor(properties?: parca.query.v1alpha1.ShareProfileRequest.$Properties);
    $unknowns?: Uint8Array[];
    queryRequest: parca.query.v1alpha1.QueryRequest;
    description: (string|null);
    static encode(message: parca.query.v1alpha1.ShareProfileRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.ShareProfileRequest & parca.query.v1alpha1.ShareProfileRequest.$Shape;
   }
   namespace ShareProfileRequest {
    interface $Properties {
     queryRequest?: parca.query.v1alpha1.QueryRequest.$Properties;
     description?: (string|null);
     $unknowns?: Uint8Array[];
    }
    type $Shape = {
      queryRequest?: parca.query.v1alpha1.QueryRequest.$Shape;
      description?: string|null;
      $unknowns?: Uint8Array[];
    };
   }
   class ShareProfileResponse {
    constructor(properties?: parca.query.v1alpha1.ShareProfileResponse.$Properties);
    $unknowns?: Uint8Array[];
    link: string;
    static encode(message: parca.query.v1alpha1.ShareProfileResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.ShareProfileResponse & parca.query.v1alpha1.ShareProfileResponse.$Shape;
   }
   namespace ShareProfileResponse {
    interface $Properties {
     link?: string;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.ShareProfileResponse.$Properties;
   }
   class TableArrow {
    constructor(properties?: parca.query.v1alpha1.TableArrow.$Properties);
    $unknowns?: Uint8Array[];
    record: Uint8Array;
    unit: string;
    static encode(message: parca.query.v1alpha1.TableArrow.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.TableArrow & parca.query.v1alpha1.TableArrow.$Shape;
   }
   namespace TableArrow {
    interface $Properties {
     record?: Uint8Array;
     unit?: string;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.TableArrow.$Properties;
   }
   class ProfileMetadata {
    constructor(properties?: parca.query.v1alpha1.ProfileMetadata.$Properties);
    $unknowns?: Uint8Array[];
    mappingFiles: string[];
    labels: string[];
    static encode(message: parca.query.v1alpha1.ProfileMetadata.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.ProfileMetadata & parca.query.v1alpha1.ProfileMetadata.$Shape;
   }
   namespace ProfileMetadata {
    interface $Properties {
     mappingFiles?: string[];
     labels?: string[];
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.ProfileMetadata.$Properties;
   }
   class HasProfileDataRequest {
    constructor(properties?: parca.query.v1alpha1.HasProfileDataRequest.$Properties);
    $unknowns?: Uint8Array[];
    static encode(message: parca.query.v1alpha1.HasProfileDataRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.HasProfileDataRequest & parca.query.v1alpha1.HasProfileDataRequest.$Shape;
   }
   namespace HasProfileDataRequest {
    interface $Properties {
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.HasProfileDataRequest.$Properties;
   }
   class HasProfileDataResponse {
    constructor(properties?: parca.query.v1alpha1.HasProfileDataResponse.$Properties);
    $unknowns?: Uint8Array[];
    hasData: boolean;
    static encode(message: parca.query.v1alpha1.HasProfileDataResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.HasProfileDataResponse & parca.query.v1alpha1.HasProfileDataResponse.$Shape;
   }
   namespace HasProfileDataResponse {
    interface $Properties {
     hasData?: boolean;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.query.v1alpha1.HasProfileDataResponse.$Properties;
   }
  }
 }
 namespace metastore {
  namespace v1alpha1 {
   class Location {
    constructor(properties?: parca.metastore.v1alpha1.Location.$Properties);
    $unknowns?: Uint8Array[];
    id: string;
    address: Long;
    mappingId: string;
    isFolded: boolean;
    lines: parca.metastore.v1alpha1.Line[];
    mappingIndex: number;
    static encode(message: parca.metastore.v1alpha1.Location.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.metastore.v1alpha1.Location & parca.metastore.v1alpha1.Location.$Shape;
   }
   namespace Location {
    interface $Properties {
     id?: string;
     address?: Long;
     mappingId?: string;
     isFolded?: boolean;
     lines?: parca.metastore.v1alpha1.Line.$Properties[];
     mappingIndex?: number;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.metastore.v1alpha1.Location.$Properties;
   }
   class Line {
    constructor(properties?: parca.metastore.v1alpha1.Line.$Properties);
    $unknowns?: Uint8Array[];
    functionId: string;
    line: Long;
    functionIndex: number;
    static encode(message: parca.metastore.v1alpha1.Line.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.metastore.v1alpha1.Line & parca.metastore.v1alpha1.Line.$Shape;
   }
   namespace Line {
    interface $Properties {
     functionId?: string;
     line?: Long;
     functionIndex?: number;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.metastore.v1alpha1.Line.$Properties;
   }
   class Function {
    constructor(properties?: parca.metastore.v1alpha1.Function.$Properties);
    $unknowns?: Uint8Array[];
    id: string;
    startLine: Long;
    name: string;
    systemName: string;
    filename: string;
    nameStringIndex: number;
    systemNameStringIndex: number;
    filenameStringIndex: number;
    static encode(message: parca.metastore.v1alpha1.Function.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.metastore.v1alpha1.Function & parca.metastore.v1alpha1.Function.$Shape;
   }
   namespace Function {
    interface $Properties {
     id?: string;
     startLine?: Long;
     name?: string;
     systemName?: string;
     filename?: string;
     nameStringIndex?: number;
     systemNameStringIndex?: number;
     filenameStringIndex?: number;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.metastore.v1alpha1.Function.$Properties;
   }
   class Mapping {
    constructor(properties?: parca.metastore.v1alpha1.Mapping.$Properties);
    $unknowns?: Uint8Array[];
    id: string;
    start: Long;
    limit: Long;
    offset: Long;
    file: string;
    buildId: string;
    hasFunctions: boolean;
    hasFilenames: boolean;
    hasLineNumbers: boolean;
    hasInlineFrames: boolean;
    fileStringIndex: number;
    buildIdStringIndex: number;
    static encode(message: parca.metastore.v1alpha1.Mapping.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.metastore.v1alpha1.Mapping & parca.metastore.v1alpha1.Mapping.$Shape;
   }
   namespace Mapping {
    interface $Properties {
     id?: string;
     start?: Long;
     limit?: Long;
     offset?: Long;
     file?: string;
     buildId?: string;
     hasFunctions?: boolean;
     hasFilenames?: boolean;
     hasLineNumbers?: boolean;
     hasInlineFrames?: boolean;
     fileStringIndex?: number;
     buildIdStringIndex?: number;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.metastore.v1alpha1.Mapping.$Properties;
   }
  }
 }
 namespace profilestore {
  namespace v1alpha1 {
   class WriteRequest {
    constructor(properties?: parca.profilestore.v1alpha1.WriteRequest.$Properties);
    $unknowns?: Uint8Array[];
    record: Uint8Array;
    static encode(message: parca.profilestore.v1alpha1.WriteRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.WriteRequest & parca.profilestore.v1alpha1.WriteRequest.$Shape;
   }
   namespace WriteRequest {
    interface $Properties {
     record?: Uint8Array;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.WriteRequest.$Properties;
   }
   class WriteResponse {
    constructor(properties?: parca.profilestore.v1alpha1.WriteResponse.$Properties);
    $unknowns?: Uint8Array[];
    record: Uint8Array;
    static encode(message: parca.profilestore.v1alpha1.WriteResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.WriteResponse & parca.profilestore.v1alpha1.WriteResponse.$Shape;
   }
   namespace WriteResponse {
    interface $Properties {
     record?: Uint8Array;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.WriteResponse.$Properties;
   }
   class WriteArrowRequest {
    constructor(properties?: parca.profilestore.v1alpha1.WriteArrowRequest.$Properties);
    $unknowns?: Uint8Array[];
    ipcBuffer: Uint8Array;
    static encode(message: parca.profilestore.v1alpha1.WriteArrowRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.WriteArrowRequest & parca.profilestore.v1alpha1.WriteArrowRequest.$Shape;
   }
   namespace WriteArrowRequest {
    interface $Properties {
     ipcBuffer?: Uint8Array;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.WriteArrowRequest.$Properties;
   }
   class WriteArrowResponse {
    constructor(properties?: parca.profilestore.v1alpha1.WriteArrowResponse.$Properties);
    $unknowns?: Uint8Array[];
    static encode(message: parca.profilestore.v1alpha1.WriteArrowResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.WriteArrowResponse & parca.profilestore.v1alpha1.WriteArrowResponse.$Shape;
   }
   namespace WriteArrowResponse {
    interface $Properties {
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.WriteArrowResponse.$Properties;
   }
   class WriteRawRequest {
    constructor(properties?: parca.profilestore.v1alpha1.WriteRawRequest.$Properties);
    $unknowns?: Uint8Array[];
    tenant: string;
    series: parca.profilestore.v1alpha1.RawProfileSeries[];
    normalized: boolean;
    static encode(message: parca.profilestore.v1alpha1.WriteRawRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.WriteRawRequest & parca.profilestore.v1alpha1.WriteRawRequest.$Shape;
   }
   namespace WriteRawRequest {
    interface $Properties {
     tenant?: string;
     series?: parca.profilestore.v1alpha1.RawProfileSeries.$Properties[];
     normalized?: boolean;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.WriteRawRequest.$Properties;
   }
   class WriteRawResponse {
    constructor(properties?: parca.profilestore.v1alpha1.WriteRawResponse.$Properties);
    $unknowns?: Uint8Array[];
    static encode(message: parca.profilestore.v1alpha1.WriteRawResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.WriteRawResponse & parca.profilestore.v1alpha1.WriteRawResponse.$Shape;
   }
   namespace WriteRawResponse {
    interface $Properties {
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.WriteRawResponse.$Properties;
   }
   class RawProfileSeries {
    constructor(properties?: parca.profilestore.v1alpha1.RawProfileSeries.$Properties);
    $unknowns?: Uint8Array[];
    labels: parca.profilestore.v1alpha1.LabelSet;
    samples: parca.profilestore.v1alpha1.RawSample[];
    static encode(message: parca.profilestore.v1alpha1.RawProfileSeries.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.RawProfileSeries & parca.profilestore.v1alpha1.RawProfileSeries.$Shape;
   }
   namespace RawProfileSeries {
    interface $Properties {
     labels?: parca.profilestore.v1alpha1.LabelSet.$Properties;
     samples?: parca.profilestore.v1alpha1.RawSample.$Properties[];
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.RawProfileSeries.$Properties;
   }
   class Label {
    constructor(properties?: parca.profilestore.v1alpha1.Label.$Properties);
    $unknowns?: Uint8Array[];
    name: string;
    value: string;
    static encode(message: parca.profilestore.v1alpha1.Label.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.Label & parca.profilestore.v1alpha1.Label.$Shape;
   }
   namespace Label {
    interface $Properties {
     name?: string;
     value?: string;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.Label.$Properties;
   }
   class LabelSet {
    constructor(properties?: parca.profilestore.v1alpha1.LabelSet.$Properties);
    $unknowns?: Uint8Array[];
    labels: parca.profilestore.v1alpha1.Label[];
    static encode(message: parca.profilestore.v1alpha1.LabelSet.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.LabelSet & parca.profilestore.v1alpha1.LabelSet.$Shape;
   }
   namespace LabelSet {
    interface $Properties {
     labels?: parca.profilestore.v1alpha1.Label.$Properties[];
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.LabelSet.$Properties;
   }
   class RawSample {
    constructor(properties?: parca.profilestore.v1alpha1.RawSample.$Properties);
    $unknowns?: Uint8Array[];
    rawProfile: Uint8Array;
    executableInfo: parca.profilestore.v1alpha1.ExecutableInfo[];
    static encode(message: parca.profilestore.v1alpha1.RawSample.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.RawSample & parca.profilestore.v1alpha1.RawSample.$Shape;
   }
   namespace RawSample {
    interface $Properties {
     rawProfile?: Uint8Array;
     executableInfo?: parca.profilestore.v1alpha1.ExecutableInfo.$Properties[];
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.RawSample.$Properties;
   }
   class ExecutableInfo {
    constructor(properties?: parca.profilestore.v1alpha1.ExecutableInfo.$Properties);
    $unknowns?: Uint8Array[];
    elfType: number;
    loadSegment: parca.profilestore.v1alpha1.LoadSegment;
    static encode(message: parca.profilestore.v1alpha1.ExecutableInfo.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.ExecutableInfo & parca.profilestore.v1alpha1.ExecutableInfo.$Shape;
   }
   namespace ExecutableInfo {
    interface $Properties {
     elfType?: number;
     loadSegment?: parca.profilestore.v1alpha1.LoadSegment.$Properties;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.ExecutableInfo.$Properties;
   }
   class LoadSegment {
    constructor(properties?: parca.profilestore.v1alpha1.LoadSegment.$Properties);
    $unknowns?: Uint8Array[];
    offset: Long;
    vaddr: Long;
    static encode(message: parca.profilestore.v1alpha1.LoadSegment.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.LoadSegment & parca.profilestore.v1alpha1.LoadSegment.$Shape;
   }
   namespace LoadSegment {
    interface $Properties {
     offset?: Long;
     vaddr?: Long;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.LoadSegment.$Properties;
   }
   class AgentsRequest {
    constructor(properties?: parca.profilestore.v1alpha1.AgentsRequest.$Properties);
    $unknowns?: Uint8Array[];
    static encode(message: parca.profilestore.v1alpha1.AgentsRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.AgentsRequest & parca.profilestore.v1alpha1.AgentsRequest.$Shape;
   }
   namespace AgentsRequest {
    interface $Properties {
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.AgentsRequest.$Properties;
   }
   class AgentsResponse {
    constructor(properties?: parca.profilestore.v1alpha1.AgentsResponse.$Properties);
    $unknowns?: Uint8Array[];
    agents: parca.profilestore.v1alpha1.Agent[];
    static encode(message: parca.profilestore.v1alpha1.AgentsResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.AgentsResponse & parca.profilestore.v1alpha1.AgentsResponse.$Shape;
   }
   namespace AgentsResponse {
    interface $Properties {
     agents?: parca.profilestore.v1alpha1.Agent.$Properties[];
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.AgentsResponse.$Properties;
   }
   class Agent {
    constructor(properties?: parca.profilestore.v1alpha1.Agent.$Properties);
    $unknowns?: Uint8Array[];
    id: string;
    lastError: string;
    lastPush: google.protobuf.Timestamp;
    lastPushDuration: google.protobuf.Duration;
    node: string;
    address: string;
    static encode(message: parca.profilestore.v1alpha1.Agent.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.Agent & parca.profilestore.v1alpha1.Agent.$Shape;
   }
   namespace Agent {
    interface $Properties {
     id?: string;
     lastError?: string;
     lastPush?: google.protobuf.Timestamp.$Properties;
     lastPushDuration?: google.protobuf.Duration.$Properties;
     node?: string;
     address?: string;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.Agent.$Properties;
   }
  }
 }
}
export namespace google {
 namespace protobuf {
  class Duration {
   constructor(properties?: google.protobuf.Duration.$Properties);
   $unknowns?: Uint8Array[];
   seconds: Long;
   nanos: number;
   static encode(message: google.protobuf.Duration.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): google.protobuf.Duration & google.protobuf.Duration.$Shape;
  }
  namespace Duration {
   interface $Properties {
    seconds?: Long;
    nanos?: number;
    $unknowns?: Uint8Array[];
   }
   type $Shape = google.protobuf.Duration.$Properties;
  }
  class Timestamp {
   constructor(properties?: google.protobuf.Timestamp.$Properties);
   $unknowns?: Uint8Array[];
   seconds: Long;
   nanos: number;
   static encode(message: google.protobuf.Timestamp.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): google.protobuf.Timestamp & google.protobuf.Timestamp.$Shape;
  }
  namespace Timestamp {
   interface $Properties {
    seconds?: Long;
    nanos?: number;
    $unknowns?: Uint8Array[];
   }
   type $Shape = google.protobuf.Timestamp.$Properties;
  }
 }
}
