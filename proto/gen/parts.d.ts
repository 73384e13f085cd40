// Generated from parts/v1/parts.proto by tools/generate/proto.mjs. Do not edit.
import * as $protobuf from "protobufjs/minimal.js";
import Long = require("long");
/** Namespace parts. */
export namespace parts {
 /** Namespace v1. */
 namespace v1 {
  /**
   * Properties of a LookRequest.
   * @deprecated Use parts.v1.LookRequest.$Properties instead.
   */
  interface ILookRequest extends parts.v1.LookRequest.$Properties {
  }
  /** Represents a LookRequest. */
  class LookRequest {
   /**
    * Constructs a new LookRequest.
    * @param [properties] Properties to set
    */
   constructor(properties?: parts.v1.LookRequest.$Properties);
   /** Unknown fields preserved while decoding when enabled */
   $unknowns?: Uint8Array[];
   /** LookRequest instance. */
   instance: string;
   /** LookRequest version. */
   version: string;
   /** LookRequest places. */
   places: parts.v1.LogPlace[];
   /**
    * Encodes the specified LookRequest message. Does not implicitly {@link parts.v1.LookRequest.verify|verify} messages.
    * @param message LookRequest message or plain object to encode
    * @param [writer] Writer to encode to
    * @returns Writer
    */
   static encode(message: parts.v1.LookRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   /**
    * Decodes a LookRequest message from the specified reader or buffer.
    * @param reader Reader or buffer to decode from
    * @param [length] Message length if known beforehand
    * @returns {parts.v1.LookRequest & parts.v1.LookRequest.$Shape} LookRequest
    * @throws {Error} If the payload is not a reader or valid buffer
    * @throws {$protobuf.util.ProtocolError} If required fields are missing
    */
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parts.v1.LookRequest & parts.v1.LookRequest.$Shape;
  }
  namespace LookRequest {
   /** Properties of a LookRequest. */
   interface $Properties {
    /** LookRequest instance */
    instance?: string;
    /** LookRequest version */
    version?: string;
    /** LookRequest places */
    places?: parts.v1.LogPlace.$Properties[];
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
   }
   /** Shape of a LookRequest. */
   type $Shape = parts.v1.LookRequest.$Properties;
  }
  /**
   * Properties of a LogPlace.
   * @deprecated Use parts.v1.LogPlace.$Properties instead.
   */
  interface ILogPlace extends parts.v1.LogPlace.$Properties {
  }
  /** Represents a LogPlace. */
  class LogPlace {
   /**
    * Constructs a new LogPlace.
    * @param [properties] Properties to set
    */
   constructor(properties?: parts.v1.LogPlace.$Properties);
   /** Unknown fields preserved while decoding when enabled */
   $unknowns?: Uint8Array[];
   /** LogPlace epoch. */
   epoch: number;
   /** LogPlace sequence. */
   sequence: Long;
   /** LogPlace offset. */
   offset: Long;
   /**
    * Encodes the specified LogPlace message. Does not implicitly {@link parts.v1.LogPlace.verify|verify} messages.
    * @param message LogPlace message or plain object to encode
    * @param [writer] Writer to encode to
    * @returns Writer
    */
   static encode(message: parts.v1.LogPlace.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   /**
    * Decodes a LogPlace message from the specified reader or buffer.
    * @param reader Reader or buffer to decode from
    * @param [length] Message length if known beforehand
    * @returns {parts.v1.LogPlace & parts.v1.LogPlace.$Shape} LogPlace
    * @throws {Error} If the payload is not a reader or valid buffer
    * @throws {$protobuf.util.ProtocolError} If required fields are missing
    */
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parts.v1.LogPlace & parts.v1.LogPlace.$Shape;
  }
  namespace LogPlace {
   /** Properties of a LogPlace. */
   interface $Properties {
    /** LogPlace epoch */
    epoch?: number;
    /** LogPlace sequence */
    sequence?: Long;
    /** LogPlace offset */
    offset?: Long;
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
   }
   /** Shape of a LogPlace. */
   type $Shape = parts.v1.LogPlace.$Properties;
  }
  /**
   * Properties of a LookResponse.
   * @deprecated Use parts.v1.LookResponse.$Properties instead.
   */
  interface ILookResponse extends parts.v1.LookResponse.$Properties {
  }
  /** Represents a LookResponse. */
  class LookResponse {
   /**
    * Constructs a new LookResponse.
    * @param [properties] Properties to set
    */
   constructor(properties?: parts.v1.LookResponse.$Properties);
   /** Unknown fields preserved while decoding when enabled */
   $unknowns?: Uint8Array[];
   /** LookResponse instance. */
   instance: string;
   /** LookResponse version. */
   version: string;
   /** LookResponse hasBlocks. */
   hasBlocks: boolean;
   /** LookResponse blocks. */
   blocks: parts.v1.ListedBlock[];
   /** LookResponse heads. */
   heads: number[];
   /** LookResponse stretches. */
   stretches: parts.v1.LogStretch[];
   /** LookResponse isWhole. */
   isWhole: boolean;
   /** LookResponse losses. */
   losses: parts.v1.Loss[];
   /** LookResponse gone. */
   gone: string[];
   /**
    * Encodes the specified LookResponse message. Does not implicitly {@link parts.v1.LookResponse.verify|verify} messages.
    * @param message LookResponse message or plain object to encode
    * @param [writer] Writer to encode to
    * @returns Writer
    */
   static encode(message: parts.v1.LookResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   /**
    * Decodes a LookResponse message from the specified reader or buffer.
    * @param reader Reader or buffer to decode from
    * @param [length] Message length if known beforehand
    * @returns {parts.v1.LookResponse & parts.v1.LookResponse.$Shape} LookResponse
    * @throws {Error} If the payload is not a reader or valid buffer
    * @throws {$protobuf.util.ProtocolError} If required fields are missing
    */
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parts.v1.LookResponse & parts.v1.LookResponse.$Shape;
  }
  namespace LookResponse {
   /** Properties of a LookResponse. */
   interface $Properties {
    /** LookResponse instance */
    instance?: string;
    /** LookResponse version */
    version?: string;
    /** LookResponse hasBlocks */
    hasBlocks?: boolean;
    /** LookResponse blocks */
    blocks?: parts.v1.ListedBlock.$Properties[];
    /** LookResponse heads */
    heads?: number[];
    /** LookResponse stretches */
    stretches?: parts.v1.LogStretch.$Properties[];
    /** LookResponse isWhole */
    isWhole?: boolean;
    /** LookResponse losses */
    losses?: parts.v1.Loss.$Properties[];
    /** LookResponse gone */
    gone?: string[];
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
   }
   /** Shape of a LookResponse. */
   type $Shape = parts.v1.LookResponse.$Properties;
  }
  /**
   * Properties of a ListedBlock.
   * @deprecated Use parts.v1.ListedBlock.$Properties instead.
   */
  interface IListedBlock extends parts.v1.ListedBlock.$Properties {
  }
  /** Represents a ListedBlock. */
  class ListedBlock {
   /**
    * Constructs a new ListedBlock.
    * @param [properties] Properties to set
    */
   constructor(properties?: parts.v1.ListedBlock.$Properties);
   /** Unknown fields preserved while decoding when enabled */
   $unknowns?: Uint8Array[];
   /** ListedBlock id. */
   id: string;
   /** ListedBlock fileBytes. */
   fileBytes: Long;
   /** ListedBlock deletions. */
   deletions: Uint8Array;
   /**
    * Encodes the specified ListedBlock message. Does not implicitly {@link parts.v1.ListedBlock.verify|verify} messages.
    * @param message ListedBlock message or plain object to encode
    * @param [writer] Writer to encode to
    * @returns Writer
    */
   static encode(message: parts.v1.ListedBlock.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   /**
    * Decodes a ListedBlock message from the specified reader or buffer.
    * @param reader Reader or buffer to decode from
    * @param [length] Message length if known beforehand
    * @returns {parts.v1.ListedBlock & parts.v1.ListedBlock.$Shape} ListedBlock
    * @throws {Error} If the payload is not a reader or valid buffer
    * @throws {$protobuf.util.ProtocolError} If required fields are missing
    */
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parts.v1.ListedBlock & parts.v1.ListedBlock.$Shape;
  }
  namespace ListedBlock {
   /** Properties of a ListedBlock. */
   interface $Properties {
    /** ListedBlock id */
    id?: string;
    /** ListedBlock fileBytes */
    fileBytes?: Long;
    /** ListedBlock deletions */
    deletions?: Uint8Array;
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
   }
   /** Shape of a ListedBlock. */
   type $Shape = parts.v1.ListedBlock.$Properties;
  }
  /**
   * Properties of a LogStretch.
   * @deprecated Use parts.v1.LogStretch.$Properties instead.
   */
  interface ILogStretch extends parts.v1.LogStretch.$Properties {
  }
  /** Represents a LogStretch. */
  class LogStretch {
   /**
    * Constructs a new LogStretch.
    * @param [properties] Properties to set
    */
   constructor(properties?: parts.v1.LogStretch.$Properties);
   /** Unknown fields preserved while decoding when enabled */
   $unknowns?: Uint8Array[];
   /** LogStretch epoch. */
   epoch: number;
   /** LogStretch sequence. */
   sequence: Long;
   /** LogStretch salt. */
   salt: number;
   /** LogStretch offset. */
   offset: Long;
   /** LogStretch content. */
   content: Uint8Array;
   /** LogStretch end. */
   end: Long;
   /**
    * Encodes the specified LogStretch message. Does not implicitly {@link parts.v1.LogStretch.verify|verify} messages.
    * @param message LogStretch message or plain object to encode
    * @param [writer] Writer to encode to
    * @returns Writer
    */
   static encode(message: parts.v1.LogStretch.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   /**
    * Decodes a LogStretch message from the specified reader or buffer.
    * @param reader Reader or buffer to decode from
    * @param [length] Message length if known beforehand
    * @returns {parts.v1.LogStretch & parts.v1.LogStretch.$Shape} LogStretch
    * @throws {Error} If the payload is not a reader or valid buffer
    * @throws {$protobuf.util.ProtocolError} If required fields are missing
    */
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parts.v1.LogStretch & parts.v1.LogStretch.$Shape;
  }
  namespace LogStretch {
   /** Properties of a LogStretch. */
   interface $Properties {
    /** LogStretch epoch */
    epoch?: number;
    /** LogStretch sequence */
    sequence?: Long;
    /** LogStretch salt */
    salt?: number;
    /** LogStretch offset */
    offset?: Long;
    /** LogStretch content */
    content?: Uint8Array;
    /** LogStretch end */
    end?: Long;
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
   }
   /** Shape of a LogStretch. */
   type $Shape = parts.v1.LogStretch.$Properties;
  }
  /**
   * Properties of a Loss.
   * @deprecated Use parts.v1.Loss.$Properties instead.
   */
  interface ILoss extends parts.v1.Loss.$Properties {
  }
  /** Represents a Loss. */
  class Loss {
   /**
    * Constructs a new Loss.
    * @param [properties] Properties to set
    */
   constructor(properties?: parts.v1.Loss.$Properties);
   /** Unknown fields preserved while decoding when enabled */
   $unknowns?: Uint8Array[];
   /** Loss lastNanos. */
   lastNanos: Long;
   /** Loss sentence. */
   sentence: string;
   /**
    * Encodes the specified Loss message. Does not implicitly {@link parts.v1.Loss.verify|verify} messages.
    * @param message Loss message or plain object to encode
    * @param [writer] Writer to encode to
    * @returns Writer
    */
   static encode(message: parts.v1.Loss.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   /**
    * Decodes a Loss message from the specified reader or buffer.
    * @param reader Reader or buffer to decode from
    * @param [length] Message length if known beforehand
    * @returns {parts.v1.Loss & parts.v1.Loss.$Shape} Loss
    * @throws {Error} If the payload is not a reader or valid buffer
    * @throws {$protobuf.util.ProtocolError} If required fields are missing
    */
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parts.v1.Loss & parts.v1.Loss.$Shape;
  }
  namespace Loss {
   /** Properties of a Loss. */
   interface $Properties {
    /** Loss lastNanos */
    lastNanos?: Long;
    /** Loss sentence */
    sentence?: string;
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
   }
   /** Shape of a Loss. */
   type $Shape = parts.v1.Loss.$Properties;
  }
  /**
   * Properties of a ReadBlockRequest.
   * @deprecated Use parts.v1.ReadBlockRequest.$Properties instead.
   */
  interface IReadBlockRequest extends parts.v1.ReadBlockRequest.$Properties {
  }
  /** Represents a ReadBlockRequest. */
  class ReadBlockRequest {
   /**
    * Constructs a new ReadBlockRequest.
    * @param [properties] Properties to set
    */
   constructor(properties?: parts.v1.ReadBlockRequest.$Properties);
   /** Unknown fields preserved while decoding when enabled */
   $unknowns?: Uint8Array[];
   /** ReadBlockRequest id. */
   id: string;
   /** ReadBlockRequest offset. */
   offset: Long;
   /** ReadBlockRequest length. */
   length: number;
   /**
    * Encodes the specified ReadBlockRequest message. Does not implicitly {@link parts.v1.ReadBlockRequest.verify|verify} messages.
    * @param message ReadBlockRequest message or plain object to encode
    * @param [writer] Writer to encode to
    * @returns Writer
    */
   static encode(message: parts.v1.ReadBlockRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   /**
    * Decodes a ReadBlockRequest message from the specified reader or buffer.
    * @param reader Reader or buffer to decode from
    * @param [length] Message length if known beforehand
    * @returns {parts.v1.ReadBlockRequest & parts.v1.ReadBlockRequest.$Shape} ReadBlockRequest
    * @throws {Error} If the payload is not a reader or valid buffer
    * @throws {$protobuf.util.ProtocolError} If required fields are missing
    */
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parts.v1.ReadBlockRequest & parts.v1.ReadBlockRequest.$Shape;
  }
  namespace ReadBlockRequest {
   /** Properties of a ReadBlockRequest. */
   interface $Properties {
    /** ReadBlockRequest id */
    id?: string;
    /** ReadBlockRequest offset */
    offset?: Long;
    /** ReadBlockRequest length */
    length?: number;
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
   }
   /** Shape of a ReadBlockRequest. */
   type $Shape = parts.v1.ReadBlockRequest.$Properties;
  }
  /**
   * Properties of a ReadBlockResponse.
   * @deprecated Use parts.v1.ReadBlockResponse.$Properties instead.
   */
  interface IReadBlockResponse extends parts.v1.ReadBlockResponse.$Properties {
  }
  /** Represents a ReadBlockResponse. */
  class ReadBlockResponse {
   /**
    * Constructs a new ReadBlockResponse.
    * @param [properties] Properties to set
    */
   constructor(properties?: parts.v1.ReadBlockResponse.$Properties);
   /** Unknown fields preserved while decoding when enabled */
   $unknowns?: Uint8Array[];
   /** ReadBlockResponse content. */
   content: Uint8Array;
   /**
    * Encodes the specified ReadBlockResponse message. Does not implicitly {@link parts.v1.ReadBlockResponse.verify|verify} messages.
    * @param message ReadBlockResponse message or plain object to encode
    * @param [writer] Writer to encode to
    * @returns Writer
    */
   static encode(message: parts.v1.ReadBlockResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   /**
    * Decodes a ReadBlockResponse message from the specified reader or buffer.
    * @param reader Reader or buffer to decode from
    * @param [length] Message length if known beforehand
    * @returns {parts.v1.ReadBlockResponse & parts.v1.ReadBlockResponse.$Shape} ReadBlockResponse
    * @throws {Error} If the payload is not a reader or valid buffer
    * @throws {$protobuf.util.ProtocolError} If required fields are missing
    */
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parts.v1.ReadBlockResponse & parts.v1.ReadBlockResponse.$Shape;
  }
  namespace ReadBlockResponse {
   /** Properties of a ReadBlockResponse. */
   interface $Properties {
    /** ReadBlockResponse content */
    content?: Uint8Array;
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
   }
   /** Shape of a ReadBlockResponse. */
   type $Shape = parts.v1.ReadBlockResponse.$Properties;
  }
 }
}
