// Generated from parca/query/v1alpha1/query.proto by tools/generate/proto.mjs. Do not edit.
import * as $protobuf from "protobufjs/minimal.js";
import Long = require("long");
/** Namespace parca. */
export namespace parca {
 /** Namespace query. */
 namespace query {
  /** Namespace v1alpha1. */
  namespace v1alpha1 {
   /**
    * Properties of a ProfileTypesRequest.
    * @deprecated Use parca.query.v1alpha1.ProfileTypesRequest.$Properties instead.
    */
   interface IProfileTypesRequest extends parca.query.v1alpha1.ProfileTypesRequest.$Properties {
   }
   /** Represents a ProfileTypesRequest. */
   class ProfileTypesRequest {
    /**
     * Constructs a new ProfileTypesRequest.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.ProfileTypesRequest.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** ProfileTypesRequest start. */
    start: (google.protobuf.Timestamp|null);
    /** ProfileTypesRequest end. */
    end: (google.protobuf.Timestamp|null);
    /**
     * Encodes the specified ProfileTypesRequest message. Does not implicitly {@link parca.query.v1alpha1.ProfileTypesRequest.verify|verify} messages.
     * @param message ProfileTypesRequest message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.ProfileTypesRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a ProfileTypesRequest message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.ProfileTypesRequest & parca.query.v1alpha1.ProfileTypesRequest.$Shape} ProfileTypesRequest
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.ProfileTypesRequest & parca.query.v1alpha1.ProfileTypesRequest.$Shape;
   }
   namespace ProfileTypesRequest {
    /** Properties of a ProfileTypesRequest. */
    interface $Properties {
     /** ProfileTypesRequest start */
     start?: (google.protobuf.Timestamp.$Properties|null);
     /** ProfileTypesRequest end */
     end?: (google.protobuf.Timestamp.$Properties|null);
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a ProfileTypesRequest. */
    type $Shape = parca.query.v1alpha1.ProfileTypesRequest.$Properties;
   }
   /**
    * Properties of a ProfileTypesResponse.
    * @deprecated Use parca.query.v1alpha1.ProfileTypesResponse.$Properties instead.
    */
   interface IProfileTypesResponse extends parca.query.v1alpha1.ProfileTypesResponse.$Properties {
   }
   /** Represents a ProfileTypesResponse. */
   class ProfileTypesResponse {
    /**
     * Constructs a new ProfileTypesResponse.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.ProfileTypesResponse.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** ProfileTypesResponse types. */
    types: parca.query.v1alpha1.ProfileType[];
    /**
     * Encodes the specified ProfileTypesResponse message. Does not implicitly {@link parca.query.v1alpha1.ProfileTypesResponse.verify|verify} messages.
     * @param message ProfileTypesResponse message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.ProfileTypesResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a ProfileTypesResponse message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.ProfileTypesResponse & parca.query.v1alpha1.ProfileTypesResponse.$Shape} ProfileTypesResponse
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.ProfileTypesResponse & parca.query.v1alpha1.ProfileTypesResponse.$Shape;
   }
   namespace ProfileTypesResponse {
    /** Properties of a ProfileTypesResponse. */
    interface $Properties {
     /** ProfileTypesResponse types */
     types?: parca.query.v1alpha1.ProfileType.$Properties[];
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a ProfileTypesResponse. */
    type $Shape = parca.query.v1alpha1.ProfileTypesResponse.$Properties;
   }
   /**
    * Properties of a ProfileType.
    * @deprecated Use parca.query.v1alpha1.ProfileType.$Properties instead.
    */
   interface IProfileType extends parca.query.v1alpha1.ProfileType.$Properties {
   }
   /** Represents a ProfileType. */
   class ProfileType {
    /**
     * Constructs a new ProfileType.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.ProfileType.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** ProfileType name. */
    name: string;
    /** ProfileType sampleType. */
    sampleType: string;
    /** ProfileType sampleUnit. */
    sampleUnit: string;
    /** ProfileType periodType. */
    periodType: string;
    /** ProfileType periodUnit. */
    periodUnit: string;
    /** ProfileType delta. */
    delta: boolean;
    /**
     * Encodes the specified ProfileType message. Does not implicitly {@link parca.query.v1alpha1.ProfileType.verify|verify} messages.
     * @param message ProfileType message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.ProfileType.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a ProfileType message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.ProfileType & parca.query.v1alpha1.ProfileType.$Shape} ProfileType
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.ProfileType & parca.query.v1alpha1.ProfileType.$Shape;
   }
   namespace ProfileType {
    /** Properties of a ProfileType. */
    interface $Properties {
     /** ProfileType name */
     name?: string;
     /** ProfileType sampleType */
     sampleType?: string;
     /** ProfileType sampleUnit */
     sampleUnit?: string;
     /** ProfileType periodType */
     periodType?: string;
     /** ProfileType periodUnit */
     periodUnit?: string;
     /** ProfileType delta */
     delta?: boolean;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a ProfileType. */
    type $Shape = parca.query.v1alpha1.ProfileType.$Properties;
   }
   /**
    * Properties of a QueryRangeRequest.
    * @deprecated Use parca.query.v1alpha1.QueryRangeRequest.$Properties instead.
    */
   interface IQueryRangeRequest extends parca.query.v1alpha1.QueryRangeRequest.$Properties {
   }
   /** Represents a QueryRangeRequest. */
   class QueryRangeRequest {
    /**
     * Constructs a new QueryRangeRequest.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.QueryRangeRequest.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** QueryRangeRequest query. */
    query: string;
    /** QueryRangeRequest start. */
    start: google.protobuf.Timestamp;
    /** QueryRangeRequest end. */
    end: google.protobuf.Timestamp;
    /** QueryRangeRequest limit. */
    limit: number;
    /** QueryRangeRequest step. */
    step: google.protobuf.Duration;
    /** QueryRangeRequest sumBy. */
    sumBy: string[];
    /** QueryRangeRequest averages. */
    averages: boolean;
    /**
     * Encodes the specified QueryRangeRequest message. Does not implicitly {@link parca.query.v1alpha1.QueryRangeRequest.verify|verify} messages.
     * @param message QueryRangeRequest message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.QueryRangeRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a QueryRangeRequest message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.QueryRangeRequest & parca.query.v1alpha1.QueryRangeRequest.$Shape} QueryRangeRequest
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.QueryRangeRequest & parca.query.v1alpha1.QueryRangeRequest.$Shape;
   }
   namespace QueryRangeRequest {
    /** Properties of a QueryRangeRequest. */
    interface $Properties {
     /** QueryRangeRequest query */
     query?: string;
     /** QueryRangeRequest start */
     start?: google.protobuf.Timestamp.$Properties;
     /** QueryRangeRequest end */
     end?: google.protobuf.Timestamp.$Properties;
     /** QueryRangeRequest limit */
     limit?: number;
     /** QueryRangeRequest step */
     step?: google.protobuf.Duration.$Properties;
     /** QueryRangeRequest sumBy */
     sumBy?: string[];
     /** QueryRangeRequest averages */
     averages?: boolean;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a QueryRangeRequest. */
    type $Shape = parca.query.v1alpha1.QueryRangeRequest.$Properties;
   }
   /**
    * Properties of a QueryRangeResponse.
    * @deprecated Use parca.query.v1alpha1.QueryRangeResponse.$Properties instead.
    */
   interface IQueryRangeResponse extends parca.query.v1alpha1.QueryRangeResponse.$Properties {
   }
   /** Represents a QueryRangeResponse. */
   class QueryRangeResponse {
    /**
     * Constructs a new QueryRangeResponse.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.QueryRangeResponse.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** QueryRangeResponse series. */
    series: parca.query.v1alpha1.MetricsSeries[];
    /** QueryRangeResponse warnings. */
    warnings: string[];
    /**
     * Encodes the specified QueryRangeResponse message. Does not implicitly {@link parca.query.v1alpha1.QueryRangeResponse.verify|verify} messages.
     * @param message QueryRangeResponse message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.QueryRangeResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a QueryRangeResponse message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.QueryRangeResponse & parca.query.v1alpha1.QueryRangeResponse.$Shape} QueryRangeResponse
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.QueryRangeResponse & parca.query.v1alpha1.QueryRangeResponse.$Shape;
   }
   namespace QueryRangeResponse {
    /** Properties of a QueryRangeResponse. */
    interface $Properties {
     /** QueryRangeResponse series */
     series?: parca.query.v1alpha1.MetricsSeries.$Properties[];
     /** QueryRangeResponse warnings */
     warnings?: string[];
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a QueryRangeResponse. */
    type $Shape = parca.query.v1alpha1.QueryRangeResponse.$Properties;
   }
   /**
    * Properties of a MetricsSeries.
    * @deprecated Use parca.query.v1alpha1.MetricsSeries.$Properties instead.
    */
   interface IMetricsSeries extends parca.query.v1alpha1.MetricsSeries.$Properties {
   }
   /** Represents a MetricsSeries. */
   class MetricsSeries {
    /**
     * Constructs a new MetricsSeries.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.MetricsSeries.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** MetricsSeries labelset. */
    labelset: parca.profilestore.v1alpha1.LabelSet;
    /** MetricsSeries samples. */
    samples: parca.query.v1alpha1.MetricsSample[];
    /** MetricsSeries periodType. */
    periodType: parca.query.v1alpha1.ValueType;
    /** MetricsSeries sampleType. */
    sampleType: parca.query.v1alpha1.ValueType;
    /** MetricsSeries total. */
    total: Long;
    /** MetricsSeries average. */
    average: number;
    /**
     * Encodes the specified MetricsSeries message. Does not implicitly {@link parca.query.v1alpha1.MetricsSeries.verify|verify} messages.
     * @param message MetricsSeries message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.MetricsSeries.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a MetricsSeries message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.MetricsSeries & parca.query.v1alpha1.MetricsSeries.$Shape} MetricsSeries
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.MetricsSeries & parca.query.v1alpha1.MetricsSeries.$Shape;
   }
   namespace MetricsSeries {
    /** Properties of a MetricsSeries. */
    interface $Properties {
     /** MetricsSeries labelset */
     labelset?: parca.profilestore.v1alpha1.LabelSet.$Properties;
     /** MetricsSeries samples */
     samples?: parca.query.v1alpha1.MetricsSample.$Properties[];
     /** MetricsSeries periodType */
     periodType?: parca.query.v1alpha1.ValueType.$Properties;
     /** MetricsSeries sampleType */
     sampleType?: parca.query.v1alpha1.ValueType.$Properties;
     /** MetricsSeries total */
     total?: Long;
     /** MetricsSeries average */
     average?: number;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a MetricsSeries. */
    type $Shape = parca.query.v1alpha1.MetricsSeries.$Properties;
   }
   /**
    * Properties of a MetricsSample.
    * @deprecated Use parca.query.v1alpha1.MetricsSample.$Properties instead.
    */
   interface IMetricsSample extends parca.query.v1alpha1.MetricsSample.$Properties {
   }
   /** Represents a MetricsSample. */
   class MetricsSample {
    /**
     * Constructs a new MetricsSample.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.MetricsSample.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** MetricsSample timestamp. */
    timestamp: google.protobuf.Timestamp;
    /** MetricsSample value. */
    value: Long;
    /** MetricsSample valuePerSecond. */
    valuePerSecond: number;
    /** MetricsSample duration. */
    duration: Long;
    /** MetricsSample count. */
    count: number;
    /**
     * Encodes the specified MetricsSample message. Does not implicitly {@link parca.query.v1alpha1.MetricsSample.verify|verify} messages.
     * @param message MetricsSample message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.MetricsSample.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a MetricsSample message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.MetricsSample & parca.query.v1alpha1.MetricsSample.$Shape} MetricsSample
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.MetricsSample & parca.query.v1alpha1.MetricsSample.$Shape;
   }
   namespace MetricsSample {
    /** Properties of a MetricsSample. */
    interface $Properties {
     /** MetricsSample timestamp */
     timestamp?: google.protobuf.Timestamp.$Properties;
     /** MetricsSample value */
     value?: Long;
     /** MetricsSample valuePerSecond */
     valuePerSecond?: number;
     /** MetricsSample duration */
     duration?: Long;
     /** MetricsSample count */
     count?: number;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a MetricsSample. */
    type $Shape = parca.query.v1alpha1.MetricsSample.$Properties;
   }
   /**
    * Properties of a MergeProfile.
    * @deprecated Use parca.query.v1alpha1.MergeProfile.$Properties instead.
    */
   interface IMergeProfile extends parca.query.v1alpha1.MergeProfile.$Properties {
   }
   /** Represents a MergeProfile. */
   class MergeProfile {
    /**
     * Constructs a new MergeProfile.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.MergeProfile.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** MergeProfile query. */
    query: string;
    /** MergeProfile start. */
    start: google.protobuf.Timestamp;
    /** MergeProfile end. */
    end: google.protobuf.Timestamp;
    /**
     * Encodes the specified MergeProfile message. Does not implicitly {@link parca.query.v1alpha1.MergeProfile.verify|verify} messages.
     * @param message MergeProfile message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.MergeProfile.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a MergeProfile message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.MergeProfile & parca.query.v1alpha1.MergeProfile.$Shape} MergeProfile
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.MergeProfile & parca.query.v1alpha1.MergeProfile.$Shape;
   }
   namespace MergeProfile {
    /** Properties of a MergeProfile. */
    interface $Properties {
     /** MergeProfile query */
     query?: string;
     /** MergeProfile start */
     start?: google.protobuf.Timestamp.$Properties;
     /** MergeProfile end */
     end?: google.protobuf.Timestamp.$Properties;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a MergeProfile. */
    type $Shape = parca.query.v1alpha1.MergeProfile.$Properties;
   }
   /**
    * Properties of a SingleProfile.
    * @deprecated Use parca.query.v1alpha1.SingleProfile.$Properties instead.
    */
   interface ISingleProfile extends parca.query.v1alpha1.SingleProfile.$Properties {
   }
   /** Represents a SingleProfile. */
   class SingleProfile {
    /**
     * Constructs a new SingleProfile.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.SingleProfile.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** SingleProfile time. */
    time: google.protobuf.Timestamp;
    /** SingleProfile query. */
    query: string;
    /**
     * Encodes the specified SingleProfile message. Does not implicitly {@link parca.query.v1alpha1.SingleProfile.verify|verify} messages.
     * @param message SingleProfile message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.SingleProfile.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a SingleProfile message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.SingleProfile & parca.query.v1alpha1.SingleProfile.$Shape} SingleProfile
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.SingleProfile & parca.query.v1alpha1.SingleProfile.$Shape;
   }
   namespace SingleProfile {
    /** Properties of a SingleProfile. */
    interface $Properties {
     /** SingleProfile time */
     time?: google.protobuf.Timestamp.$Properties;
     /** SingleProfile query */
     query?: string;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a SingleProfile. */
    type $Shape = parca.query.v1alpha1.SingleProfile.$Properties;
   }
   /**
    * Properties of a DiffProfile.
    * @deprecated Use parca.query.v1alpha1.DiffProfile.$Properties instead.
    */
   interface IDiffProfile extends parca.query.v1alpha1.DiffProfile.$Properties {
   }
   /** Represents a DiffProfile. */
   class DiffProfile {
    /**
     * Constructs a new DiffProfile.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.DiffProfile.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** DiffProfile a. */
    a: parca.query.v1alpha1.ProfileDiffSelection;
    /** DiffProfile b. */
    b: parca.query.v1alpha1.ProfileDiffSelection;
    /** DiffProfile absolute. */
    absolute: (boolean|null);
    /**
     * Encodes the specified DiffProfile message. Does not implicitly {@link parca.query.v1alpha1.DiffProfile.verify|verify} messages.
     * @param message DiffProfile message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.DiffProfile.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a DiffProfile message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.DiffProfile & parca.query.v1alpha1.DiffProfile.$Shape} DiffProfile
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.DiffProfile & parca.query.v1alpha1.DiffProfile.$Shape;
   }
   namespace DiffProfile {
    /** Properties of a DiffProfile. */
    interface $Properties {
     /** DiffProfile a */
     a?: parca.query.v1alpha1.ProfileDiffSelection.$Properties;
     /** DiffProfile b */
     b?: parca.query.v1alpha1.ProfileDiffSelection.$Properties;
     /** DiffProfile absolute */
     absolute?: (boolean|null);
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a DiffProfile. */
    type $Shape = {
      a?: parca.query.v1alpha1.ProfileDiffSelection.$Shape;
      b?: parca.query.v1alpha1.ProfileDiffSelection.$Shape;
      absolute?: boolean|null;
      $unknowns?: Uint8Array[];
    };
   }
   /**
    * Properties of a ProfileDiffSelection.
    * @deprecated Use parca.query.v1alpha1.ProfileDiffSelection.$Properties instead.
    */
   interface IProfileDiffSelection extends parca.query.v1alpha1.ProfileDiffSelection.$Properties {
   }
   /** Represents a ProfileDiffSelection. */
   class ProfileDiffSelection {
    /**
     * Constructs a new ProfileDiffSelection.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.ProfileDiffSelection.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** ProfileDiffSelection mode. */
    mode: parca.query.v1alpha1.ProfileDiffSelection.Mode;
    /** ProfileDiffSelection merge. */
    merge: (parca.query.v1alpha1.MergeProfile|null);
    /** ProfileDiffSelection single. */
    single: (parca.query.v1alpha1.SingleProfile|null);
    /** ProfileDiffSelection options. */
    options?: ("merge"|"single");
    /**
     * Encodes the specified ProfileDiffSelection message. Does not implicitly {@link parca.query.v1alpha1.ProfileDiffSelection.verify|verify} messages.
     * @param message ProfileDiffSelection message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.ProfileDiffSelection.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a ProfileDiffSelection message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.ProfileDiffSelection & parca.query.v1alpha1.ProfileDiffSelection.$Shape} ProfileDiffSelection
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.ProfileDiffSelection & parca.query.v1alpha1.ProfileDiffSelection.$Shape;
   }
   namespace ProfileDiffSelection {
    /** Properties of a ProfileDiffSelection. */
    interface $Properties {
     /** ProfileDiffSelection mode */
     mode?: parca.query.v1alpha1.ProfileDiffSelection.Mode;
     /** ProfileDiffSelection merge */
     merge?: (parca.query.v1alpha1.MergeProfile.$Properties|null);
     /** ProfileDiffSelection single */
     single?: (parca.query.v1alpha1.SingleProfile.$Properties|null);
     /** ProfileDiffSelection options */
     options?: ("merge"|"single");
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Narrowed shape of a ProfileDiffSelection. */
    type $Shape = {
      mode?: parca.query.v1alpha1.ProfileDiffSelection.Mode;
      merge?: parca.query.v1alpha1.MergeProfile.$Shape|null;
      single?: parca.query.v1alpha1.SingleProfile.$Shape|null;
      $unknowns?: Uint8Array[];
    } & (
      ({ options?: undefined; merge?: null; single?: null }|{ options?: "merge"; merge: parca.query.v1alpha1.MergeProfile.$Shape; single?: null }|{ options?: "single"; merge?: null; single: parca.query.v1alpha1.SingleProfile.$Shape })
    );
    /** Mode enum. */
    enum Mode {
     /** MODE_SINGLE_UNSPECIFIED value */
     MODE_SINGLE_UNSPECIFIED = 0,
     /** MODE_MERGE value */
     MODE_MERGE = 1
    }
   }
   /**
    * Properties of a QueryRequest.
    * @deprecated Use parca.query.v1alpha1.QueryRequest.$Properties instead.
    */
   interface IQueryRequest extends parca.query.v1alpha1.QueryRequest.$Properties {
   }
   /** Represents a QueryRequest. */
   class QueryRequest {
    /**
     * Constructs a new QueryRequest.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.QueryRequest.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** QueryRequest mode. */
    mode: parca.query.v1alpha1.QueryRequest.Mode;
    /** QueryRequest diff. */
    diff: (parca.query.v1alpha1.DiffProfile|null);
    /** QueryRequest merge. */
    merge: (parca.query.v1alpha1.MergeProfile|null);
    /** QueryRequest single. */
    single: (parca.query.v1alpha1.SingleProfile|null);
    /** QueryRequest reportType. */
    reportType: parca.query.v1alpha1.QueryRequest.ReportType;
    /** QueryRequest filterQuery. */
    filterQuery: (string|null);
    /** QueryRequest nodeTrimThreshold. */
    nodeTrimThreshold: (number|null);
    /** QueryRequest groupBy. */
    groupBy: (parca.query.v1alpha1.GroupBy|null);
    /** QueryRequest sourceReference. */
    sourceReference: (parca.query.v1alpha1.SourceReference|null);
    /** QueryRequest runtimeFilter. */
    runtimeFilter: (parca.query.v1alpha1.RuntimeFilter|null);
    /** QueryRequest invertCallStack. */
    invertCallStack: (boolean|null);
    /** QueryRequest filter. */
    filter: parca.query.v1alpha1.Filter[];
    /** QueryRequest sandwichByFunction. */
    sandwichByFunction: (string|null);
    /** QueryRequest rootTrimThreshold. */
    rootTrimThreshold: (number|null);
    /** QueryRequest search. */
    search: (parca.query.v1alpha1.NameSearch|null);
    /** QueryRequest zoomPath. */
    zoomPath: string[];
    /** QueryRequest options. */
    options?: ("diff"|"merge"|"single");
    /**
     * Encodes the specified QueryRequest message. Does not implicitly {@link parca.query.v1alpha1.QueryRequest.verify|verify} messages.
     * @param message QueryRequest message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.QueryRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a QueryRequest message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.QueryRequest & parca.query.v1alpha1.QueryRequest.$Shape} QueryRequest
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.QueryRequest & parca.query.v1alpha1.QueryRequest.$Shape;
   }
   namespace QueryRequest {
    /** Properties of a QueryRequest. */
    interface $Properties {
     /** QueryRequest mode */
     mode?: parca.query.v1alpha1.QueryRequest.Mode;
     /** QueryRequest diff */
     diff?: (parca.query.v1alpha1.DiffProfile.$Properties|null);
     /** QueryRequest merge */
     merge?: (parca.query.v1alpha1.MergeProfile.$Properties|null);
     /** QueryRequest single */
     single?: (parca.query.v1alpha1.SingleProfile.$Properties|null);
     /** QueryRequest reportType */
     reportType?: parca.query.v1alpha1.QueryRequest.ReportType;
     /** QueryRequest filterQuery */
     filterQuery?: (string|null);
     /** QueryRequest nodeTrimThreshold */
     nodeTrimThreshold?: (number|null);
     /** QueryRequest groupBy */
     groupBy?: (parca.query.v1alpha1.GroupBy.$Properties|null);
     /** QueryRequest sourceReference */
     sourceReference?: (parca.query.v1alpha1.SourceReference.$Properties|null);
     /** QueryRequest runtimeFilter */
     runtimeFilter?: (parca.query.v1alpha1.RuntimeFilter.$Properties|null);
     /** QueryRequest invertCallStack */
     invertCallStack?: (boolean|null);
     /** QueryRequest filter */
     filter?: parca.query.v1alpha1.Filter.$Properties[];
     /** QueryRequest sandwichByFunction */
     sandwichByFunction?: (string|null);
     /** QueryRequest rootTrimThreshold */
     rootTrimThreshold?: (number|null);
     /** QueryRequest search */
     search?: (parca.query.v1alpha1.NameSearch.$Properties|null);
     /** QueryRequest zoomPath */
     zoomPath?: string[];
     /** QueryRequest options */
     options?: ("diff"|"merge"|"single");
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Narrowed shape of a QueryRequest. */
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
      $unknowns?: Uint8Array[];
    } & (
      ({ options?: undefined; diff?: null; merge?: null; single?: null }|{ options?: "diff"; diff: parca.query.v1alpha1.DiffProfile.$Shape; merge?: null; single?: null }|{ options?: "merge"; diff?: null; merge: parca.query.v1alpha1.MergeProfile.$Shape; single?: null }|{ options?: "single"; diff?: null; merge?: null; single: parca.query.v1alpha1.SingleProfile.$Shape })
    );
    /** Mode enum. */
    enum Mode {
     /** MODE_SINGLE_UNSPECIFIED value */
     MODE_SINGLE_UNSPECIFIED = 0,
     /** MODE_DIFF value */
     MODE_DIFF = 1,
     /** MODE_MERGE value */
     MODE_MERGE = 2
    }
    /** ReportType enum. */
    enum ReportType {
     /** REPORT_TYPE_FLAMEGRAPH_UNSPECIFIED value */
     REPORT_TYPE_FLAMEGRAPH_UNSPECIFIED = 0,
     /** REPORT_TYPE_PPROF value */
     REPORT_TYPE_PPROF = 1,
     /** REPORT_TYPE_TOP value */
     REPORT_TYPE_TOP = 2,
     /** REPORT_TYPE_CALLGRAPH value */
     REPORT_TYPE_CALLGRAPH = 3,
     /** REPORT_TYPE_FLAMEGRAPH_TABLE value */
     REPORT_TYPE_FLAMEGRAPH_TABLE = 4,
     /** REPORT_TYPE_FLAMEGRAPH_ARROW value */
     REPORT_TYPE_FLAMEGRAPH_ARROW = 5,
     /** REPORT_TYPE_SOURCE value */
     REPORT_TYPE_SOURCE = 6,
     /** REPORT_TYPE_TABLE_ARROW value */
     REPORT_TYPE_TABLE_ARROW = 7,
     /** REPORT_TYPE_PROFILE_METADATA value */
     REPORT_TYPE_PROFILE_METADATA = 8,
     /** REPORT_TYPE_FLAMECHART value */
     REPORT_TYPE_FLAMECHART = 9
    }
   }
   /**
    * Properties of a NameSearch.
    * @deprecated Use parca.query.v1alpha1.NameSearch.$Properties instead.
    */
   interface INameSearch extends parca.query.v1alpha1.NameSearch.$Properties {
   }
   /** Represents a NameSearch. */
   class NameSearch {
    /**
     * Constructs a new NameSearch.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.NameSearch.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** NameSearch text. */
    text: string;
    /** NameSearch mode. */
    mode: parca.query.v1alpha1.NameSearch.Mode;
    /**
     * Encodes the specified NameSearch message. Does not implicitly {@link parca.query.v1alpha1.NameSearch.verify|verify} messages.
     * @param message NameSearch message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.NameSearch.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a NameSearch message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.NameSearch & parca.query.v1alpha1.NameSearch.$Shape} NameSearch
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.NameSearch & parca.query.v1alpha1.NameSearch.$Shape;
   }
   namespace NameSearch {
    /** Properties of a NameSearch. */
    interface $Properties {
     /** NameSearch text */
     text?: string;
     /** NameSearch mode */
     mode?: parca.query.v1alpha1.NameSearch.Mode;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a NameSearch. */
    type $Shape = parca.query.v1alpha1.NameSearch.$Properties;
    /** Mode enum. */
    enum Mode {
     /** MODE_TEXT_UNSPECIFIED value */
     MODE_TEXT_UNSPECIFIED = 0,
     /** MODE_REGEX value */
     MODE_REGEX = 1,
     /** MODE_CASE value */
     MODE_CASE = 2
    }
   }
   /**
    * Properties of a FilterCriteria.
    * @deprecated Use parca.query.v1alpha1.FilterCriteria.$Properties instead.
    */
   interface IFilterCriteria extends parca.query.v1alpha1.FilterCriteria.$Properties {
   }
   /** Represents a FilterCriteria. */
   class FilterCriteria {
    /**
     * Constructs a new FilterCriteria.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.FilterCriteria.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** FilterCriteria functionName. */
    functionName: parca.query.v1alpha1.StringCondition;
    /** FilterCriteria systemName. */
    systemName: parca.query.v1alpha1.StringCondition;
    /** FilterCriteria binary. */
    binary: parca.query.v1alpha1.StringCondition;
    /** FilterCriteria filename. */
    filename: parca.query.v1alpha1.StringCondition;
    /** FilterCriteria address. */
    address: parca.query.v1alpha1.NumberCondition;
    /** FilterCriteria lineNumber. */
    lineNumber: parca.query.v1alpha1.NumberCondition;
    /**
     * Encodes the specified FilterCriteria message. Does not implicitly {@link parca.query.v1alpha1.FilterCriteria.verify|verify} messages.
     * @param message FilterCriteria message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.FilterCriteria.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a FilterCriteria message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.FilterCriteria & parca.query.v1alpha1.FilterCriteria.$Shape} FilterCriteria
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.FilterCriteria & parca.query.v1alpha1.FilterCriteria.$Shape;
   }
   namespace FilterCriteria {
    /** Properties of a FilterCriteria. */
    interface $Properties {
     /** FilterCriteria functionName */
     functionName?: parca.query.v1alpha1.StringCondition.$Properties;
     /** FilterCriteria systemName */
     systemName?: parca.query.v1alpha1.StringCondition.$Properties;
     /** FilterCriteria binary */
     binary?: parca.query.v1alpha1.StringCondition.$Properties;
     /** FilterCriteria filename */
     filename?: parca.query.v1alpha1.StringCondition.$Properties;
     /** FilterCriteria address */
     address?: parca.query.v1alpha1.NumberCondition.$Properties;
     /** FilterCriteria lineNumber */
     lineNumber?: parca.query.v1alpha1.NumberCondition.$Properties;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a FilterCriteria. */
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
   /**
    * Properties of a StringCondition.
    * @deprecated Use parca.query.v1alpha1.StringCondition.$Properties instead.
    */
   interface IStringCondition extends parca.query.v1alpha1.StringCondition.$Properties {
   }
   /** Represents a StringCondition. */
   class StringCondition {
    /**
     * Constructs a new StringCondition.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.StringCondition.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** StringCondition equal. */
    equal: (string|null);
    /** StringCondition notEqual. */
    notEqual: (string|null);
    /** StringCondition contains. */
    contains: (string|null);
    /** StringCondition notContains. */
    notContains: (string|null);
    /** StringCondition startsWith. */
    startsWith: (string|null);
    /** StringCondition notStartsWith. */
    notStartsWith: (string|null);
    /** StringCondition condition. */
    condition?: ("equal"|"notEqual"|"contains"|"notContains"|"startsWith"|"notStartsWith");
    /**
     * Encodes the specified StringCondition message. Does not implicitly {@link parca.query.v1alpha1.StringCondition.verify|verify} messages.
     * @param message StringCondition message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.StringCondition.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a StringCondition message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.StringCondition & parca.query.v1alpha1.StringCondition.$Shape} StringCondition
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.StringCondition & parca.query.v1alpha1.StringCondition.$Shape;
   }
   namespace StringCondition {
    /** Properties of a StringCondition. */
    interface $Properties {
     /** StringCondition equal */
     equal?: (string|null);
     /** StringCondition notEqual */
     notEqual?: (string|null);
     /** StringCondition contains */
     contains?: (string|null);
     /** StringCondition notContains */
     notContains?: (string|null);
     /** StringCondition startsWith */
     startsWith?: (string|null);
     /** StringCondition notStartsWith */
     notStartsWith?: (string|null);
     /** StringCondition condition */
     condition?: ("equal"|"notEqual"|"contains"|"notContains"|"startsWith"|"notStartsWith");
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Narrowed shape of a StringCondition. */
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
   /**
    * Properties of a NumberCondition.
    * @deprecated Use parca.query.v1alpha1.NumberCondition.$Properties instead.
    */
   interface INumberCondition extends parca.query.v1alpha1.NumberCondition.$Properties {
   }
   /** Represents a NumberCondition. */
   class NumberCondition {
    /**
     * Constructs a new NumberCondition.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.NumberCondition.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** NumberCondition equal. */
    equal: (Long|null);
    /** NumberCondition notEqual. */
    notEqual: (Long|null);
    /** NumberCondition condition. */
    condition?: ("equal"|"notEqual");
    /**
     * Encodes the specified NumberCondition message. Does not implicitly {@link parca.query.v1alpha1.NumberCondition.verify|verify} messages.
     * @param message NumberCondition message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.NumberCondition.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a NumberCondition message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.NumberCondition & parca.query.v1alpha1.NumberCondition.$Shape} NumberCondition
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.NumberCondition & parca.query.v1alpha1.NumberCondition.$Shape;
   }
   namespace NumberCondition {
    /** Properties of a NumberCondition. */
    interface $Properties {
     /** NumberCondition equal */
     equal?: (Long|null);
     /** NumberCondition notEqual */
     notEqual?: (Long|null);
     /** NumberCondition condition */
     condition?: ("equal"|"notEqual");
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Narrowed shape of a NumberCondition. */
    type $Shape = {
      equal?: Long|null;
      notEqual?: Long|null;
      $unknowns?: Uint8Array[];
    } & (
      ({ condition?: undefined; equal?: null; notEqual?: null }|{ condition?: "equal"; equal: Long; notEqual?: null }|{ condition?: "notEqual"; equal?: null; notEqual: Long })
    );
   }
   /**
    * Properties of a Filter.
    * @deprecated Use parca.query.v1alpha1.Filter.$Properties instead.
    */
   interface IFilter extends parca.query.v1alpha1.Filter.$Properties {
   }
   /** Represents a Filter. */
   class Filter {
    /**
     * Constructs a new Filter.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.Filter.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** Filter stackFilter. */
    stackFilter: (parca.query.v1alpha1.StackFilter|null);
    /** Filter frameFilter. */
    frameFilter: (parca.query.v1alpha1.FrameFilter|null);
    /** Filter filter. */
    filter?: ("stackFilter"|"frameFilter");
    /**
     * Encodes the specified Filter message. Does not implicitly {@link parca.query.v1alpha1.Filter.verify|verify} messages.
     * @param message Filter message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.Filter.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a Filter message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.Filter & parca.query.v1alpha1.Filter.$Shape} Filter
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.Filter & parca.query.v1alpha1.Filter.$Shape;
   }
   namespace Filter {
    /** Properties of a Filter. */
    interface $Properties {
     /** Filter stackFilter */
     stackFilter?: (parca.query.v1alpha1.StackFilter.$Properties|null);
     /** Filter frameFilter */
     frameFilter?: (parca.query.v1alpha1.FrameFilter.$Properties|null);
     /** Filter filter */
     filter?: ("stackFilter"|"frameFilter");
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Narrowed shape of a Filter. */
    type $Shape = {
      stackFilter?: parca.query.v1alpha1.StackFilter.$Shape|null;
      frameFilter?: parca.query.v1alpha1.FrameFilter.$Shape|null;
      $unknowns?: Uint8Array[];
    } & (
      ({ filter?: undefined; stackFilter?: null; frameFilter?: null }|{ filter?: "stackFilter"; stackFilter: parca.query.v1alpha1.StackFilter.$Shape; frameFilter?: null }|{ filter?: "frameFilter"; stackFilter?: null; frameFilter: parca.query.v1alpha1.FrameFilter.$Shape })
    );
   }
   /**
    * Properties of a StackFilter.
    * @deprecated Use parca.query.v1alpha1.StackFilter.$Properties instead.
    */
   interface IStackFilter extends parca.query.v1alpha1.StackFilter.$Properties {
   }
   /** Represents a StackFilter. */
   class StackFilter {
    /**
     * Constructs a new StackFilter.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.StackFilter.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** StackFilter functionNameStackFilter. */
    functionNameStackFilter: (parca.query.v1alpha1.FunctionNameStackFilter|null);
    /** StackFilter criteria. */
    criteria: (parca.query.v1alpha1.FilterCriteria|null);
    /** StackFilter filter. */
    filter?: ("functionNameStackFilter"|"criteria");
    /**
     * Encodes the specified StackFilter message. Does not implicitly {@link parca.query.v1alpha1.StackFilter.verify|verify} messages.
     * @param message StackFilter message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.StackFilter.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a StackFilter message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.StackFilter & parca.query.v1alpha1.StackFilter.$Shape} StackFilter
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.StackFilter & parca.query.v1alpha1.StackFilter.$Shape;
   }
   namespace StackFilter {
    /** Properties of a StackFilter. */
    interface $Properties {
     /** StackFilter functionNameStackFilter */
     functionNameStackFilter?: (parca.query.v1alpha1.FunctionNameStackFilter.$Properties|null);
     /** StackFilter criteria */
     criteria?: (parca.query.v1alpha1.FilterCriteria.$Properties|null);
     /** StackFilter filter */
     filter?: ("functionNameStackFilter"|"criteria");
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Narrowed shape of a StackFilter. */
    type $Shape = {
      functionNameStackFilter?: parca.query.v1alpha1.FunctionNameStackFilter.$Shape|null;
      criteria?: parca.query.v1alpha1.FilterCriteria.$Shape|null;
      $unknowns?: Uint8Array[];
    } & (
      ({ filter?: undefined; functionNameStackFilter?: null; criteria?: null }|{ filter?: "functionNameStackFilter"; functionNameStackFilter: parca.query.v1alpha1.FunctionNameStackFilter.$Shape; criteria?: null }|{ filter?: "criteria"; functionNameStackFilter?: null; criteria: parca.query.v1alpha1.FilterCriteria.$Shape })
    );
   }
   /**
    * Properties of a FunctionNameStackFilter.
    * @deprecated Use parca.query.v1alpha1.FunctionNameStackFilter.$Properties instead.
    */
   interface IFunctionNameStackFilter extends parca.query.v1alpha1.FunctionNameStackFilter.$Properties {
   }
   /** Represents a FunctionNameStackFilter. */
   class FunctionNameStackFilter {
    /**
     * Constructs a new FunctionNameStackFilter.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.FunctionNameStackFilter.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** FunctionNameStackFilter functionToFilter. */
    functionToFilter: string;
    /** FunctionNameStackFilter exclude. */
    exclude: boolean;
    /**
     * Encodes the specified FunctionNameStackFilter message. Does not implicitly {@link parca.query.v1alpha1.FunctionNameStackFilter.verify|verify} messages.
     * @param message FunctionNameStackFilter message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.FunctionNameStackFilter.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a FunctionNameStackFilter message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.FunctionNameStackFilter & parca.query.v1alpha1.FunctionNameStackFilter.$Shape} FunctionNameStackFilter
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.FunctionNameStackFilter & parca.query.v1alpha1.FunctionNameStackFilter.$Shape;
   }
   namespace FunctionNameStackFilter {
    /** Properties of a FunctionNameStackFilter. */
    interface $Properties {
     /** FunctionNameStackFilter functionToFilter */
     functionToFilter?: string;
     /** FunctionNameStackFilter exclude */
     exclude?: boolean;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a FunctionNameStackFilter. */
    type $Shape = parca.query.v1alpha1.FunctionNameStackFilter.$Properties;
   }
   /**
    * Properties of a FrameFilter.
    * @deprecated Use parca.query.v1alpha1.FrameFilter.$Properties instead.
    */
   interface IFrameFilter extends parca.query.v1alpha1.FrameFilter.$Properties {
   }
   /** Represents a FrameFilter. */
   class FrameFilter {
    /**
     * Constructs a new FrameFilter.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.FrameFilter.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** FrameFilter binaryFrameFilter. */
    binaryFrameFilter: (parca.query.v1alpha1.BinaryFrameFilter|null);
    /** FrameFilter criteria. */
    criteria: (parca.query.v1alpha1.FilterCriteria|null);
    /** FrameFilter filter. */
    filter?: ("binaryFrameFilter"|"criteria");
    /**
     * Encodes the specified FrameFilter message. Does not implicitly {@link parca.query.v1alpha1.FrameFilter.verify|verify} messages.
     * @param message FrameFilter message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.FrameFilter.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a FrameFilter message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.FrameFilter & parca.query.v1alpha1.FrameFilter.$Shape} FrameFilter
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.FrameFilter & parca.query.v1alpha1.FrameFilter.$Shape;
   }
   namespace FrameFilter {
    /** Properties of a FrameFilter. */
    interface $Properties {
     /** FrameFilter binaryFrameFilter */
     binaryFrameFilter?: (parca.query.v1alpha1.BinaryFrameFilter.$Properties|null);
     /** FrameFilter criteria */
     criteria?: (parca.query.v1alpha1.FilterCriteria.$Properties|null);
     /** FrameFilter filter */
     filter?: ("binaryFrameFilter"|"criteria");
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Narrowed shape of a FrameFilter. */
    type $Shape = {
      binaryFrameFilter?: parca.query.v1alpha1.BinaryFrameFilter.$Shape|null;
      criteria?: parca.query.v1alpha1.FilterCriteria.$Shape|null;
      $unknowns?: Uint8Array[];
    } & (
      ({ filter?: undefined; binaryFrameFilter?: null; criteria?: null }|{ filter?: "binaryFrameFilter"; binaryFrameFilter: parca.query.v1alpha1.BinaryFrameFilter.$Shape; criteria?: null }|{ filter?: "criteria"; binaryFrameFilter?: null; criteria: parca.query.v1alpha1.FilterCriteria.$Shape })
    );
   }
   /**
    * Properties of a BinaryFrameFilter.
    * @deprecated Use parca.query.v1alpha1.BinaryFrameFilter.$Properties instead.
    */
   interface IBinaryFrameFilter extends parca.query.v1alpha1.BinaryFrameFilter.$Properties {
   }
   /** Represents a BinaryFrameFilter. */
   class BinaryFrameFilter {
    /**
     * Constructs a new BinaryFrameFilter.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.BinaryFrameFilter.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** BinaryFrameFilter includeBinaries. */
    includeBinaries: string[];
    /**
     * Encodes the specified BinaryFrameFilter message. Does not implicitly {@link parca.query.v1alpha1.BinaryFrameFilter.verify|verify} messages.
     * @param message BinaryFrameFilter message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.BinaryFrameFilter.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a BinaryFrameFilter message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.BinaryFrameFilter & parca.query.v1alpha1.BinaryFrameFilter.$Shape} BinaryFrameFilter
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.BinaryFrameFilter & parca.query.v1alpha1.BinaryFrameFilter.$Shape;
   }
   namespace BinaryFrameFilter {
    /** Properties of a BinaryFrameFilter. */
    interface $Properties {
     /** BinaryFrameFilter includeBinaries */
     includeBinaries?: string[];
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a BinaryFrameFilter. */
    type $Shape = parca.query.v1alpha1.BinaryFrameFilter.$Properties;
   }
   /**
    * Properties of a RuntimeFilter.
    * @deprecated Use parca.query.v1alpha1.RuntimeFilter.$Properties instead.
    */
   interface IRuntimeFilter extends parca.query.v1alpha1.RuntimeFilter.$Properties {
   }
   /** Represents a RuntimeFilter. */
   class RuntimeFilter {
    /**
     * Constructs a new RuntimeFilter.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.RuntimeFilter.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** RuntimeFilter showPython. */
    showPython: boolean;
    /** RuntimeFilter showRuby. */
    showRuby: boolean;
    /** RuntimeFilter showInterpretedOnly. */
    showInterpretedOnly: boolean;
    /**
     * Encodes the specified RuntimeFilter message. Does not implicitly {@link parca.query.v1alpha1.RuntimeFilter.verify|verify} messages.
     * @param message RuntimeFilter message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.RuntimeFilter.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a RuntimeFilter message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.RuntimeFilter & parca.query.v1alpha1.RuntimeFilter.$Shape} RuntimeFilter
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.RuntimeFilter & parca.query.v1alpha1.RuntimeFilter.$Shape;
   }
   namespace RuntimeFilter {
    /** Properties of a RuntimeFilter. */
    interface $Properties {
     /** RuntimeFilter showPython */
     showPython?: boolean;
     /** RuntimeFilter showRuby */
     showRuby?: boolean;
     /** RuntimeFilter showInterpretedOnly */
     showInterpretedOnly?: boolean;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a RuntimeFilter. */
    type $Shape = parca.query.v1alpha1.RuntimeFilter.$Properties;
   }
   /**
    * Properties of a SourceReference.
    * @deprecated Use parca.query.v1alpha1.SourceReference.$Properties instead.
    */
   interface ISourceReference extends parca.query.v1alpha1.SourceReference.$Properties {
   }
   /** Represents a SourceReference. */
   class SourceReference {
    /**
     * Constructs a new SourceReference.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.SourceReference.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** SourceReference buildId. */
    buildId: string;
    /** SourceReference filename. */
    filename: string;
    /** SourceReference sourceOnly. */
    sourceOnly: boolean;
    /**
     * Encodes the specified SourceReference message. Does not implicitly {@link parca.query.v1alpha1.SourceReference.verify|verify} messages.
     * @param message SourceReference message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.SourceReference.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a SourceReference message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.SourceReference & parca.query.v1alpha1.SourceReference.$Shape} SourceReference
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.SourceReference & parca.query.v1alpha1.SourceReference.$Shape;
   }
   namespace SourceReference {
    /** Properties of a SourceReference. */
    interface $Properties {
     /** SourceReference buildId */
     buildId?: string;
     /** SourceReference filename */
     filename?: string;
     /** SourceReference sourceOnly */
     sourceOnly?: boolean;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a SourceReference. */
    type $Shape = parca.query.v1alpha1.SourceReference.$Properties;
   }
   /**
    * Properties of a GroupBy.
    * @deprecated Use parca.query.v1alpha1.GroupBy.$Properties instead.
    */
   interface IGroupBy extends parca.query.v1alpha1.GroupBy.$Properties {
   }
   /** Represents a GroupBy. */
   class GroupBy {
    /**
     * Constructs a new GroupBy.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.GroupBy.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** GroupBy fields. */
    fields: string[];
    /**
     * Encodes the specified GroupBy message. Does not implicitly {@link parca.query.v1alpha1.GroupBy.verify|verify} messages.
     * @param message GroupBy message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.GroupBy.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a GroupBy message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.GroupBy & parca.query.v1alpha1.GroupBy.$Shape} GroupBy
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.GroupBy & parca.query.v1alpha1.GroupBy.$Shape;
   }
   namespace GroupBy {
    /** Properties of a GroupBy. */
    interface $Properties {
     /** GroupBy fields */
     fields?: string[];
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a GroupBy. */
    type $Shape = parca.query.v1alpha1.GroupBy.$Properties;
   }
   /**
    * Properties of a Top.
    * @deprecated Use parca.query.v1alpha1.Top.$Properties instead.
    */
   interface ITop extends parca.query.v1alpha1.Top.$Properties {
   }
   /** Represents a Top. */
   class Top {
    /**
     * Constructs a new Top.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.Top.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** Top list. */
    list: parca.query.v1alpha1.TopNode[];
    /** Top reported. */
    reported: number;
    /** Top total. */
    total: number;
    /** Top unit. */
    unit: string;
    /**
     * Encodes the specified Top message. Does not implicitly {@link parca.query.v1alpha1.Top.verify|verify} messages.
     * @param message Top message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.Top.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a Top message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.Top & parca.query.v1alpha1.Top.$Shape} Top
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.Top & parca.query.v1alpha1.Top.$Shape;
   }
   namespace Top {
    /** Properties of a Top. */
    interface $Properties {
     /** Top list */
     list?: parca.query.v1alpha1.TopNode.$Properties[];
     /** Top reported */
     reported?: number;
     /** Top total */
     total?: number;
     /** Top unit */
     unit?: string;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a Top. */
    type $Shape = parca.query.v1alpha1.Top.$Properties;
   }
   /**
    * Properties of a TopNode.
    * @deprecated Use parca.query.v1alpha1.TopNode.$Properties instead.
    */
   interface ITopNode extends parca.query.v1alpha1.TopNode.$Properties {
   }
   /** Represents a TopNode. */
   class TopNode {
    /**
     * Constructs a new TopNode.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.TopNode.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** TopNode meta. */
    meta: parca.query.v1alpha1.TopNodeMeta;
    /** TopNode cumulative. */
    cumulative: Long;
    /** TopNode flat. */
    flat: Long;
    /** TopNode diff. */
    diff: Long;
    /** TopNode flatDiff. */
    flatDiff: Long;
    /**
     * Encodes the specified TopNode message. Does not implicitly {@link parca.query.v1alpha1.TopNode.verify|verify} messages.
     * @param message TopNode message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.TopNode.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a TopNode message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.TopNode & parca.query.v1alpha1.TopNode.$Shape} TopNode
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.TopNode & parca.query.v1alpha1.TopNode.$Shape;
   }
   namespace TopNode {
    /** Properties of a TopNode. */
    interface $Properties {
     /** TopNode meta */
     meta?: parca.query.v1alpha1.TopNodeMeta.$Properties;
     /** TopNode cumulative */
     cumulative?: Long;
     /** TopNode flat */
     flat?: Long;
     /** TopNode diff */
     diff?: Long;
     /** TopNode flatDiff */
     flatDiff?: Long;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a TopNode. */
    type $Shape = parca.query.v1alpha1.TopNode.$Properties;
   }
   /**
    * Properties of a TopNodeMeta.
    * @deprecated Use parca.query.v1alpha1.TopNodeMeta.$Properties instead.
    */
   interface ITopNodeMeta extends parca.query.v1alpha1.TopNodeMeta.$Properties {
   }
   /** Represents a TopNodeMeta. */
   class TopNodeMeta {
    /**
     * Constructs a new TopNodeMeta.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.TopNodeMeta.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** TopNodeMeta location. */
    location: parca.metastore.v1alpha1.Location;
    /** TopNodeMeta mapping. */
    mapping: parca.metastore.v1alpha1.Mapping;
    /** TopNodeMeta function. */
    function: parca.metastore.v1alpha1.Function;
    /** TopNodeMeta line. */
    line: parca.metastore.v1alpha1.Line;
    /**
     * Encodes the specified TopNodeMeta message. Does not implicitly {@link parca.query.v1alpha1.TopNodeMeta.verify|verify} messages.
     * @param message TopNodeMeta message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.TopNodeMeta.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a TopNodeMeta message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.TopNodeMeta & parca.query.v1alpha1.TopNodeMeta.$Shape} TopNodeMeta
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.TopNodeMeta & parca.query.v1alpha1.TopNodeMeta.$Shape;
   }
   namespace TopNodeMeta {
    /** Properties of a TopNodeMeta. */
    interface $Properties {
     /** TopNodeMeta location */
     location?: parca.metastore.v1alpha1.Location.$Properties;
     /** TopNodeMeta mapping */
     mapping?: parca.metastore.v1alpha1.Mapping.$Properties;
     /** TopNodeMeta function */
     "function"?: parca.metastore.v1alpha1.Function.$Properties;
     /** TopNodeMeta line */
     line?: parca.metastore.v1alpha1.Line.$Properties;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a TopNodeMeta. */
    type $Shape = parca.query.v1alpha1.TopNodeMeta.$Properties;
   }
   /**
    * Properties of a Flamegraph.
    * @deprecated Use parca.query.v1alpha1.Flamegraph.$Properties instead.
    */
   interface IFlamegraph extends parca.query.v1alpha1.Flamegraph.$Properties {
   }
   /** Represents a Flamegraph. */
   class Flamegraph {
    /**
     * Constructs a new Flamegraph.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.Flamegraph.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** Flamegraph root. */
    root: parca.query.v1alpha1.FlamegraphRootNode;
    /** Flamegraph total. */
    total: Long;
    /** Flamegraph unit. */
    unit: string;
    /** Flamegraph height. */
    height: number;
    /** Flamegraph stringTable. */
    stringTable: string[];
    /** Flamegraph locations. */
    locations: parca.metastore.v1alpha1.Location[];
    /** Flamegraph mapping. */
    mapping: parca.metastore.v1alpha1.Mapping[];
    /** Flamegraph function. */
    function: parca.metastore.v1alpha1.Function[];
    /** Flamegraph untrimmedTotal. */
    untrimmedTotal: Long;
    /** Flamegraph trimmed. */
    trimmed: Long;
    /**
     * Encodes the specified Flamegraph message. Does not implicitly {@link parca.query.v1alpha1.Flamegraph.verify|verify} messages.
     * @param message Flamegraph message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.Flamegraph.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a Flamegraph message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.Flamegraph & parca.query.v1alpha1.Flamegraph.$Shape} Flamegraph
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.Flamegraph & parca.query.v1alpha1.Flamegraph.$Shape;
   }
   namespace Flamegraph {
    /** Properties of a Flamegraph. */
    interface $Properties {
     /** Flamegraph root */
     root?: parca.query.v1alpha1.FlamegraphRootNode.$Properties;
     /** Flamegraph total */
     total?: Long;
     /** Flamegraph unit */
     unit?: string;
     /** Flamegraph height */
     height?: number;
     /** Flamegraph stringTable */
     stringTable?: string[];
     /** Flamegraph locations */
     locations?: parca.metastore.v1alpha1.Location.$Properties[];
     /** Flamegraph mapping */
     mapping?: parca.metastore.v1alpha1.Mapping.$Properties[];
     /** Flamegraph function */
     "function"?: parca.metastore.v1alpha1.Function.$Properties[];
     /** Flamegraph untrimmedTotal */
     untrimmedTotal?: Long;
     /** Flamegraph trimmed */
     trimmed?: Long;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a Flamegraph. */
    type $Shape = parca.query.v1alpha1.Flamegraph.$Properties;
   }
   /**
    * Properties of a FlamegraphArrow.
    * @deprecated Use parca.query.v1alpha1.FlamegraphArrow.$Properties instead.
    */
   interface IFlamegraphArrow extends parca.query.v1alpha1.FlamegraphArrow.$Properties {
   }
   /** Represents a FlamegraphArrow. */
   class FlamegraphArrow {
    /**
     * Constructs a new FlamegraphArrow.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.FlamegraphArrow.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** FlamegraphArrow record. */
    record: Uint8Array;
    /** FlamegraphArrow unit. */
    unit: string;
    /** FlamegraphArrow height. */
    height: number;
    /** FlamegraphArrow trimmed. */
    trimmed: Long;
    /**
     * Encodes the specified FlamegraphArrow message. Does not implicitly {@link parca.query.v1alpha1.FlamegraphArrow.verify|verify} messages.
     * @param message FlamegraphArrow message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.FlamegraphArrow.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a FlamegraphArrow message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.FlamegraphArrow & parca.query.v1alpha1.FlamegraphArrow.$Shape} FlamegraphArrow
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.FlamegraphArrow & parca.query.v1alpha1.FlamegraphArrow.$Shape;
   }
   namespace FlamegraphArrow {
    /** Properties of a FlamegraphArrow. */
    interface $Properties {
     /** FlamegraphArrow record */
     record?: Uint8Array;
     /** FlamegraphArrow unit */
     unit?: string;
     /** FlamegraphArrow height */
     height?: number;
     /** FlamegraphArrow trimmed */
     trimmed?: Long;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a FlamegraphArrow. */
    type $Shape = parca.query.v1alpha1.FlamegraphArrow.$Properties;
   }
   /**
    * Properties of a Source.
    * @deprecated Use parca.query.v1alpha1.Source.$Properties instead.
    */
   interface ISource extends parca.query.v1alpha1.Source.$Properties {
   }
   /** Represents a Source. */
   class Source {
    /**
     * Constructs a new Source.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.Source.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** Source record. */
    record: Uint8Array;
    /** Source source. */
    source: string;
    /** Source unit. */
    unit: string;
    /** Source whyEmpty. */
    whyEmpty: string;
    /**
     * Encodes the specified Source message. Does not implicitly {@link parca.query.v1alpha1.Source.verify|verify} messages.
     * @param message Source message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.Source.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a Source message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.Source & parca.query.v1alpha1.Source.$Shape} Source
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.Source & parca.query.v1alpha1.Source.$Shape;
   }
   namespace Source {
    /** Properties of a Source. */
    interface $Properties {
     /** Source record */
     record?: Uint8Array;
     /** Source source */
     source?: string;
     /** Source unit */
     unit?: string;
     /** Source whyEmpty */
     whyEmpty?: string;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a Source. */
    type $Shape = parca.query.v1alpha1.Source.$Properties;
   }
   /**
    * Properties of a FlamegraphRootNode.
    * @deprecated Use parca.query.v1alpha1.FlamegraphRootNode.$Properties instead.
    */
   interface IFlamegraphRootNode extends parca.query.v1alpha1.FlamegraphRootNode.$Properties {
   }
   /** Represents a FlamegraphRootNode. */
   class FlamegraphRootNode {
    /**
     * Constructs a new FlamegraphRootNode.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.FlamegraphRootNode.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** FlamegraphRootNode cumulative. */
    cumulative: Long;
    /** FlamegraphRootNode diff. */
    diff: Long;
    /** FlamegraphRootNode children. */
    children: parca.query.v1alpha1.FlamegraphNode[];
    /**
     * Encodes the specified FlamegraphRootNode message. Does not implicitly {@link parca.query.v1alpha1.FlamegraphRootNode.verify|verify} messages.
     * @param message FlamegraphRootNode message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.FlamegraphRootNode.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a FlamegraphRootNode message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.FlamegraphRootNode & parca.query.v1alpha1.FlamegraphRootNode.$Shape} FlamegraphRootNode
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.FlamegraphRootNode & parca.query.v1alpha1.FlamegraphRootNode.$Shape;
   }
   namespace FlamegraphRootNode {
    /** Properties of a FlamegraphRootNode. */
    interface $Properties {
     /** FlamegraphRootNode cumulative */
     cumulative?: Long;
     /** FlamegraphRootNode diff */
     diff?: Long;
     /** FlamegraphRootNode children */
     children?: parca.query.v1alpha1.FlamegraphNode.$Properties[];
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a FlamegraphRootNode. */
    type $Shape = parca.query.v1alpha1.FlamegraphRootNode.$Properties;
   }
   /**
    * Properties of a FlamegraphNode.
    * @deprecated Use parca.query.v1alpha1.FlamegraphNode.$Properties instead.
    */
   interface IFlamegraphNode extends parca.query.v1alpha1.FlamegraphNode.$Properties {
   }
   /** Represents a FlamegraphNode. */
   class FlamegraphNode {
    /**
     * Constructs a new FlamegraphNode.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.FlamegraphNode.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** FlamegraphNode meta. */
    meta: parca.query.v1alpha1.FlamegraphNodeMeta;
    /** FlamegraphNode cumulative. */
    cumulative: Long;
    /** FlamegraphNode diff. */
    diff: Long;
    /** FlamegraphNode children. */
    children: parca.query.v1alpha1.FlamegraphNode[];
    /**
     * Encodes the specified FlamegraphNode message. Does not implicitly {@link parca.query.v1alpha1.FlamegraphNode.verify|verify} messages.
     * @param message FlamegraphNode message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.FlamegraphNode.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a FlamegraphNode message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.FlamegraphNode & parca.query.v1alpha1.FlamegraphNode.$Shape} FlamegraphNode
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.FlamegraphNode & parca.query.v1alpha1.FlamegraphNode.$Shape;
   }
   namespace FlamegraphNode {
    /** Properties of a FlamegraphNode. */
    interface $Properties {
     /** FlamegraphNode meta */
     meta?: parca.query.v1alpha1.FlamegraphNodeMeta.$Properties;
     /** FlamegraphNode cumulative */
     cumulative?: Long;
     /** FlamegraphNode diff */
     diff?: Long;
     /** FlamegraphNode children */
     children?: parca.query.v1alpha1.FlamegraphNode.$Properties[];
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a FlamegraphNode. */
    type $Shape = parca.query.v1alpha1.FlamegraphNode.$Properties;
   }
   /**
    * Properties of a FlamegraphNodeMeta.
    * @deprecated Use parca.query.v1alpha1.FlamegraphNodeMeta.$Properties instead.
    */
   interface IFlamegraphNodeMeta extends parca.query.v1alpha1.FlamegraphNodeMeta.$Properties {
   }
   /** Represents a FlamegraphNodeMeta. */
   class FlamegraphNodeMeta {
    /**
     * Constructs a new FlamegraphNodeMeta.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.FlamegraphNodeMeta.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** FlamegraphNodeMeta location. */
    location: parca.metastore.v1alpha1.Location;
    /** FlamegraphNodeMeta mapping. */
    mapping: parca.metastore.v1alpha1.Mapping;
    /** FlamegraphNodeMeta function. */
    function: parca.metastore.v1alpha1.Function;
    /** FlamegraphNodeMeta line. */
    line: parca.metastore.v1alpha1.Line;
    /** FlamegraphNodeMeta locationIndex. */
    locationIndex: number;
    /** FlamegraphNodeMeta lineIndex. */
    lineIndex: number;
    /**
     * Encodes the specified FlamegraphNodeMeta message. Does not implicitly {@link parca.query.v1alpha1.FlamegraphNodeMeta.verify|verify} messages.
     * @param message FlamegraphNodeMeta message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.FlamegraphNodeMeta.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a FlamegraphNodeMeta message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.FlamegraphNodeMeta & parca.query.v1alpha1.FlamegraphNodeMeta.$Shape} FlamegraphNodeMeta
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.FlamegraphNodeMeta & parca.query.v1alpha1.FlamegraphNodeMeta.$Shape;
   }
   namespace FlamegraphNodeMeta {
    /** Properties of a FlamegraphNodeMeta. */
    interface $Properties {
     /** FlamegraphNodeMeta location */
     location?: parca.metastore.v1alpha1.Location.$Properties;
     /** FlamegraphNodeMeta mapping */
     mapping?: parca.metastore.v1alpha1.Mapping.$Properties;
     /** FlamegraphNodeMeta function */
     "function"?: parca.metastore.v1alpha1.Function.$Properties;
     /** FlamegraphNodeMeta line */
     line?: parca.metastore.v1alpha1.Line.$Properties;
     /** FlamegraphNodeMeta locationIndex */
     locationIndex?: number;
     /** FlamegraphNodeMeta lineIndex */
     lineIndex?: number;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a FlamegraphNodeMeta. */
    type $Shape = parca.query.v1alpha1.FlamegraphNodeMeta.$Properties;
   }
   /**
    * Properties of a CallgraphNode.
    * @deprecated Use parca.query.v1alpha1.CallgraphNode.$Properties instead.
    */
   interface ICallgraphNode extends parca.query.v1alpha1.CallgraphNode.$Properties {
   }
   /** Represents a CallgraphNode. */
   class CallgraphNode {
    /**
     * Constructs a new CallgraphNode.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.CallgraphNode.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** CallgraphNode id. */
    id: string;
    /** CallgraphNode meta. */
    meta: parca.query.v1alpha1.CallgraphNodeMeta;
    /** CallgraphNode cumulative. */
    cumulative: Long;
    /** CallgraphNode flat. */
    flat: Long;
    /** CallgraphNode diff. */
    diff: Long;
    /** CallgraphNode flatDiff. */
    flatDiff: Long;
    /**
     * Encodes the specified CallgraphNode message. Does not implicitly {@link parca.query.v1alpha1.CallgraphNode.verify|verify} messages.
     * @param message CallgraphNode message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.CallgraphNode.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a CallgraphNode message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.CallgraphNode & parca.query.v1alpha1.CallgraphNode.$Shape} CallgraphNode
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.CallgraphNode & parca.query.v1alpha1.CallgraphNode.$Shape;
   }
   namespace CallgraphNode {
    /** Properties of a CallgraphNode. */
    interface $Properties {
     /** CallgraphNode id */
     id?: string;
     /** CallgraphNode meta */
     meta?: parca.query.v1alpha1.CallgraphNodeMeta.$Properties;
     /** CallgraphNode cumulative */
     cumulative?: Long;
     /** CallgraphNode flat */
     flat?: Long;
     /** CallgraphNode diff */
     diff?: Long;
     /** CallgraphNode flatDiff */
     flatDiff?: Long;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a CallgraphNode. */
    type $Shape = parca.query.v1alpha1.CallgraphNode.$Properties;
   }
   /**
    * Properties of a CallgraphNodeMeta.
    * @deprecated Use parca.query.v1alpha1.CallgraphNodeMeta.$Properties instead.
    */
   interface ICallgraphNodeMeta extends parca.query.v1alpha1.CallgraphNodeMeta.$Properties {
   }
   /** Represents a CallgraphNodeMeta. */
   class CallgraphNodeMeta {
    /**
     * Constructs a new CallgraphNodeMeta.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.CallgraphNodeMeta.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** CallgraphNodeMeta location. */
    location: parca.metastore.v1alpha1.Location;
    /** CallgraphNodeMeta mapping. */
    mapping: parca.metastore.v1alpha1.Mapping;
    /** CallgraphNodeMeta function. */
    function: parca.metastore.v1alpha1.Function;
    /** CallgraphNodeMeta line. */
    line: parca.metastore.v1alpha1.Line;
    /**
     * Encodes the specified CallgraphNodeMeta message. Does not implicitly {@link parca.query.v1alpha1.CallgraphNodeMeta.verify|verify} messages.
     * @param message CallgraphNodeMeta message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.CallgraphNodeMeta.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a CallgraphNodeMeta message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.CallgraphNodeMeta & parca.query.v1alpha1.CallgraphNodeMeta.$Shape} CallgraphNodeMeta
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.CallgraphNodeMeta & parca.query.v1alpha1.CallgraphNodeMeta.$Shape;
   }
   namespace CallgraphNodeMeta {
    /** Properties of a CallgraphNodeMeta. */
    interface $Properties {
     /** CallgraphNodeMeta location */
     location?: parca.metastore.v1alpha1.Location.$Properties;
     /** CallgraphNodeMeta mapping */
     mapping?: parca.metastore.v1alpha1.Mapping.$Properties;
     /** CallgraphNodeMeta function */
     "function"?: parca.metastore.v1alpha1.Function.$Properties;
     /** CallgraphNodeMeta line */
     line?: parca.metastore.v1alpha1.Line.$Properties;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a CallgraphNodeMeta. */
    type $Shape = parca.query.v1alpha1.CallgraphNodeMeta.$Properties;
   }
   /**
    * Properties of a CallgraphEdge.
    * @deprecated Use parca.query.v1alpha1.CallgraphEdge.$Properties instead.
    */
   interface ICallgraphEdge extends parca.query.v1alpha1.CallgraphEdge.$Properties {
   }
   /** Represents a CallgraphEdge. */
   class CallgraphEdge {
    /**
     * Constructs a new CallgraphEdge.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.CallgraphEdge.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** CallgraphEdge id. */
    id: string;
    /** CallgraphEdge source. */
    source: string;
    /** CallgraphEdge target. */
    target: string;
    /** CallgraphEdge cumulative. */
    cumulative: Long;
    /** CallgraphEdge isCollapsed. */
    isCollapsed: boolean;
    /** CallgraphEdge diff. */
    diff: Long;
    /**
     * Encodes the specified CallgraphEdge message. Does not implicitly {@link parca.query.v1alpha1.CallgraphEdge.verify|verify} messages.
     * @param message CallgraphEdge message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.CallgraphEdge.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a CallgraphEdge message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.CallgraphEdge & parca.query.v1alpha1.CallgraphEdge.$Shape} CallgraphEdge
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.CallgraphEdge & parca.query.v1alpha1.CallgraphEdge.$Shape;
   }
   namespace CallgraphEdge {
    /** Properties of a CallgraphEdge. */
    interface $Properties {
     /** CallgraphEdge id */
     id?: string;
     /** CallgraphEdge source */
     source?: string;
     /** CallgraphEdge target */
     target?: string;
     /** CallgraphEdge cumulative */
     cumulative?: Long;
     /** CallgraphEdge isCollapsed */
     isCollapsed?: boolean;
     /** CallgraphEdge diff */
     diff?: Long;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a CallgraphEdge. */
    type $Shape = parca.query.v1alpha1.CallgraphEdge.$Properties;
   }
   /**
    * Properties of a Callgraph.
    * @deprecated Use parca.query.v1alpha1.Callgraph.$Properties instead.
    */
   interface ICallgraph extends parca.query.v1alpha1.Callgraph.$Properties {
   }
   /** Represents a Callgraph. */
   class Callgraph {
    /**
     * Constructs a new Callgraph.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.Callgraph.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** Callgraph nodes. */
    nodes: parca.query.v1alpha1.CallgraphNode[];
    /** Callgraph edges. */
    edges: parca.query.v1alpha1.CallgraphEdge[];
    /** Callgraph cumulative. */
    cumulative: Long;
    /**
     * Encodes the specified Callgraph message. Does not implicitly {@link parca.query.v1alpha1.Callgraph.verify|verify} messages.
     * @param message Callgraph message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.Callgraph.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a Callgraph message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.Callgraph & parca.query.v1alpha1.Callgraph.$Shape} Callgraph
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.Callgraph & parca.query.v1alpha1.Callgraph.$Shape;
   }
   namespace Callgraph {
    /** Properties of a Callgraph. */
    interface $Properties {
     /** Callgraph nodes */
     nodes?: parca.query.v1alpha1.CallgraphNode.$Properties[];
     /** Callgraph edges */
     edges?: parca.query.v1alpha1.CallgraphEdge.$Properties[];
     /** Callgraph cumulative */
     cumulative?: Long;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a Callgraph. */
    type $Shape = parca.query.v1alpha1.Callgraph.$Properties;
   }
   /**
    * Properties of a QueryResponse.
    * @deprecated Use parca.query.v1alpha1.QueryResponse.$Properties instead.
    */
   interface IQueryResponse extends parca.query.v1alpha1.QueryResponse.$Properties {
   }
   /** Represents a QueryResponse. */
   class QueryResponse {
    /**
     * Constructs a new QueryResponse.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.QueryResponse.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** QueryResponse flamegraph. */
    flamegraph: (parca.query.v1alpha1.Flamegraph|null);
    /** QueryResponse pprof. */
    pprof: (Uint8Array|null);
    /** QueryResponse top. */
    top: (parca.query.v1alpha1.Top|null);
    /** QueryResponse callgraph. */
    callgraph: (parca.query.v1alpha1.Callgraph|null);
    /** QueryResponse flamegraphArrow. */
    flamegraphArrow: (parca.query.v1alpha1.FlamegraphArrow|null);
    /** QueryResponse source. */
    source: (parca.query.v1alpha1.Source|null);
    /** QueryResponse tableArrow. */
    tableArrow: (parca.query.v1alpha1.TableArrow|null);
    /** QueryResponse profileMetadata. */
    profileMetadata: (parca.query.v1alpha1.ProfileMetadata|null);
    /** QueryResponse total. */
    total: Long;
    /** QueryResponse filtered. */
    filtered: Long;
    /** QueryResponse profileCount. */
    profileCount: Long;
    /** QueryResponse sampleCount. */
    sampleCount: Long;
    /** QueryResponse coveredNanos. */
    coveredNanos: Long;
    /** QueryResponse period. */
    period: Long;
    /** QueryResponse snapshots. */
    snapshots: number;
    /** QueryResponse warnings. */
    warnings: string[];
    /** QueryResponse trimmed. */
    trimmed: Long;
    /** QueryResponse base. */
    base: parca.query.v1alpha1.AnswerFacts;
    /** QueryResponse search. */
    search: parca.query.v1alpha1.SearchTotals;
    /** QueryResponse zoomedFrames. */
    zoomedFrames: number;
    /** QueryResponse report. */
    report?: ("flamegraph"|"pprof"|"top"|"callgraph"|"flamegraphArrow"|"source"|"tableArrow"|"profileMetadata");
    /**
     * Encodes the specified QueryResponse message. Does not implicitly {@link parca.query.v1alpha1.QueryResponse.verify|verify} messages.
     * @param message QueryResponse message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.QueryResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a QueryResponse message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.QueryResponse & parca.query.v1alpha1.QueryResponse.$Shape} QueryResponse
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.QueryResponse & parca.query.v1alpha1.QueryResponse.$Shape;
   }
   namespace QueryResponse {
    /** Properties of a QueryResponse. */
    interface $Properties {
     /** QueryResponse flamegraph */
     flamegraph?: (parca.query.v1alpha1.Flamegraph.$Properties|null);
     /** QueryResponse pprof */
     pprof?: (Uint8Array|null);
     /** QueryResponse top */
     top?: (parca.query.v1alpha1.Top.$Properties|null);
     /** QueryResponse callgraph */
     callgraph?: (parca.query.v1alpha1.Callgraph.$Properties|null);
     /** QueryResponse flamegraphArrow */
     flamegraphArrow?: (parca.query.v1alpha1.FlamegraphArrow.$Properties|null);
     /** QueryResponse source */
     source?: (parca.query.v1alpha1.Source.$Properties|null);
     /** QueryResponse tableArrow */
     tableArrow?: (parca.query.v1alpha1.TableArrow.$Properties|null);
     /** QueryResponse profileMetadata */
     profileMetadata?: (parca.query.v1alpha1.ProfileMetadata.$Properties|null);
     /** QueryResponse total */
     total?: Long;
     /** QueryResponse filtered */
     filtered?: Long;
     /** QueryResponse profileCount */
     profileCount?: Long;
     /** QueryResponse sampleCount */
     sampleCount?: Long;
     /** QueryResponse coveredNanos */
     coveredNanos?: Long;
     /** QueryResponse period */
     period?: Long;
     /** QueryResponse snapshots */
     snapshots?: number;
     /** QueryResponse warnings */
     warnings?: string[];
     /** QueryResponse trimmed */
     trimmed?: Long;
     /** QueryResponse base */
     base?: parca.query.v1alpha1.AnswerFacts.$Properties;
     /** QueryResponse search */
     search?: parca.query.v1alpha1.SearchTotals.$Properties;
     /** QueryResponse zoomedFrames */
     zoomedFrames?: number;
     /** QueryResponse report */
     report?: ("flamegraph"|"pprof"|"top"|"callgraph"|"flamegraphArrow"|"source"|"tableArrow"|"profileMetadata");
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Narrowed shape of a QueryResponse. */
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
      $unknowns?: Uint8Array[];
    } & (
      ({ report?: undefined; flamegraph?: null; pprof?: null; top?: null; callgraph?: null; flamegraphArrow?: null; source?: null; tableArrow?: null; profileMetadata?: null }|{ report?: "flamegraph"; flamegraph: parca.query.v1alpha1.Flamegraph.$Shape; pprof?: null; top?: null; callgraph?: null; flamegraphArrow?: null; source?: null; tableArrow?: null; profileMetadata?: null }|{ report?: "pprof"; flamegraph?: null; pprof: Uint8Array; top?: null; callgraph?: null; flamegraphArrow?: null; source?: null; tableArrow?: null; profileMetadata?: null }|{ report?: "top"; flamegraph?: null; pprof?: null; top: parca.query.v1alpha1.Top.$Shape; callgraph?: null; flamegraphArrow?: null; source?: null; tableArrow?: null; profileMetadata?: null }|{ report?: "callgraph"; flamegraph?: null; pprof?: null; top?: null; callgraph: parca.query.v1alpha1.Callgraph.$Shape; flamegraphArrow?: null; source?: null; tableArrow?: null; profileMetadata?: null }|{ report?: "flamegraphArrow"; flamegraph?: null; pprof?: null; top?: null; callgraph?: null; flamegraphArrow: parca.query.v1alpha1.FlamegraphArrow.$Shape; source?: null; tableArrow?: null; profileMetadata?: null }|{ report?: "source"; flamegraph?: null; pprof?: null; top?: null; callgraph?: null; flamegraphArrow?: null; source: parca.query.v1alpha1.Source.$Shape; tableArrow?: null; profileMetadata?: null }|{ report?: "tableArrow"; flamegraph?: null; pprof?: null; top?: null; callgraph?: null; flamegraphArrow?: null; source?: null; tableArrow: parca.query.v1alpha1.TableArrow.$Shape; profileMetadata?: null }|{ report?: "profileMetadata"; flamegraph?: null; pprof?: null; top?: null; callgraph?: null; flamegraphArrow?: null; source?: null; tableArrow?: null; profileMetadata: parca.query.v1alpha1.ProfileMetadata.$Shape })
    );
   }
   /**
    * Properties of a SearchTotals.
    * @deprecated Use parca.query.v1alpha1.SearchTotals.$Properties instead.
    */
   interface ISearchTotals extends parca.query.v1alpha1.SearchTotals.$Properties {
   }
   /** Represents a SearchTotals. */
   class SearchTotals {
    /**
     * Constructs a new SearchTotals.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.SearchTotals.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** SearchTotals cumulative. */
    cumulative: Long;
    /** SearchTotals flat. */
    flat: Long;
    /** SearchTotals cumulativeDiff. */
    cumulativeDiff: Long;
    /** SearchTotals flatDiff. */
    flatDiff: Long;
    /** SearchTotals names. */
    names: number;
    /**
     * Encodes the specified SearchTotals message. Does not implicitly {@link parca.query.v1alpha1.SearchTotals.verify|verify} messages.
     * @param message SearchTotals message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.SearchTotals.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a SearchTotals message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.SearchTotals & parca.query.v1alpha1.SearchTotals.$Shape} SearchTotals
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.SearchTotals & parca.query.v1alpha1.SearchTotals.$Shape;
   }
   namespace SearchTotals {
    /** Properties of a SearchTotals. */
    interface $Properties {
     /** SearchTotals cumulative */
     cumulative?: Long;
     /** SearchTotals flat */
     flat?: Long;
     /** SearchTotals cumulativeDiff */
     cumulativeDiff?: Long;
     /** SearchTotals flatDiff */
     flatDiff?: Long;
     /** SearchTotals names */
     names?: number;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a SearchTotals. */
    type $Shape = parca.query.v1alpha1.SearchTotals.$Properties;
   }
   /**
    * Properties of an AnswerFacts.
    * @deprecated Use parca.query.v1alpha1.AnswerFacts.$Properties instead.
    */
   interface IAnswerFacts extends parca.query.v1alpha1.AnswerFacts.$Properties {
   }
   /** Represents an AnswerFacts. */
   class AnswerFacts {
    /**
     * Constructs a new AnswerFacts.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.AnswerFacts.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** AnswerFacts total. */
    total: Long;
    /** AnswerFacts filtered. */
    filtered: Long;
    /** AnswerFacts profileCount. */
    profileCount: Long;
    /** AnswerFacts sampleCount. */
    sampleCount: Long;
    /** AnswerFacts coveredNanos. */
    coveredNanos: Long;
    /** AnswerFacts period. */
    period: Long;
    /** AnswerFacts snapshots. */
    snapshots: number;
    /**
     * Encodes the specified AnswerFacts message. Does not implicitly {@link parca.query.v1alpha1.AnswerFacts.verify|verify} messages.
     * @param message AnswerFacts message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.AnswerFacts.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes an AnswerFacts message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.AnswerFacts & parca.query.v1alpha1.AnswerFacts.$Shape} AnswerFacts
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.AnswerFacts & parca.query.v1alpha1.AnswerFacts.$Shape;
   }
   namespace AnswerFacts {
    /** Properties of an AnswerFacts. */
    interface $Properties {
     /** AnswerFacts total */
     total?: Long;
     /** AnswerFacts filtered */
     filtered?: Long;
     /** AnswerFacts profileCount */
     profileCount?: Long;
     /** AnswerFacts sampleCount */
     sampleCount?: Long;
     /** AnswerFacts coveredNanos */
     coveredNanos?: Long;
     /** AnswerFacts period */
     period?: Long;
     /** AnswerFacts snapshots */
     snapshots?: number;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of an AnswerFacts. */
    type $Shape = parca.query.v1alpha1.AnswerFacts.$Properties;
   }
   /**
    * Properties of a SeriesRequest.
    * @deprecated Use parca.query.v1alpha1.SeriesRequest.$Properties instead.
    */
   interface ISeriesRequest extends parca.query.v1alpha1.SeriesRequest.$Properties {
   }
   /** Represents a SeriesRequest. */
   class SeriesRequest {
    /**
     * Constructs a new SeriesRequest.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.SeriesRequest.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** SeriesRequest match. */
    match: string[];
    /** SeriesRequest start. */
    start: google.protobuf.Timestamp;
    /** SeriesRequest end. */
    end: google.protobuf.Timestamp;
    /**
     * Encodes the specified SeriesRequest message. Does not implicitly {@link parca.query.v1alpha1.SeriesRequest.verify|verify} messages.
     * @param message SeriesRequest message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.SeriesRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a SeriesRequest message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.SeriesRequest & parca.query.v1alpha1.SeriesRequest.$Shape} SeriesRequest
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.SeriesRequest & parca.query.v1alpha1.SeriesRequest.$Shape;
   }
   namespace SeriesRequest {
    /** Properties of a SeriesRequest. */
    interface $Properties {
     /** SeriesRequest match */
     match?: string[];
     /** SeriesRequest start */
     start?: google.protobuf.Timestamp.$Properties;
     /** SeriesRequest end */
     end?: google.protobuf.Timestamp.$Properties;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a SeriesRequest. */
    type $Shape = parca.query.v1alpha1.SeriesRequest.$Properties;
   }
   /**
    * Properties of a SeriesResponse.
    * @deprecated Use parca.query.v1alpha1.SeriesResponse.$Properties instead.
    */
   interface ISeriesResponse extends parca.query.v1alpha1.SeriesResponse.$Properties {
   }
   /** Represents a SeriesResponse. */
   class SeriesResponse {
    /**
     * Constructs a new SeriesResponse.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.SeriesResponse.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** SeriesResponse series. */
    series: parca.profilestore.v1alpha1.LabelSet[];
    /** SeriesResponse warnings. */
    warnings: string[];
    /**
     * Encodes the specified SeriesResponse message. Does not implicitly {@link parca.query.v1alpha1.SeriesResponse.verify|verify} messages.
     * @param message SeriesResponse message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.SeriesResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a SeriesResponse message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.SeriesResponse & parca.query.v1alpha1.SeriesResponse.$Shape} SeriesResponse
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.SeriesResponse & parca.query.v1alpha1.SeriesResponse.$Shape;
   }
   namespace SeriesResponse {
    /** Properties of a SeriesResponse. */
    interface $Properties {
     /** SeriesResponse series */
     series?: parca.profilestore.v1alpha1.LabelSet.$Properties[];
     /** SeriesResponse warnings */
     warnings?: string[];
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a SeriesResponse. */
    type $Shape = parca.query.v1alpha1.SeriesResponse.$Properties;
   }
   /**
    * Properties of a LabelsRequest.
    * @deprecated Use parca.query.v1alpha1.LabelsRequest.$Properties instead.
    */
   interface ILabelsRequest extends parca.query.v1alpha1.LabelsRequest.$Properties {
   }
   /** Represents a LabelsRequest. */
   class LabelsRequest {
    /**
     * Constructs a new LabelsRequest.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.LabelsRequest.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** LabelsRequest match. */
    match: string[];
    /** LabelsRequest start. */
    start: google.protobuf.Timestamp;
    /** LabelsRequest end. */
    end: google.protobuf.Timestamp;
    /** LabelsRequest profileType. */
    profileType: (string|null);
    /**
     * Encodes the specified LabelsRequest message. Does not implicitly {@link parca.query.v1alpha1.LabelsRequest.verify|verify} messages.
     * @param message LabelsRequest message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.LabelsRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a LabelsRequest message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.LabelsRequest & parca.query.v1alpha1.LabelsRequest.$Shape} LabelsRequest
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.LabelsRequest & parca.query.v1alpha1.LabelsRequest.$Shape;
   }
   namespace LabelsRequest {
    /** Properties of a LabelsRequest. */
    interface $Properties {
     /** LabelsRequest match */
     match?: string[];
     /** LabelsRequest start */
     start?: google.protobuf.Timestamp.$Properties;
     /** LabelsRequest end */
     end?: google.protobuf.Timestamp.$Properties;
     /** LabelsRequest profileType */
     profileType?: (string|null);
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a LabelsRequest. */
    type $Shape = parca.query.v1alpha1.LabelsRequest.$Properties;
   }
   /**
    * Properties of a LabelsResponse.
    * @deprecated Use parca.query.v1alpha1.LabelsResponse.$Properties instead.
    */
   interface ILabelsResponse extends parca.query.v1alpha1.LabelsResponse.$Properties {
   }
   /** Represents a LabelsResponse. */
   class LabelsResponse {
    /**
     * Constructs a new LabelsResponse.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.LabelsResponse.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** LabelsResponse labelNames. */
    labelNames: string[];
    /** LabelsResponse warnings. */
    warnings: string[];
    /**
     * Encodes the specified LabelsResponse message. Does not implicitly {@link parca.query.v1alpha1.LabelsResponse.verify|verify} messages.
     * @param message LabelsResponse message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.LabelsResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a LabelsResponse message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.LabelsResponse & parca.query.v1alpha1.LabelsResponse.$Shape} LabelsResponse
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.LabelsResponse & parca.query.v1alpha1.LabelsResponse.$Shape;
   }
   namespace LabelsResponse {
    /** Properties of a LabelsResponse. */
    interface $Properties {
     /** LabelsResponse labelNames */
     labelNames?: string[];
     /** LabelsResponse warnings */
     warnings?: string[];
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a LabelsResponse. */
    type $Shape = parca.query.v1alpha1.LabelsResponse.$Properties;
   }
   /**
    * Properties of a ValuesRequest.
    * @deprecated Use parca.query.v1alpha1.ValuesRequest.$Properties instead.
    */
   interface IValuesRequest extends parca.query.v1alpha1.ValuesRequest.$Properties {
   }
   /** Represents a ValuesRequest. */
   class ValuesRequest {
    /**
     * Constructs a new ValuesRequest.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.ValuesRequest.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** ValuesRequest labelName. */
    labelName: string;
    /** ValuesRequest match. */
    match: string[];
    /** ValuesRequest start. */
    start: google.protobuf.Timestamp;
    /** ValuesRequest end. */
    end: google.protobuf.Timestamp;
    /** ValuesRequest profileType. */
    profileType: (string|null);
    /**
     * Encodes the specified ValuesRequest message. Does not implicitly {@link parca.query.v1alpha1.ValuesRequest.verify|verify} messages.
     * @param message ValuesRequest message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.ValuesRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a ValuesRequest message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.ValuesRequest & parca.query.v1alpha1.ValuesRequest.$Shape} ValuesRequest
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.ValuesRequest & parca.query.v1alpha1.ValuesRequest.$Shape;
   }
   namespace ValuesRequest {
    /** Properties of a ValuesRequest. */
    interface $Properties {
     /** ValuesRequest labelName */
     labelName?: string;
     /** ValuesRequest match */
     match?: string[];
     /** ValuesRequest start */
     start?: google.protobuf.Timestamp.$Properties;
     /** ValuesRequest end */
     end?: google.protobuf.Timestamp.$Properties;
     /** ValuesRequest profileType */
     profileType?: (string|null);
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a ValuesRequest. */
    type $Shape = parca.query.v1alpha1.ValuesRequest.$Properties;
   }
   /**
    * Properties of a ValuesResponse.
    * @deprecated Use parca.query.v1alpha1.ValuesResponse.$Properties instead.
    */
   interface IValuesResponse extends parca.query.v1alpha1.ValuesResponse.$Properties {
   }
   /** Represents a ValuesResponse. */
   class ValuesResponse {
    /**
     * Constructs a new ValuesResponse.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.ValuesResponse.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** ValuesResponse labelValues. */
    labelValues: string[];
    /** ValuesResponse warnings. */
    warnings: string[];
    /**
     * Encodes the specified ValuesResponse message. Does not implicitly {@link parca.query.v1alpha1.ValuesResponse.verify|verify} messages.
     * @param message ValuesResponse message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.ValuesResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a ValuesResponse message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.ValuesResponse & parca.query.v1alpha1.ValuesResponse.$Shape} ValuesResponse
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.ValuesResponse & parca.query.v1alpha1.ValuesResponse.$Shape;
   }
   namespace ValuesResponse {
    /** Properties of a ValuesResponse. */
    interface $Properties {
     /** ValuesResponse labelValues */
     labelValues?: string[];
     /** ValuesResponse warnings */
     warnings?: string[];
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a ValuesResponse. */
    type $Shape = parca.query.v1alpha1.ValuesResponse.$Properties;
   }
   /**
    * Properties of a ValueType.
    * @deprecated Use parca.query.v1alpha1.ValueType.$Properties instead.
    */
   interface IValueType extends parca.query.v1alpha1.ValueType.$Properties {
   }
   /** Represents a ValueType. */
   class ValueType {
    /**
     * Constructs a new ValueType.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.ValueType.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** ValueType type. */
    type: string;
    /** ValueType unit. */
    unit: string;
    /**
     * Encodes the specified ValueType message. Does not implicitly {@link parca.query.v1alpha1.ValueType.verify|verify} messages.
     * @param message ValueType message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.ValueType.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a ValueType message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.ValueType & parca.query.v1alpha1.ValueType.$Shape} ValueType
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.ValueType & parca.query.v1alpha1.ValueType.$Shape;
   }
   namespace ValueType {
    /** Properties of a ValueType. */
    interface $Properties {
     /** ValueType type */
     type?: string;
     /** ValueType unit */
     unit?: string;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a ValueType. */
    type $Shape = parca.query.v1alpha1.ValueType.$Properties;
   }
   /**
    * Properties of a ShareProfileRequest.
    * @deprecated Use parca.query.v1alpha1.ShareProfileRequest.$Properties instead.
    */
   interface IShareProfileRequest extends parca.query.v1alpha1.ShareProfileRequest.$Properties {
   }
   /** Represents a ShareProfileRequest. */
   class ShareProfileRequest {
    /**
     * Constructs a new ShareProfileRequest.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.ShareProfileRequest.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** ShareProfileRequest queryRequest. */
    queryRequest: parca.query.v1alpha1.QueryRequest;
    /** ShareProfileRequest description. */
    description: (string|null);
    /**
     * Encodes the specified ShareProfileRequest message. Does not implicitly {@link parca.query.v1alpha1.ShareProfileRequest.verify|verify} messages.
     * @param message ShareProfileRequest message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.ShareProfileRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a ShareProfileRequest message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.ShareProfileRequest & parca.query.v1alpha1.ShareProfileRequest.$Shape} ShareProfileRequest
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.ShareProfileRequest & parca.query.v1alpha1.ShareProfileRequest.$Shape;
   }
   namespace ShareProfileRequest {
    /** Properties of a ShareProfileRequest. */
    interface $Properties {
     /** ShareProfileRequest queryRequest */
     queryRequest?: parca.query.v1alpha1.QueryRequest.$Properties;
     /** ShareProfileRequest description */
     description?: (string|null);
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a ShareProfileRequest. */
    type $Shape = {
      queryRequest?: parca.query.v1alpha1.QueryRequest.$Shape;
      description?: string|null;
      $unknowns?: Uint8Array[];
    };
   }
   /**
    * Properties of a ShareProfileResponse.
    * @deprecated Use parca.query.v1alpha1.ShareProfileResponse.$Properties instead.
    */
   interface IShareProfileResponse extends parca.query.v1alpha1.ShareProfileResponse.$Properties {
   }
   /** Represents a ShareProfileResponse. */
   class ShareProfileResponse {
    /**
     * Constructs a new ShareProfileResponse.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.ShareProfileResponse.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** ShareProfileResponse link. */
    link: string;
    /**
     * Encodes the specified ShareProfileResponse message. Does not implicitly {@link parca.query.v1alpha1.ShareProfileResponse.verify|verify} messages.
     * @param message ShareProfileResponse message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.ShareProfileResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a ShareProfileResponse message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.ShareProfileResponse & parca.query.v1alpha1.ShareProfileResponse.$Shape} ShareProfileResponse
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.ShareProfileResponse & parca.query.v1alpha1.ShareProfileResponse.$Shape;
   }
   namespace ShareProfileResponse {
    /** Properties of a ShareProfileResponse. */
    interface $Properties {
     /** ShareProfileResponse link */
     link?: string;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a ShareProfileResponse. */
    type $Shape = parca.query.v1alpha1.ShareProfileResponse.$Properties;
   }
   /**
    * Properties of a TableArrow.
    * @deprecated Use parca.query.v1alpha1.TableArrow.$Properties instead.
    */
   interface ITableArrow extends parca.query.v1alpha1.TableArrow.$Properties {
   }
   /** Represents a TableArrow. */
   class TableArrow {
    /**
     * Constructs a new TableArrow.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.TableArrow.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** TableArrow record. */
    record: Uint8Array;
    /** TableArrow unit. */
    unit: string;
    /**
     * Encodes the specified TableArrow message. Does not implicitly {@link parca.query.v1alpha1.TableArrow.verify|verify} messages.
     * @param message TableArrow message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.TableArrow.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a TableArrow message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.TableArrow & parca.query.v1alpha1.TableArrow.$Shape} TableArrow
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.TableArrow & parca.query.v1alpha1.TableArrow.$Shape;
   }
   namespace TableArrow {
    /** Properties of a TableArrow. */
    interface $Properties {
     /** TableArrow record */
     record?: Uint8Array;
     /** TableArrow unit */
     unit?: string;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a TableArrow. */
    type $Shape = parca.query.v1alpha1.TableArrow.$Properties;
   }
   /**
    * Properties of a ProfileMetadata.
    * @deprecated Use parca.query.v1alpha1.ProfileMetadata.$Properties instead.
    */
   interface IProfileMetadata extends parca.query.v1alpha1.ProfileMetadata.$Properties {
   }
   /** Represents a ProfileMetadata. */
   class ProfileMetadata {
    /**
     * Constructs a new ProfileMetadata.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.ProfileMetadata.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** ProfileMetadata mappingFiles. */
    mappingFiles: string[];
    /** ProfileMetadata labels. */
    labels: string[];
    /**
     * Encodes the specified ProfileMetadata message. Does not implicitly {@link parca.query.v1alpha1.ProfileMetadata.verify|verify} messages.
     * @param message ProfileMetadata message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.ProfileMetadata.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a ProfileMetadata message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.ProfileMetadata & parca.query.v1alpha1.ProfileMetadata.$Shape} ProfileMetadata
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.ProfileMetadata & parca.query.v1alpha1.ProfileMetadata.$Shape;
   }
   namespace ProfileMetadata {
    /** Properties of a ProfileMetadata. */
    interface $Properties {
     /** ProfileMetadata mappingFiles */
     mappingFiles?: string[];
     /** ProfileMetadata labels */
     labels?: string[];
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a ProfileMetadata. */
    type $Shape = parca.query.v1alpha1.ProfileMetadata.$Properties;
   }
   /**
    * Properties of a HasProfileDataRequest.
    * @deprecated Use parca.query.v1alpha1.HasProfileDataRequest.$Properties instead.
    */
   interface IHasProfileDataRequest extends parca.query.v1alpha1.HasProfileDataRequest.$Properties {
   }
   /** Represents a HasProfileDataRequest. */
   class HasProfileDataRequest {
    /**
     * Constructs a new HasProfileDataRequest.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.HasProfileDataRequest.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /**
     * Encodes the specified HasProfileDataRequest message. Does not implicitly {@link parca.query.v1alpha1.HasProfileDataRequest.verify|verify} messages.
     * @param message HasProfileDataRequest message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.HasProfileDataRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a HasProfileDataRequest message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.HasProfileDataRequest & parca.query.v1alpha1.HasProfileDataRequest.$Shape} HasProfileDataRequest
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.HasProfileDataRequest & parca.query.v1alpha1.HasProfileDataRequest.$Shape;
   }
   namespace HasProfileDataRequest {
    /** Properties of a HasProfileDataRequest. */
    interface $Properties {
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a HasProfileDataRequest. */
    type $Shape = parca.query.v1alpha1.HasProfileDataRequest.$Properties;
   }
   /**
    * Properties of a HasProfileDataResponse.
    * @deprecated Use parca.query.v1alpha1.HasProfileDataResponse.$Properties instead.
    */
   interface IHasProfileDataResponse extends parca.query.v1alpha1.HasProfileDataResponse.$Properties {
   }
   /** Represents a HasProfileDataResponse. */
   class HasProfileDataResponse {
    /**
     * Constructs a new HasProfileDataResponse.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.query.v1alpha1.HasProfileDataResponse.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** HasProfileDataResponse hasData. */
    hasData: boolean;
    /**
     * Encodes the specified HasProfileDataResponse message. Does not implicitly {@link parca.query.v1alpha1.HasProfileDataResponse.verify|verify} messages.
     * @param message HasProfileDataResponse message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.query.v1alpha1.HasProfileDataResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a HasProfileDataResponse message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.query.v1alpha1.HasProfileDataResponse & parca.query.v1alpha1.HasProfileDataResponse.$Shape} HasProfileDataResponse
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.query.v1alpha1.HasProfileDataResponse & parca.query.v1alpha1.HasProfileDataResponse.$Shape;
   }
   namespace HasProfileDataResponse {
    /** Properties of a HasProfileDataResponse. */
    interface $Properties {
     /** HasProfileDataResponse hasData */
     hasData?: boolean;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a HasProfileDataResponse. */
    type $Shape = parca.query.v1alpha1.HasProfileDataResponse.$Properties;
   }
  }
 }
 /** Namespace metastore. */
 namespace metastore {
  /** Namespace v1alpha1. */
  namespace v1alpha1 {
   /**
    * Properties of a Location.
    * @deprecated Use parca.metastore.v1alpha1.Location.$Properties instead.
    */
   interface ILocation extends parca.metastore.v1alpha1.Location.$Properties {
   }
   /** Represents a Location. */
   class Location {
    /**
     * Constructs a new Location.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.metastore.v1alpha1.Location.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** Location id. */
    id: string;
    /** Location address. */
    address: Long;
    /** Location mappingId. */
    mappingId: string;
    /** Location isFolded. */
    isFolded: boolean;
    /** Location lines. */
    lines: parca.metastore.v1alpha1.Line[];
    /** Location mappingIndex. */
    mappingIndex: number;
    /**
     * Encodes the specified Location message. Does not implicitly {@link parca.metastore.v1alpha1.Location.verify|verify} messages.
     * @param message Location message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.metastore.v1alpha1.Location.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a Location message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.metastore.v1alpha1.Location & parca.metastore.v1alpha1.Location.$Shape} Location
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.metastore.v1alpha1.Location & parca.metastore.v1alpha1.Location.$Shape;
   }
   namespace Location {
    /** Properties of a Location. */
    interface $Properties {
     /** Location id */
     id?: string;
     /** Location address */
     address?: Long;
     /** Location mappingId */
     mappingId?: string;
     /** Location isFolded */
     isFolded?: boolean;
     /** Location lines */
     lines?: parca.metastore.v1alpha1.Line.$Properties[];
     /** Location mappingIndex */
     mappingIndex?: number;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a Location. */
    type $Shape = parca.metastore.v1alpha1.Location.$Properties;
   }
   /**
    * Properties of a Line.
    * @deprecated Use parca.metastore.v1alpha1.Line.$Properties instead.
    */
   interface ILine extends parca.metastore.v1alpha1.Line.$Properties {
   }
   /** Represents a Line. */
   class Line {
    /**
     * Constructs a new Line.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.metastore.v1alpha1.Line.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** Line functionId. */
    functionId: string;
    /** Line line. */
    line: Long;
    /** Line functionIndex. */
    functionIndex: number;
    /**
     * Encodes the specified Line message. Does not implicitly {@link parca.metastore.v1alpha1.Line.verify|verify} messages.
     * @param message Line message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.metastore.v1alpha1.Line.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a Line message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.metastore.v1alpha1.Line & parca.metastore.v1alpha1.Line.$Shape} Line
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.metastore.v1alpha1.Line & parca.metastore.v1alpha1.Line.$Shape;
   }
   namespace Line {
    /** Properties of a Line. */
    interface $Properties {
     /** Line functionId */
     functionId?: string;
     /** Line line */
     line?: Long;
     /** Line functionIndex */
     functionIndex?: number;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a Line. */
    type $Shape = parca.metastore.v1alpha1.Line.$Properties;
   }
   /**
    * Properties of a Function.
    * @deprecated Use parca.metastore.v1alpha1.Function.$Properties instead.
    */
   interface IFunction extends parca.metastore.v1alpha1.Function.$Properties {
   }
   /** Represents a Function. */
   class Function {
    /**
     * Constructs a new Function.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.metastore.v1alpha1.Function.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** Function id. */
    id: string;
    /** Function startLine. */
    startLine: Long;
    /** Function name. */
    name: string;
    /** Function systemName. */
    systemName: string;
    /** Function filename. */
    filename: string;
    /** Function nameStringIndex. */
    nameStringIndex: number;
    /** Function systemNameStringIndex. */
    systemNameStringIndex: number;
    /** Function filenameStringIndex. */
    filenameStringIndex: number;
    /**
     * Encodes the specified Function message. Does not implicitly {@link parca.metastore.v1alpha1.Function.verify|verify} messages.
     * @param message Function message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.metastore.v1alpha1.Function.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a Function message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.metastore.v1alpha1.Function & parca.metastore.v1alpha1.Function.$Shape} Function
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.metastore.v1alpha1.Function & parca.metastore.v1alpha1.Function.$Shape;
   }
   namespace Function {
    /** Properties of a Function. */
    interface $Properties {
     /** Function id */
     id?: string;
     /** Function startLine */
     startLine?: Long;
     /** Function name */
     name?: string;
     /** Function systemName */
     systemName?: string;
     /** Function filename */
     filename?: string;
     /** Function nameStringIndex */
     nameStringIndex?: number;
     /** Function systemNameStringIndex */
     systemNameStringIndex?: number;
     /** Function filenameStringIndex */
     filenameStringIndex?: number;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a Function. */
    type $Shape = parca.metastore.v1alpha1.Function.$Properties;
   }
   /**
    * Properties of a Mapping.
    * @deprecated Use parca.metastore.v1alpha1.Mapping.$Properties instead.
    */
   interface IMapping extends parca.metastore.v1alpha1.Mapping.$Properties {
   }
   /** Represents a Mapping. */
   class Mapping {
    /**
     * Constructs a new Mapping.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.metastore.v1alpha1.Mapping.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** Mapping id. */
    id: string;
    /** Mapping start. */
    start: Long;
    /** Mapping limit. */
    limit: Long;
    /** Mapping offset. */
    offset: Long;
    /** Mapping file. */
    file: string;
    /** Mapping buildId. */
    buildId: string;
    /** Mapping hasFunctions. */
    hasFunctions: boolean;
    /** Mapping hasFilenames. */
    hasFilenames: boolean;
    /** Mapping hasLineNumbers. */
    hasLineNumbers: boolean;
    /** Mapping hasInlineFrames. */
    hasInlineFrames: boolean;
    /** Mapping fileStringIndex. */
    fileStringIndex: number;
    /** Mapping buildIdStringIndex. */
    buildIdStringIndex: number;
    /**
     * Encodes the specified Mapping message. Does not implicitly {@link parca.metastore.v1alpha1.Mapping.verify|verify} messages.
     * @param message Mapping message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.metastore.v1alpha1.Mapping.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a Mapping message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.metastore.v1alpha1.Mapping & parca.metastore.v1alpha1.Mapping.$Shape} Mapping
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.metastore.v1alpha1.Mapping & parca.metastore.v1alpha1.Mapping.$Shape;
   }
   namespace Mapping {
    /** Properties of a Mapping. */
    interface $Properties {
     /** Mapping id */
     id?: string;
     /** Mapping start */
     start?: Long;
     /** Mapping limit */
     limit?: Long;
     /** Mapping offset */
     offset?: Long;
     /** Mapping file */
     file?: string;
     /** Mapping buildId */
     buildId?: string;
     /** Mapping hasFunctions */
     hasFunctions?: boolean;
     /** Mapping hasFilenames */
     hasFilenames?: boolean;
     /** Mapping hasLineNumbers */
     hasLineNumbers?: boolean;
     /** Mapping hasInlineFrames */
     hasInlineFrames?: boolean;
     /** Mapping fileStringIndex */
     fileStringIndex?: number;
     /** Mapping buildIdStringIndex */
     buildIdStringIndex?: number;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a Mapping. */
    type $Shape = parca.metastore.v1alpha1.Mapping.$Properties;
   }
  }
 }
 /** Namespace profilestore. */
 namespace profilestore {
  /** Namespace v1alpha1. */
  namespace v1alpha1 {
   /**
    * Properties of a WriteRequest.
    * @deprecated Use parca.profilestore.v1alpha1.WriteRequest.$Properties instead.
    */
   interface IWriteRequest extends parca.profilestore.v1alpha1.WriteRequest.$Properties {
   }
   /** Represents a WriteRequest. */
   class WriteRequest {
    /**
     * Constructs a new WriteRequest.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.profilestore.v1alpha1.WriteRequest.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** WriteRequest record. */
    record: Uint8Array;
    /**
     * Encodes the specified WriteRequest message. Does not implicitly {@link parca.profilestore.v1alpha1.WriteRequest.verify|verify} messages.
     * @param message WriteRequest message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.profilestore.v1alpha1.WriteRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a WriteRequest message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.profilestore.v1alpha1.WriteRequest & parca.profilestore.v1alpha1.WriteRequest.$Shape} WriteRequest
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.WriteRequest & parca.profilestore.v1alpha1.WriteRequest.$Shape;
   }
   namespace WriteRequest {
    /** Properties of a WriteRequest. */
    interface $Properties {
     /** WriteRequest record */
     record?: Uint8Array;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a WriteRequest. */
    type $Shape = parca.profilestore.v1alpha1.WriteRequest.$Properties;
   }
   /**
    * Properties of a WriteResponse.
    * @deprecated Use parca.profilestore.v1alpha1.WriteResponse.$Properties instead.
    */
   interface IWriteResponse extends parca.profilestore.v1alpha1.WriteResponse.$Properties {
   }
   /** Represents a WriteResponse. */
   class WriteResponse {
    /**
     * Constructs a new WriteResponse.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.profilestore.v1alpha1.WriteResponse.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** WriteResponse record. */
    record: Uint8Array;
    /**
     * Encodes the specified WriteResponse message. Does not implicitly {@link parca.profilestore.v1alpha1.WriteResponse.verify|verify} messages.
     * @param message WriteResponse message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.profilestore.v1alpha1.WriteResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a WriteResponse message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.profilestore.v1alpha1.WriteResponse & parca.profilestore.v1alpha1.WriteResponse.$Shape} WriteResponse
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.WriteResponse & parca.profilestore.v1alpha1.WriteResponse.$Shape;
   }
   namespace WriteResponse {
    /** Properties of a WriteResponse. */
    interface $Properties {
     /** WriteResponse record */
     record?: Uint8Array;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a WriteResponse. */
    type $Shape = parca.profilestore.v1alpha1.WriteResponse.$Properties;
   }
   /**
    * Properties of a WriteArrowRequest.
    * @deprecated Use parca.profilestore.v1alpha1.WriteArrowRequest.$Properties instead.
    */
   interface IWriteArrowRequest extends parca.profilestore.v1alpha1.WriteArrowRequest.$Properties {
   }
   /** Represents a WriteArrowRequest. */
   class WriteArrowRequest {
    /**
     * Constructs a new WriteArrowRequest.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.profilestore.v1alpha1.WriteArrowRequest.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** WriteArrowRequest ipcBuffer. */
    ipcBuffer: Uint8Array;
    /**
     * Encodes the specified WriteArrowRequest message. Does not implicitly {@link parca.profilestore.v1alpha1.WriteArrowRequest.verify|verify} messages.
     * @param message WriteArrowRequest message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.profilestore.v1alpha1.WriteArrowRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a WriteArrowRequest message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.profilestore.v1alpha1.WriteArrowRequest & parca.profilestore.v1alpha1.WriteArrowRequest.$Shape} WriteArrowRequest
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.WriteArrowRequest & parca.profilestore.v1alpha1.WriteArrowRequest.$Shape;
   }
   namespace WriteArrowRequest {
    /** Properties of a WriteArrowRequest. */
    interface $Properties {
     /** WriteArrowRequest ipcBuffer */
     ipcBuffer?: Uint8Array;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a WriteArrowRequest. */
    type $Shape = parca.profilestore.v1alpha1.WriteArrowRequest.$Properties;
   }
   /**
    * Properties of a WriteArrowResponse.
    * @deprecated Use parca.profilestore.v1alpha1.WriteArrowResponse.$Properties instead.
    */
   interface IWriteArrowResponse extends parca.profilestore.v1alpha1.WriteArrowResponse.$Properties {
   }
   /** Represents a WriteArrowResponse. */
   class WriteArrowResponse {
    /**
     * Constructs a new WriteArrowResponse.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.profilestore.v1alpha1.WriteArrowResponse.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /**
     * Encodes the specified WriteArrowResponse message. Does not implicitly {@link parca.profilestore.v1alpha1.WriteArrowResponse.verify|verify} messages.
     * @param message WriteArrowResponse message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.profilestore.v1alpha1.WriteArrowResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a WriteArrowResponse message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.profilestore.v1alpha1.WriteArrowResponse & parca.profilestore.v1alpha1.WriteArrowResponse.$Shape} WriteArrowResponse
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.WriteArrowResponse & parca.profilestore.v1alpha1.WriteArrowResponse.$Shape;
   }
   namespace WriteArrowResponse {
    /** Properties of a WriteArrowResponse. */
    interface $Properties {
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a WriteArrowResponse. */
    type $Shape = parca.profilestore.v1alpha1.WriteArrowResponse.$Properties;
   }
   /**
    * Properties of a WriteRawRequest.
    * @deprecated Use parca.profilestore.v1alpha1.WriteRawRequest.$Properties instead.
    */
   interface IWriteRawRequest extends parca.profilestore.v1alpha1.WriteRawRequest.$Properties {
   }
   /** Represents a WriteRawRequest. */
   class WriteRawRequest {
    /**
     * Constructs a new WriteRawRequest.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.profilestore.v1alpha1.WriteRawRequest.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** WriteRawRequest tenant. */
    tenant: string;
    /** WriteRawRequest series. */
    series: parca.profilestore.v1alpha1.RawProfileSeries[];
    /** WriteRawRequest normalized. */
    normalized: boolean;
    /**
     * Encodes the specified WriteRawRequest message. Does not implicitly {@link parca.profilestore.v1alpha1.WriteRawRequest.verify|verify} messages.
     * @param message WriteRawRequest message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.profilestore.v1alpha1.WriteRawRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a WriteRawRequest message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.profilestore.v1alpha1.WriteRawRequest & parca.profilestore.v1alpha1.WriteRawRequest.$Shape} WriteRawRequest
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.WriteRawRequest & parca.profilestore.v1alpha1.WriteRawRequest.$Shape;
   }
   namespace WriteRawRequest {
    /** Properties of a WriteRawRequest. */
    interface $Properties {
     /** WriteRawRequest tenant */
     tenant?: string;
     /** WriteRawRequest series */
     series?: parca.profilestore.v1alpha1.RawProfileSeries.$Properties[];
     /** WriteRawRequest normalized */
     normalized?: boolean;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a WriteRawRequest. */
    type $Shape = parca.profilestore.v1alpha1.WriteRawRequest.$Properties;
   }
   /**
    * Properties of a WriteRawResponse.
    * @deprecated Use parca.profilestore.v1alpha1.WriteRawResponse.$Properties instead.
    */
   interface IWriteRawResponse extends parca.profilestore.v1alpha1.WriteRawResponse.$Properties {
   }
   /** Represents a WriteRawResponse. */
   class WriteRawResponse {
    /**
     * Constructs a new WriteRawResponse.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.profilestore.v1alpha1.WriteRawResponse.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /**
     * Encodes the specified WriteRawResponse message. Does not implicitly {@link parca.profilestore.v1alpha1.WriteRawResponse.verify|verify} messages.
     * @param message WriteRawResponse message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.profilestore.v1alpha1.WriteRawResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a WriteRawResponse message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.profilestore.v1alpha1.WriteRawResponse & parca.profilestore.v1alpha1.WriteRawResponse.$Shape} WriteRawResponse
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.WriteRawResponse & parca.profilestore.v1alpha1.WriteRawResponse.$Shape;
   }
   namespace WriteRawResponse {
    /** Properties of a WriteRawResponse. */
    interface $Properties {
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a WriteRawResponse. */
    type $Shape = parca.profilestore.v1alpha1.WriteRawResponse.$Properties;
   }
   /**
    * Properties of a RawProfileSeries.
    * @deprecated Use parca.profilestore.v1alpha1.RawProfileSeries.$Properties instead.
    */
   interface IRawProfileSeries extends parca.profilestore.v1alpha1.RawProfileSeries.$Properties {
   }
   /** Represents a RawProfileSeries. */
   class RawProfileSeries {
    /**
     * Constructs a new RawProfileSeries.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.profilestore.v1alpha1.RawProfileSeries.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** RawProfileSeries labels. */
    labels: parca.profilestore.v1alpha1.LabelSet;
    /** RawProfileSeries samples. */
    samples: parca.profilestore.v1alpha1.RawSample[];
    /**
     * Encodes the specified RawProfileSeries message. Does not implicitly {@link parca.profilestore.v1alpha1.RawProfileSeries.verify|verify} messages.
     * @param message RawProfileSeries message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.profilestore.v1alpha1.RawProfileSeries.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a RawProfileSeries message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.profilestore.v1alpha1.RawProfileSeries & parca.profilestore.v1alpha1.RawProfileSeries.$Shape} RawProfileSeries
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.RawProfileSeries & parca.profilestore.v1alpha1.RawProfileSeries.$Shape;
   }
   namespace RawProfileSeries {
    /** Properties of a RawProfileSeries. */
    interface $Properties {
     /** RawProfileSeries labels */
     labels?: parca.profilestore.v1alpha1.LabelSet.$Properties;
     /** RawProfileSeries samples */
     samples?: parca.profilestore.v1alpha1.RawSample.$Properties[];
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a RawProfileSeries. */
    type $Shape = parca.profilestore.v1alpha1.RawProfileSeries.$Properties;
   }
   /**
    * Properties of a Label.
    * @deprecated Use parca.profilestore.v1alpha1.Label.$Properties instead.
    */
   interface ILabel extends parca.profilestore.v1alpha1.Label.$Properties {
   }
   /** Represents a Label. */
   class Label {
    /**
     * Constructs a new Label.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.profilestore.v1alpha1.Label.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** Label name. */
    name: string;
    /** Label value. */
    value: string;
    /**
     * Encodes the specified Label message. Does not implicitly {@link parca.profilestore.v1alpha1.Label.verify|verify} messages.
     * @param message Label message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.profilestore.v1alpha1.Label.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a Label message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.profilestore.v1alpha1.Label & parca.profilestore.v1alpha1.Label.$Shape} Label
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.Label & parca.profilestore.v1alpha1.Label.$Shape;
   }
   namespace Label {
    /** Properties of a Label. */
    interface $Properties {
     /** Label name */
     name?: string;
     /** Label value */
     value?: string;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a Label. */
    type $Shape = parca.profilestore.v1alpha1.Label.$Properties;
   }
   /**
    * Properties of a LabelSet.
    * @deprecated Use parca.profilestore.v1alpha1.LabelSet.$Properties instead.
    */
   interface ILabelSet extends parca.profilestore.v1alpha1.LabelSet.$Properties {
   }
   /** Represents a LabelSet. */
   class LabelSet {
    /**
     * Constructs a new LabelSet.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.profilestore.v1alpha1.LabelSet.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** LabelSet labels. */
    labels: parca.profilestore.v1alpha1.Label[];
    /**
     * Encodes the specified LabelSet message. Does not implicitly {@link parca.profilestore.v1alpha1.LabelSet.verify|verify} messages.
     * @param message LabelSet message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.profilestore.v1alpha1.LabelSet.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a LabelSet message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.profilestore.v1alpha1.LabelSet & parca.profilestore.v1alpha1.LabelSet.$Shape} LabelSet
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.LabelSet & parca.profilestore.v1alpha1.LabelSet.$Shape;
   }
   namespace LabelSet {
    /** Properties of a LabelSet. */
    interface $Properties {
     /** LabelSet labels */
     labels?: parca.profilestore.v1alpha1.Label.$Properties[];
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a LabelSet. */
    type $Shape = parca.profilestore.v1alpha1.LabelSet.$Properties;
   }
   /**
    * Properties of a RawSample.
    * @deprecated Use parca.profilestore.v1alpha1.RawSample.$Properties instead.
    */
   interface IRawSample extends parca.profilestore.v1alpha1.RawSample.$Properties {
   }
   /** Represents a RawSample. */
   class RawSample {
    /**
     * Constructs a new RawSample.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.profilestore.v1alpha1.RawSample.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** RawSample rawProfile. */
    rawProfile: Uint8Array;
    /** RawSample executableInfo. */
    executableInfo: parca.profilestore.v1alpha1.ExecutableInfo[];
    /**
     * Encodes the specified RawSample message. Does not implicitly {@link parca.profilestore.v1alpha1.RawSample.verify|verify} messages.
     * @param message RawSample message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.profilestore.v1alpha1.RawSample.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a RawSample message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.profilestore.v1alpha1.RawSample & parca.profilestore.v1alpha1.RawSample.$Shape} RawSample
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.RawSample & parca.profilestore.v1alpha1.RawSample.$Shape;
   }
   namespace RawSample {
    /** Properties of a RawSample. */
    interface $Properties {
     /** RawSample rawProfile */
     rawProfile?: Uint8Array;
     /** RawSample executableInfo */
     executableInfo?: parca.profilestore.v1alpha1.ExecutableInfo.$Properties[];
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a RawSample. */
    type $Shape = parca.profilestore.v1alpha1.RawSample.$Properties;
   }
   /**
    * Properties of an ExecutableInfo.
    * @deprecated Use parca.profilestore.v1alpha1.ExecutableInfo.$Properties instead.
    */
   interface IExecutableInfo extends parca.profilestore.v1alpha1.ExecutableInfo.$Properties {
   }
   /** Represents an ExecutableInfo. */
   class ExecutableInfo {
    /**
     * Constructs a new ExecutableInfo.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.profilestore.v1alpha1.ExecutableInfo.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** ExecutableInfo elfType. */
    elfType: number;
    /** ExecutableInfo loadSegment. */
    loadSegment: parca.profilestore.v1alpha1.LoadSegment;
    /**
     * Encodes the specified ExecutableInfo message. Does not implicitly {@link parca.profilestore.v1alpha1.ExecutableInfo.verify|verify} messages.
     * @param message ExecutableInfo message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.profilestore.v1alpha1.ExecutableInfo.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes an ExecutableInfo message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.profilestore.v1alpha1.ExecutableInfo & parca.profilestore.v1alpha1.ExecutableInfo.$Shape} ExecutableInfo
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.ExecutableInfo & parca.profilestore.v1alpha1.ExecutableInfo.$Shape;
   }
   namespace ExecutableInfo {
    /** Properties of an ExecutableInfo. */
    interface $Properties {
     /** ExecutableInfo elfType */
     elfType?: number;
     /** ExecutableInfo loadSegment */
     loadSegment?: parca.profilestore.v1alpha1.LoadSegment.$Properties;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of an ExecutableInfo. */
    type $Shape = parca.profilestore.v1alpha1.ExecutableInfo.$Properties;
   }
   /**
    * Properties of a LoadSegment.
    * @deprecated Use parca.profilestore.v1alpha1.LoadSegment.$Properties instead.
    */
   interface ILoadSegment extends parca.profilestore.v1alpha1.LoadSegment.$Properties {
   }
   /** Represents a LoadSegment. */
   class LoadSegment {
    /**
     * Constructs a new LoadSegment.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.profilestore.v1alpha1.LoadSegment.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** LoadSegment offset. */
    offset: Long;
    /** LoadSegment vaddr. */
    vaddr: Long;
    /**
     * Encodes the specified LoadSegment message. Does not implicitly {@link parca.profilestore.v1alpha1.LoadSegment.verify|verify} messages.
     * @param message LoadSegment message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.profilestore.v1alpha1.LoadSegment.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a LoadSegment message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.profilestore.v1alpha1.LoadSegment & parca.profilestore.v1alpha1.LoadSegment.$Shape} LoadSegment
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.LoadSegment & parca.profilestore.v1alpha1.LoadSegment.$Shape;
   }
   namespace LoadSegment {
    /** Properties of a LoadSegment. */
    interface $Properties {
     /** LoadSegment offset */
     offset?: Long;
     /** LoadSegment vaddr */
     vaddr?: Long;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a LoadSegment. */
    type $Shape = parca.profilestore.v1alpha1.LoadSegment.$Properties;
   }
   /**
    * Properties of an AgentsRequest.
    * @deprecated Use parca.profilestore.v1alpha1.AgentsRequest.$Properties instead.
    */
   interface IAgentsRequest extends parca.profilestore.v1alpha1.AgentsRequest.$Properties {
   }
   /** Represents an AgentsRequest. */
   class AgentsRequest {
    /**
     * Constructs a new AgentsRequest.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.profilestore.v1alpha1.AgentsRequest.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /**
     * Encodes the specified AgentsRequest message. Does not implicitly {@link parca.profilestore.v1alpha1.AgentsRequest.verify|verify} messages.
     * @param message AgentsRequest message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.profilestore.v1alpha1.AgentsRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes an AgentsRequest message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.profilestore.v1alpha1.AgentsRequest & parca.profilestore.v1alpha1.AgentsRequest.$Shape} AgentsRequest
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.AgentsRequest & parca.profilestore.v1alpha1.AgentsRequest.$Shape;
   }
   namespace AgentsRequest {
    /** Properties of an AgentsRequest. */
    interface $Properties {
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of an AgentsRequest. */
    type $Shape = parca.profilestore.v1alpha1.AgentsRequest.$Properties;
   }
   /**
    * Properties of an AgentsResponse.
    * @deprecated Use parca.profilestore.v1alpha1.AgentsResponse.$Properties instead.
    */
   interface IAgentsResponse extends parca.profilestore.v1alpha1.AgentsResponse.$Properties {
   }
   /** Represents an AgentsResponse. */
   class AgentsResponse {
    /**
     * Constructs a new AgentsResponse.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.profilestore.v1alpha1.AgentsResponse.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** AgentsResponse agents. */
    agents: parca.profilestore.v1alpha1.Agent[];
    /**
     * Encodes the specified AgentsResponse message. Does not implicitly {@link parca.profilestore.v1alpha1.AgentsResponse.verify|verify} messages.
     * @param message AgentsResponse message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.profilestore.v1alpha1.AgentsResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes an AgentsResponse message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.profilestore.v1alpha1.AgentsResponse & parca.profilestore.v1alpha1.AgentsResponse.$Shape} AgentsResponse
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.AgentsResponse & parca.profilestore.v1alpha1.AgentsResponse.$Shape;
   }
   namespace AgentsResponse {
    /** Properties of an AgentsResponse. */
    interface $Properties {
     /** AgentsResponse agents */
     agents?: parca.profilestore.v1alpha1.Agent.$Properties[];
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of an AgentsResponse. */
    type $Shape = parca.profilestore.v1alpha1.AgentsResponse.$Properties;
   }
   /**
    * Properties of an Agent.
    * @deprecated Use parca.profilestore.v1alpha1.Agent.$Properties instead.
    */
   interface IAgent extends parca.profilestore.v1alpha1.Agent.$Properties {
   }
   /** Represents an Agent. */
   class Agent {
    /**
     * Constructs a new Agent.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.profilestore.v1alpha1.Agent.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** Agent id. */
    id: string;
    /** Agent lastError. */
    lastError: string;
    /** Agent lastPush. */
    lastPush: google.protobuf.Timestamp;
    /** Agent lastPushDuration. */
    lastPushDuration: google.protobuf.Duration;
    /**
     * Encodes the specified Agent message. Does not implicitly {@link parca.profilestore.v1alpha1.Agent.verify|verify} messages.
     * @param message Agent message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.profilestore.v1alpha1.Agent.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes an Agent message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.profilestore.v1alpha1.Agent & parca.profilestore.v1alpha1.Agent.$Shape} Agent
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.Agent & parca.profilestore.v1alpha1.Agent.$Shape;
   }
   namespace Agent {
    /** Properties of an Agent. */
    interface $Properties {
     /** Agent id */
     id?: string;
     /** Agent lastError */
     lastError?: string;
     /** Agent lastPush */
     lastPush?: google.protobuf.Timestamp.$Properties;
     /** Agent lastPushDuration */
     lastPushDuration?: google.protobuf.Duration.$Properties;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of an Agent. */
    type $Shape = parca.profilestore.v1alpha1.Agent.$Properties;
   }
  }
 }
}
/** Namespace google. */
export namespace google {
 /** Namespace protobuf. */
 namespace protobuf {
  /**
   * Properties of a Duration.
   * @deprecated Use google.protobuf.Duration.$Properties instead.
   */
  interface IDuration extends google.protobuf.Duration.$Properties {
  }
  /** Represents a Duration. */
  class Duration {
   /**
    * Constructs a new Duration.
    * @param [properties] Properties to set
    */
   constructor(properties?: google.protobuf.Duration.$Properties);
   /** Unknown fields preserved while decoding when enabled */
   $unknowns?: Uint8Array[];
   /** Duration seconds. */
   seconds: Long;
   /** Duration nanos. */
   nanos: number;
   /**
    * Encodes the specified Duration message. Does not implicitly {@link google.protobuf.Duration.verify|verify} messages.
    * @param message Duration message or plain object to encode
    * @param [writer] Writer to encode to
    * @returns Writer
    */
   static encode(message: google.protobuf.Duration.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   /**
    * Decodes a Duration message from the specified reader or buffer.
    * @param reader Reader or buffer to decode from
    * @param [length] Message length if known beforehand
    * @returns {google.protobuf.Duration & google.protobuf.Duration.$Shape} Duration
    * @throws {Error} If the payload is not a reader or valid buffer
    * @throws {$protobuf.util.ProtocolError} If required fields are missing
    */
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): google.protobuf.Duration & google.protobuf.Duration.$Shape;
  }
  namespace Duration {
   /** Properties of a Duration. */
   interface $Properties {
    /** Duration seconds */
    seconds?: Long;
    /** Duration nanos */
    nanos?: number;
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
   }
   /** Shape of a Duration. */
   type $Shape = google.protobuf.Duration.$Properties;
  }
  /**
   * Properties of a Timestamp.
   * @deprecated Use google.protobuf.Timestamp.$Properties instead.
   */
  interface ITimestamp extends google.protobuf.Timestamp.$Properties {
  }
  /** Represents a Timestamp. */
  class Timestamp {
   /**
    * Constructs a new Timestamp.
    * @param [properties] Properties to set
    */
   constructor(properties?: google.protobuf.Timestamp.$Properties);
   /** Unknown fields preserved while decoding when enabled */
   $unknowns?: Uint8Array[];
   /** Timestamp seconds. */
   seconds: Long;
   /** Timestamp nanos. */
   nanos: number;
   /**
    * Encodes the specified Timestamp message. Does not implicitly {@link google.protobuf.Timestamp.verify|verify} messages.
    * @param message Timestamp message or plain object to encode
    * @param [writer] Writer to encode to
    * @returns Writer
    */
   static encode(message: google.protobuf.Timestamp.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   /**
    * Decodes a Timestamp message from the specified reader or buffer.
    * @param reader Reader or buffer to decode from
    * @param [length] Message length if known beforehand
    * @returns {google.protobuf.Timestamp & google.protobuf.Timestamp.$Shape} Timestamp
    * @throws {Error} If the payload is not a reader or valid buffer
    * @throws {$protobuf.util.ProtocolError} If required fields are missing
    */
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): google.protobuf.Timestamp & google.protobuf.Timestamp.$Shape;
  }
  namespace Timestamp {
   /** Properties of a Timestamp. */
   interface $Properties {
    /** Timestamp seconds */
    seconds?: Long;
    /** Timestamp nanos */
    nanos?: number;
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
   }
   /** Shape of a Timestamp. */
   type $Shape = google.protobuf.Timestamp.$Properties;
  }
 }
}
