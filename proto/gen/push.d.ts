// Generated from push/v1/push.proto by tools/generate/proto.mjs. Do not edit.
import * as $protobuf from "protobufjs/minimal.js";
import Long = require("long");
/** Namespace push. */
export namespace push {
 /** Namespace v1. */
 namespace v1 {
  /**
   * Properties of a PushRequest.
   * @deprecated Use push.v1.PushRequest.$Properties instead.
   */
  interface IPushRequest extends push.v1.PushRequest.$Properties {
  }
  /** Represents a PushRequest. */
  class PushRequest {
   /**
    * Constructs a new PushRequest.
    * @param [properties] Properties to set
    */
   constructor(properties?: push.v1.PushRequest.$Properties);
   /** Unknown fields preserved while decoding when enabled */
   $unknowns?: Uint8Array[];
   /** PushRequest series. */
   series: push.v1.RawProfileSeries[];
   /**
    * Encodes the specified PushRequest message. Does not implicitly {@link push.v1.PushRequest.verify|verify} messages.
    * @param message PushRequest message or plain object to encode
    * @param [writer] Writer to encode to
    * @returns Writer
    */
   static encode(message: push.v1.PushRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   /**
    * Decodes a PushRequest message from the specified reader or buffer.
    * @param reader Reader or buffer to decode from
    * @param [length] Message length if known beforehand
    * @returns {push.v1.PushRequest & push.v1.PushRequest.$Shape} PushRequest
    * @throws {Error} If the payload is not a reader or valid buffer
    * @throws {$protobuf.util.ProtocolError} If required fields are missing
    */
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): push.v1.PushRequest & push.v1.PushRequest.$Shape;
  }
  namespace PushRequest {
   /** Properties of a PushRequest. */
   interface $Properties {
    /** PushRequest series */
    series?: push.v1.RawProfileSeries.$Properties[];
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
   }
   /** Shape of a PushRequest. */
   type $Shape = push.v1.PushRequest.$Properties;
  }
  /**
   * Properties of a PushResponse.
   * @deprecated Use push.v1.PushResponse.$Properties instead.
   */
  interface IPushResponse extends push.v1.PushResponse.$Properties {
  }
  /** Represents a PushResponse. */
  class PushResponse {
   /**
    * Constructs a new PushResponse.
    * @param [properties] Properties to set
    */
   constructor(properties?: push.v1.PushResponse.$Properties);
   /** Unknown fields preserved while decoding when enabled */
   $unknowns?: Uint8Array[];
   /**
    * Encodes the specified PushResponse message. Does not implicitly {@link push.v1.PushResponse.verify|verify} messages.
    * @param message PushResponse message or plain object to encode
    * @param [writer] Writer to encode to
    * @returns Writer
    */
   static encode(message: push.v1.PushResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   /**
    * Decodes a PushResponse message from the specified reader or buffer.
    * @param reader Reader or buffer to decode from
    * @param [length] Message length if known beforehand
    * @returns {push.v1.PushResponse & push.v1.PushResponse.$Shape} PushResponse
    * @throws {Error} If the payload is not a reader or valid buffer
    * @throws {$protobuf.util.ProtocolError} If required fields are missing
    */
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): push.v1.PushResponse & push.v1.PushResponse.$Shape;
  }
  namespace PushResponse {
   /** Properties of a PushResponse. */
   interface $Properties {
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
   }
   /** Shape of a PushResponse. */
   type $Shape = push.v1.PushResponse.$Properties;
  }
  /**
   * Properties of a RawProfileSeries.
   * @deprecated Use push.v1.RawProfileSeries.$Properties instead.
   */
  interface IRawProfileSeries extends push.v1.RawProfileSeries.$Properties {
  }
  /** Represents a RawProfileSeries. */
  class RawProfileSeries {
   /**
    * Constructs a new RawProfileSeries.
    * @param [properties] Properties to set
    */
   constructor(properties?: push.v1.RawProfileSeries.$Properties);
   /** Unknown fields preserved while decoding when enabled */
   $unknowns?: Uint8Array[];
   /** RawProfileSeries labels. */
   labels: push.v1.LabelPair[];
   /** RawProfileSeries samples. */
   samples: push.v1.RawSample[];
   /**
    * Encodes the specified RawProfileSeries message. Does not implicitly {@link push.v1.RawProfileSeries.verify|verify} messages.
    * @param message RawProfileSeries message or plain object to encode
    * @param [writer] Writer to encode to
    * @returns Writer
    */
   static encode(message: push.v1.RawProfileSeries.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   /**
    * Decodes a RawProfileSeries message from the specified reader or buffer.
    * @param reader Reader or buffer to decode from
    * @param [length] Message length if known beforehand
    * @returns {push.v1.RawProfileSeries & push.v1.RawProfileSeries.$Shape} RawProfileSeries
    * @throws {Error} If the payload is not a reader or valid buffer
    * @throws {$protobuf.util.ProtocolError} If required fields are missing
    */
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): push.v1.RawProfileSeries & push.v1.RawProfileSeries.$Shape;
  }
  namespace RawProfileSeries {
   /** Properties of a RawProfileSeries. */
   interface $Properties {
    /** RawProfileSeries labels */
    labels?: push.v1.LabelPair.$Properties[];
    /** RawProfileSeries samples */
    samples?: push.v1.RawSample.$Properties[];
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
   }
   /** Shape of a RawProfileSeries. */
   type $Shape = push.v1.RawProfileSeries.$Properties;
  }
  /**
   * Properties of a RawSample.
   * @deprecated Use push.v1.RawSample.$Properties instead.
   */
  interface IRawSample extends push.v1.RawSample.$Properties {
  }
  /** Represents a RawSample. */
  class RawSample {
   /**
    * Constructs a new RawSample.
    * @param [properties] Properties to set
    */
   constructor(properties?: push.v1.RawSample.$Properties);
   /** Unknown fields preserved while decoding when enabled */
   $unknowns?: Uint8Array[];
   /** RawSample rawProfile. */
   rawProfile: Uint8Array;
   /** RawSample ID. */
   ID: string;
   /**
    * Encodes the specified RawSample message. Does not implicitly {@link push.v1.RawSample.verify|verify} messages.
    * @param message RawSample message or plain object to encode
    * @param [writer] Writer to encode to
    * @returns Writer
    */
   static encode(message: push.v1.RawSample.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   /**
    * Decodes a RawSample message from the specified reader or buffer.
    * @param reader Reader or buffer to decode from
    * @param [length] Message length if known beforehand
    * @returns {push.v1.RawSample & push.v1.RawSample.$Shape} RawSample
    * @throws {Error} If the payload is not a reader or valid buffer
    * @throws {$protobuf.util.ProtocolError} If required fields are missing
    */
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): push.v1.RawSample & push.v1.RawSample.$Shape;
  }
  namespace RawSample {
   /** Properties of a RawSample. */
   interface $Properties {
    /** RawSample rawProfile */
    rawProfile?: Uint8Array;
    /** RawSample ID */
    ID?: string;
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
   }
   /** Shape of a RawSample. */
   type $Shape = push.v1.RawSample.$Properties;
  }
  /**
   * Properties of a LabelPair.
   * @deprecated Use push.v1.LabelPair.$Properties instead.
   */
  interface ILabelPair extends push.v1.LabelPair.$Properties {
  }
  /** Represents a LabelPair. */
  class LabelPair {
   /**
    * Constructs a new LabelPair.
    * @param [properties] Properties to set
    */
   constructor(properties?: push.v1.LabelPair.$Properties);
   /** Unknown fields preserved while decoding when enabled */
   $unknowns?: Uint8Array[];
   /** LabelPair name. */
   name: string;
   /** LabelPair value. */
   value: string;
   /**
    * Encodes the specified LabelPair message. Does not implicitly {@link push.v1.LabelPair.verify|verify} messages.
    * @param message LabelPair message or plain object to encode
    * @param [writer] Writer to encode to
    * @returns Writer
    */
   static encode(message: push.v1.LabelPair.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   /**
    * Decodes a LabelPair message from the specified reader or buffer.
    * @param reader Reader or buffer to decode from
    * @param [length] Message length if known beforehand
    * @returns {push.v1.LabelPair & push.v1.LabelPair.$Shape} LabelPair
    * @throws {Error} If the payload is not a reader or valid buffer
    * @throws {$protobuf.util.ProtocolError} If required fields are missing
    */
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): push.v1.LabelPair & push.v1.LabelPair.$Shape;
  }
  namespace LabelPair {
   /** Properties of a LabelPair. */
   interface $Properties {
    /** LabelPair name */
    name?: string;
    /** LabelPair value */
    value?: string;
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
   }
   /** Shape of a LabelPair. */
   type $Shape = push.v1.LabelPair.$Properties;
  }
 }
}
