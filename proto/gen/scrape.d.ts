// Generated from parca/scrape/v1alpha1/scrape.proto by tools/generate/proto.mjs. Do not edit.
import * as $protobuf from "protobufjs/minimal.js";
import Long = require("long");
/** Namespace parca. */
export namespace parca {
 /** Namespace scrape. */
 namespace scrape {
  /** Namespace v1alpha1. */
  namespace v1alpha1 {
   /**
    * Properties of a TargetsRequest.
    * @deprecated Use parca.scrape.v1alpha1.TargetsRequest.$Properties instead.
    */
   interface ITargetsRequest extends parca.scrape.v1alpha1.TargetsRequest.$Properties {
   }
   /** Represents a TargetsRequest. */
   class TargetsRequest {
    /**
     * Constructs a new TargetsRequest.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.scrape.v1alpha1.TargetsRequest.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** TargetsRequest state. */
    state: parca.scrape.v1alpha1.TargetsRequest.State;
    /**
     * Encodes the specified TargetsRequest message. Does not implicitly {@link parca.scrape.v1alpha1.TargetsRequest.verify|verify} messages.
     * @param message TargetsRequest message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.scrape.v1alpha1.TargetsRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a TargetsRequest message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.scrape.v1alpha1.TargetsRequest & parca.scrape.v1alpha1.TargetsRequest.$Shape} TargetsRequest
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.scrape.v1alpha1.TargetsRequest & parca.scrape.v1alpha1.TargetsRequest.$Shape;
   }
   namespace TargetsRequest {
    /** Properties of a TargetsRequest. */
    interface $Properties {
     /** TargetsRequest state */
     state?: parca.scrape.v1alpha1.TargetsRequest.State;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a TargetsRequest. */
    type $Shape = parca.scrape.v1alpha1.TargetsRequest.$Properties;
    /** State enum. */
    enum State {
     /** STATE_ANY_UNSPECIFIED value */
     STATE_ANY_UNSPECIFIED = 0,
     /** STATE_ACTIVE value */
     STATE_ACTIVE = 1,
     /** STATE_DROPPED value */
     STATE_DROPPED = 2
    }
   }
   /**
    * Properties of a TargetsResponse.
    * @deprecated Use parca.scrape.v1alpha1.TargetsResponse.$Properties instead.
    */
   interface ITargetsResponse extends parca.scrape.v1alpha1.TargetsResponse.$Properties {
   }
   /** Represents a TargetsResponse. */
   class TargetsResponse {
    /**
     * Constructs a new TargetsResponse.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.scrape.v1alpha1.TargetsResponse.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** TargetsResponse targets. */
    targets: { [k: string]: parca.scrape.v1alpha1.Targets };
    /**
     * Encodes the specified TargetsResponse message. Does not implicitly {@link parca.scrape.v1alpha1.TargetsResponse.verify|verify} messages.
     * @param message TargetsResponse message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.scrape.v1alpha1.TargetsResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a TargetsResponse message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.scrape.v1alpha1.TargetsResponse & parca.scrape.v1alpha1.TargetsResponse.$Shape} TargetsResponse
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.scrape.v1alpha1.TargetsResponse & parca.scrape.v1alpha1.TargetsResponse.$Shape;
   }
   namespace TargetsResponse {
    /** Properties of a TargetsResponse. */
    interface $Properties {
     /** TargetsResponse targets */
     targets?: { [k: string]: parca.scrape.v1alpha1.Targets.$Properties };
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a TargetsResponse. */
    type $Shape = parca.scrape.v1alpha1.TargetsResponse.$Properties;
   }
   /**
    * Properties of a Targets.
    * @deprecated Use parca.scrape.v1alpha1.Targets.$Properties instead.
    */
   interface ITargets extends parca.scrape.v1alpha1.Targets.$Properties {
   }
   /** Represents a Targets. */
   class Targets {
    /**
     * Constructs a new Targets.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.scrape.v1alpha1.Targets.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** Targets targets. */
    targets: parca.scrape.v1alpha1.Target[];
    /**
     * Encodes the specified Targets message. Does not implicitly {@link parca.scrape.v1alpha1.Targets.verify|verify} messages.
     * @param message Targets message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.scrape.v1alpha1.Targets.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a Targets message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.scrape.v1alpha1.Targets & parca.scrape.v1alpha1.Targets.$Shape} Targets
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.scrape.v1alpha1.Targets & parca.scrape.v1alpha1.Targets.$Shape;
   }
   namespace Targets {
    /** Properties of a Targets. */
    interface $Properties {
     /** Targets targets */
     targets?: parca.scrape.v1alpha1.Target.$Properties[];
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a Targets. */
    type $Shape = parca.scrape.v1alpha1.Targets.$Properties;
   }
   /**
    * Properties of a Target.
    * @deprecated Use parca.scrape.v1alpha1.Target.$Properties instead.
    */
   interface ITarget extends parca.scrape.v1alpha1.Target.$Properties {
   }
   /** Represents a Target. */
   class Target {
    /**
     * Constructs a new Target.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.scrape.v1alpha1.Target.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** Target discoveredLabels. */
    discoveredLabels: parca.profilestore.v1alpha1.LabelSet;
    /** Target labels. */
    labels: parca.profilestore.v1alpha1.LabelSet;
    /** Target lastError. */
    lastError: string;
    /** Target lastScrape. */
    lastScrape: google.protobuf.Timestamp;
    /** Target lastScrapeDuration. */
    lastScrapeDuration: google.protobuf.Duration;
    /** Target url. */
    url: string;
    /** Target health. */
    health: parca.scrape.v1alpha1.Target.Health;
    /**
     * Encodes the specified Target message. Does not implicitly {@link parca.scrape.v1alpha1.Target.verify|verify} messages.
     * @param message Target message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.scrape.v1alpha1.Target.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a Target message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.scrape.v1alpha1.Target & parca.scrape.v1alpha1.Target.$Shape} Target
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.scrape.v1alpha1.Target & parca.scrape.v1alpha1.Target.$Shape;
   }
   namespace Target {
    /** Properties of a Target. */
    interface $Properties {
     /** Target discoveredLabels */
     discoveredLabels?: parca.profilestore.v1alpha1.LabelSet.$Properties;
     /** Target labels */
     labels?: parca.profilestore.v1alpha1.LabelSet.$Properties;
     /** Target lastError */
     lastError?: string;
     /** Target lastScrape */
     lastScrape?: google.protobuf.Timestamp.$Properties;
     /** Target lastScrapeDuration */
     lastScrapeDuration?: google.protobuf.Duration.$Properties;
     /** Target url */
     url?: string;
     /** Target health */
     health?: parca.scrape.v1alpha1.Target.Health;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a Target. */
    type $Shape = parca.scrape.v1alpha1.Target.$Properties;
    /** Health enum. */
    enum Health {
     /** HEALTH_UNKNOWN_UNSPECIFIED value */
     HEALTH_UNKNOWN_UNSPECIFIED = 0,
     /** HEALTH_GOOD value */
     HEALTH_GOOD = 1,
     /** HEALTH_BAD value */
     HEALTH_BAD = 2
    }
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
