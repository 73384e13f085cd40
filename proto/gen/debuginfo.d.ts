// Generated from parca/debuginfo/v1alpha1/debuginfo.proto by tools/generate/proto.mjs. Do not edit.
import * as $protobuf from "protobufjs/minimal.js";
import Long = require("long");
/** Namespace parca. */
export namespace parca {
 /** Namespace debuginfo. */
 namespace debuginfo {
  /** Namespace v1alpha1. */
  namespace v1alpha1 {
   /** DebuginfoType enum. */
   enum DebuginfoType {
    /** DEBUGINFO_TYPE_DEBUGINFO_UNSPECIFIED value */
    DEBUGINFO_TYPE_DEBUGINFO_UNSPECIFIED = 0,
    /** DEBUGINFO_TYPE_EXECUTABLE value */
    DEBUGINFO_TYPE_EXECUTABLE = 1,
    /** DEBUGINFO_TYPE_SOURCES value */
    DEBUGINFO_TYPE_SOURCES = 2,
    /** DEBUGINFO_TYPE_SOURCE_MAP value */
    DEBUGINFO_TYPE_SOURCE_MAP = 3
   }
   /** BuildIDType enum. */
   enum BuildIDType {
    /** BUILD_ID_TYPE_UNKNOWN_UNSPECIFIED value */
    BUILD_ID_TYPE_UNKNOWN_UNSPECIFIED = 0,
    /** BUILD_ID_TYPE_GNU value */
    BUILD_ID_TYPE_GNU = 1,
    /** BUILD_ID_TYPE_HASH value */
    BUILD_ID_TYPE_HASH = 2,
    /** BUILD_ID_TYPE_GO value */
    BUILD_ID_TYPE_GO = 3,
    /** BUILD_ID_TYPE_SOURCE_MAP_DEBUG_ID value */
    BUILD_ID_TYPE_SOURCE_MAP_DEBUG_ID = 4
   }
   /**
    * Properties of a ShouldInitiateUploadRequest.
    * @deprecated Use parca.debuginfo.v1alpha1.ShouldInitiateUploadRequest.$Properties instead.
    */
   interface IShouldInitiateUploadRequest extends parca.debuginfo.v1alpha1.ShouldInitiateUploadRequest.$Properties {
   }
   /** Represents a ShouldInitiateUploadRequest. */
   class ShouldInitiateUploadRequest {
    /**
     * Constructs a new ShouldInitiateUploadRequest.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.debuginfo.v1alpha1.ShouldInitiateUploadRequest.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** ShouldInitiateUploadRequest buildId. */
    buildId: string;
    /** ShouldInitiateUploadRequest hash. */
    hash: string;
    /** ShouldInitiateUploadRequest force. */
    force: boolean;
    /** ShouldInitiateUploadRequest type. */
    type: parca.debuginfo.v1alpha1.DebuginfoType;
    /** ShouldInitiateUploadRequest buildIdType. */
    buildIdType: parca.debuginfo.v1alpha1.BuildIDType;
    /**
     * Encodes the specified ShouldInitiateUploadRequest message. Does not implicitly {@link parca.debuginfo.v1alpha1.ShouldInitiateUploadRequest.verify|verify} messages.
     * @param message ShouldInitiateUploadRequest message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.debuginfo.v1alpha1.ShouldInitiateUploadRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a ShouldInitiateUploadRequest message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.debuginfo.v1alpha1.ShouldInitiateUploadRequest & parca.debuginfo.v1alpha1.ShouldInitiateUploadRequest.$Shape} ShouldInitiateUploadRequest
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.debuginfo.v1alpha1.ShouldInitiateUploadRequest & parca.debuginfo.v1alpha1.ShouldInitiateUploadRequest.$Shape;
   }
   namespace ShouldInitiateUploadRequest {
    /** Properties of a ShouldInitiateUploadRequest. */
    interface $Properties {
     /** ShouldInitiateUploadRequest buildId */
     buildId?: string;
     /** ShouldInitiateUploadRequest hash */
     hash?: string;
     /** ShouldInitiateUploadRequest force */
     force?: boolean;
     /** ShouldInitiateUploadRequest type */
     type?: parca.debuginfo.v1alpha1.DebuginfoType;
     /** ShouldInitiateUploadRequest buildIdType */
     buildIdType?: parca.debuginfo.v1alpha1.BuildIDType;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a ShouldInitiateUploadRequest. */
    type $Shape = parca.debuginfo.v1alpha1.ShouldInitiateUploadRequest.$Properties;
   }
   /**
    * Properties of a ShouldInitiateUploadResponse.
    * @deprecated Use parca.debuginfo.v1alpha1.ShouldInitiateUploadResponse.$Properties instead.
    */
   interface IShouldInitiateUploadResponse extends parca.debuginfo.v1alpha1.ShouldInitiateUploadResponse.$Properties {
   }
   /** Represents a ShouldInitiateUploadResponse. */
   class ShouldInitiateUploadResponse {
    /**
     * Constructs a new ShouldInitiateUploadResponse.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.debuginfo.v1alpha1.ShouldInitiateUploadResponse.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** ShouldInitiateUploadResponse shouldInitiateUpload. */
    shouldInitiateUpload: boolean;
    /** ShouldInitiateUploadResponse reason. */
    reason: string;
    /**
     * Encodes the specified ShouldInitiateUploadResponse message. Does not implicitly {@link parca.debuginfo.v1alpha1.ShouldInitiateUploadResponse.verify|verify} messages.
     * @param message ShouldInitiateUploadResponse message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.debuginfo.v1alpha1.ShouldInitiateUploadResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a ShouldInitiateUploadResponse message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.debuginfo.v1alpha1.ShouldInitiateUploadResponse & parca.debuginfo.v1alpha1.ShouldInitiateUploadResponse.$Shape} ShouldInitiateUploadResponse
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.debuginfo.v1alpha1.ShouldInitiateUploadResponse & parca.debuginfo.v1alpha1.ShouldInitiateUploadResponse.$Shape;
   }
   namespace ShouldInitiateUploadResponse {
    /** Properties of a ShouldInitiateUploadResponse. */
    interface $Properties {
     /** ShouldInitiateUploadResponse shouldInitiateUpload */
     shouldInitiateUpload?: boolean;
     /** ShouldInitiateUploadResponse reason */
     reason?: string;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a ShouldInitiateUploadResponse. */
    type $Shape = parca.debuginfo.v1alpha1.ShouldInitiateUploadResponse.$Properties;
   }
   /**
    * Properties of an InitiateUploadRequest.
    * @deprecated Use parca.debuginfo.v1alpha1.InitiateUploadRequest.$Properties instead.
    */
   interface IInitiateUploadRequest extends parca.debuginfo.v1alpha1.InitiateUploadRequest.$Properties {
   }
   /** Represents an InitiateUploadRequest. */
   class InitiateUploadRequest {
    /**
     * Constructs a new InitiateUploadRequest.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.debuginfo.v1alpha1.InitiateUploadRequest.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** InitiateUploadRequest buildId. */
    buildId: string;
    /** InitiateUploadRequest size. */
    size: Long;
    /** InitiateUploadRequest hash. */
    hash: string;
    /** InitiateUploadRequest force. */
    force: boolean;
    /** InitiateUploadRequest type. */
    type: parca.debuginfo.v1alpha1.DebuginfoType;
    /** InitiateUploadRequest buildIdType. */
    buildIdType: parca.debuginfo.v1alpha1.BuildIDType;
    /**
     * Encodes the specified InitiateUploadRequest message. Does not implicitly {@link parca.debuginfo.v1alpha1.InitiateUploadRequest.verify|verify} messages.
     * @param message InitiateUploadRequest message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.debuginfo.v1alpha1.InitiateUploadRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes an InitiateUploadRequest message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.debuginfo.v1alpha1.InitiateUploadRequest & parca.debuginfo.v1alpha1.InitiateUploadRequest.$Shape} InitiateUploadRequest
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.debuginfo.v1alpha1.InitiateUploadRequest & parca.debuginfo.v1alpha1.InitiateUploadRequest.$Shape;
   }
   namespace InitiateUploadRequest {
    /** Properties of an InitiateUploadRequest. */
    interface $Properties {
     /** InitiateUploadRequest buildId */
     buildId?: string;
     /** InitiateUploadRequest size */
     size?: Long;
     /** InitiateUploadRequest hash */
     hash?: string;
     /** InitiateUploadRequest force */
     force?: boolean;
     /** InitiateUploadRequest type */
     type?: parca.debuginfo.v1alpha1.DebuginfoType;
     /** InitiateUploadRequest buildIdType */
     buildIdType?: parca.debuginfo.v1alpha1.BuildIDType;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of an InitiateUploadRequest. */
    type $Shape = parca.debuginfo.v1alpha1.InitiateUploadRequest.$Properties;
   }
   /**
    * Properties of an InitiateUploadResponse.
    * @deprecated Use parca.debuginfo.v1alpha1.InitiateUploadResponse.$Properties instead.
    */
   interface IInitiateUploadResponse extends parca.debuginfo.v1alpha1.InitiateUploadResponse.$Properties {
   }
   /** Represents an InitiateUploadResponse. */
   class InitiateUploadResponse {
    /**
     * Constructs a new InitiateUploadResponse.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.debuginfo.v1alpha1.InitiateUploadResponse.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** InitiateUploadResponse uploadInstructions. */
    uploadInstructions: parca.debuginfo.v1alpha1.UploadInstructions;
    /**
     * Encodes the specified InitiateUploadResponse message. Does not implicitly {@link parca.debuginfo.v1alpha1.InitiateUploadResponse.verify|verify} messages.
     * @param message InitiateUploadResponse message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.debuginfo.v1alpha1.InitiateUploadResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes an InitiateUploadResponse message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.debuginfo.v1alpha1.InitiateUploadResponse & parca.debuginfo.v1alpha1.InitiateUploadResponse.$Shape} InitiateUploadResponse
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.debuginfo.v1alpha1.InitiateUploadResponse & parca.debuginfo.v1alpha1.InitiateUploadResponse.$Shape;
   }
   namespace InitiateUploadResponse {
    /** Properties of an InitiateUploadResponse. */
    interface $Properties {
     /** InitiateUploadResponse uploadInstructions */
     uploadInstructions?: parca.debuginfo.v1alpha1.UploadInstructions.$Properties;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of an InitiateUploadResponse. */
    type $Shape = parca.debuginfo.v1alpha1.InitiateUploadResponse.$Properties;
   }
   /**
    * Properties of an UploadInstructions.
    * @deprecated Use parca.debuginfo.v1alpha1.UploadInstructions.$Properties instead.
    */
   interface IUploadInstructions extends parca.debuginfo.v1alpha1.UploadInstructions.$Properties {
   }
   /** Represents an UploadInstructions. */
   class UploadInstructions {
    /**
     * Constructs a new UploadInstructions.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.debuginfo.v1alpha1.UploadInstructions.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** UploadInstructions buildId. */
    buildId: string;
    /** UploadInstructions uploadId. */
    uploadId: string;
    /** UploadInstructions uploadStrategy. */
    uploadStrategy: parca.debuginfo.v1alpha1.UploadInstructions.UploadStrategy;
    /** UploadInstructions signedUrl. */
    signedUrl: string;
    /** UploadInstructions type. */
    type: parca.debuginfo.v1alpha1.DebuginfoType;
    /**
     * Encodes the specified UploadInstructions message. Does not implicitly {@link parca.debuginfo.v1alpha1.UploadInstructions.verify|verify} messages.
     * @param message UploadInstructions message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.debuginfo.v1alpha1.UploadInstructions.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes an UploadInstructions message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.debuginfo.v1alpha1.UploadInstructions & parca.debuginfo.v1alpha1.UploadInstructions.$Shape} UploadInstructions
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.debuginfo.v1alpha1.UploadInstructions & parca.debuginfo.v1alpha1.UploadInstructions.$Shape;
   }
   namespace UploadInstructions {
    /** Properties of an UploadInstructions. */
    interface $Properties {
     /** UploadInstructions buildId */
     buildId?: string;
     /** UploadInstructions uploadId */
     uploadId?: string;
     /** UploadInstructions uploadStrategy */
     uploadStrategy?: parca.debuginfo.v1alpha1.UploadInstructions.UploadStrategy;
     /** UploadInstructions signedUrl */
     signedUrl?: string;
     /** UploadInstructions type */
     type?: parca.debuginfo.v1alpha1.DebuginfoType;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of an UploadInstructions. */
    type $Shape = parca.debuginfo.v1alpha1.UploadInstructions.$Properties;
    /** UploadStrategy enum. */
    enum UploadStrategy {
     /** UPLOAD_STRATEGY_UNSPECIFIED value */
     UPLOAD_STRATEGY_UNSPECIFIED = 0,
     /** UPLOAD_STRATEGY_GRPC value */
     UPLOAD_STRATEGY_GRPC = 1,
     /** UPLOAD_STRATEGY_SIGNED_URL value */
     UPLOAD_STRATEGY_SIGNED_URL = 2
    }
   }
   /**
    * Properties of a MarkUploadFinishedRequest.
    * @deprecated Use parca.debuginfo.v1alpha1.MarkUploadFinishedRequest.$Properties instead.
    */
   interface IMarkUploadFinishedRequest extends parca.debuginfo.v1alpha1.MarkUploadFinishedRequest.$Properties {
   }
   /** Represents a MarkUploadFinishedRequest. */
   class MarkUploadFinishedRequest {
    /**
     * Constructs a new MarkUploadFinishedRequest.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.debuginfo.v1alpha1.MarkUploadFinishedRequest.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** MarkUploadFinishedRequest buildId. */
    buildId: string;
    /** MarkUploadFinishedRequest uploadId. */
    uploadId: string;
    /** MarkUploadFinishedRequest type. */
    type: parca.debuginfo.v1alpha1.DebuginfoType;
    /**
     * Encodes the specified MarkUploadFinishedRequest message. Does not implicitly {@link parca.debuginfo.v1alpha1.MarkUploadFinishedRequest.verify|verify} messages.
     * @param message MarkUploadFinishedRequest message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.debuginfo.v1alpha1.MarkUploadFinishedRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a MarkUploadFinishedRequest message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.debuginfo.v1alpha1.MarkUploadFinishedRequest & parca.debuginfo.v1alpha1.MarkUploadFinishedRequest.$Shape} MarkUploadFinishedRequest
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.debuginfo.v1alpha1.MarkUploadFinishedRequest & parca.debuginfo.v1alpha1.MarkUploadFinishedRequest.$Shape;
   }
   namespace MarkUploadFinishedRequest {
    /** Properties of a MarkUploadFinishedRequest. */
    interface $Properties {
     /** MarkUploadFinishedRequest buildId */
     buildId?: string;
     /** MarkUploadFinishedRequest uploadId */
     uploadId?: string;
     /** MarkUploadFinishedRequest type */
     type?: parca.debuginfo.v1alpha1.DebuginfoType;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a MarkUploadFinishedRequest. */
    type $Shape = parca.debuginfo.v1alpha1.MarkUploadFinishedRequest.$Properties;
   }
   /**
    * Properties of a MarkUploadFinishedResponse.
    * @deprecated Use parca.debuginfo.v1alpha1.MarkUploadFinishedResponse.$Properties instead.
    */
   interface IMarkUploadFinishedResponse extends parca.debuginfo.v1alpha1.MarkUploadFinishedResponse.$Properties {
   }
   /** Represents a MarkUploadFinishedResponse. */
   class MarkUploadFinishedResponse {
    /**
     * Constructs a new MarkUploadFinishedResponse.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.debuginfo.v1alpha1.MarkUploadFinishedResponse.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /**
     * Encodes the specified MarkUploadFinishedResponse message. Does not implicitly {@link parca.debuginfo.v1alpha1.MarkUploadFinishedResponse.verify|verify} messages.
     * @param message MarkUploadFinishedResponse message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.debuginfo.v1alpha1.MarkUploadFinishedResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a MarkUploadFinishedResponse message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.debuginfo.v1alpha1.MarkUploadFinishedResponse & parca.debuginfo.v1alpha1.MarkUploadFinishedResponse.$Shape} MarkUploadFinishedResponse
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.debuginfo.v1alpha1.MarkUploadFinishedResponse & parca.debuginfo.v1alpha1.MarkUploadFinishedResponse.$Shape;
   }
   namespace MarkUploadFinishedResponse {
    /** Properties of a MarkUploadFinishedResponse. */
    interface $Properties {
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a MarkUploadFinishedResponse. */
    type $Shape = parca.debuginfo.v1alpha1.MarkUploadFinishedResponse.$Properties;
   }
   /**
    * Properties of an UploadRequest.
    * @deprecated Use parca.debuginfo.v1alpha1.UploadRequest.$Properties instead.
    */
   interface IUploadRequest extends parca.debuginfo.v1alpha1.UploadRequest.$Properties {
   }
   /** Represents an UploadRequest. */
   class UploadRequest {
    /**
     * Constructs a new UploadRequest.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.debuginfo.v1alpha1.UploadRequest.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** UploadRequest info. */
    info: (parca.debuginfo.v1alpha1.UploadInfo|null);
    /** UploadRequest chunkData. */
    chunkData: (Uint8Array|null);
    /** UploadRequest data. */
    data?: ("info"|"chunkData");
    /**
     * Encodes the specified UploadRequest message. Does not implicitly {@link parca.debuginfo.v1alpha1.UploadRequest.verify|verify} messages.
     * @param message UploadRequest message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.debuginfo.v1alpha1.UploadRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes an UploadRequest message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.debuginfo.v1alpha1.UploadRequest & parca.debuginfo.v1alpha1.UploadRequest.$Shape} UploadRequest
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.debuginfo.v1alpha1.UploadRequest & parca.debuginfo.v1alpha1.UploadRequest.$Shape;
   }
   namespace UploadRequest {
    /** Properties of an UploadRequest. */
    interface $Properties {
     /** UploadRequest info */
     info?: (parca.debuginfo.v1alpha1.UploadInfo.$Properties|null);
     /** UploadRequest chunkData */
     chunkData?: (Uint8Array|null);
     /** UploadRequest data */
     data?: ("info"|"chunkData");
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Narrowed shape of an UploadRequest. */
    type $Shape = {
      info?: parca.debuginfo.v1alpha1.UploadInfo.$Shape|null;
      chunkData?: Uint8Array|null;
      $unknowns?: Uint8Array[];
    } & (
      ({ data?: undefined; info?: null; chunkData?: null }|{ data?: "info"; info: parca.debuginfo.v1alpha1.UploadInfo.$Shape; chunkData?: null }|{ data?: "chunkData"; info?: null; chunkData: Uint8Array })
    );
   }
   /**
    * Properties of an UploadInfo.
    * @deprecated Use parca.debuginfo.v1alpha1.UploadInfo.$Properties instead.
    */
   interface IUploadInfo extends parca.debuginfo.v1alpha1.UploadInfo.$Properties {
   }
   /** Represents an UploadInfo. */
   class UploadInfo {
    /**
     * Constructs a new UploadInfo.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.debuginfo.v1alpha1.UploadInfo.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** UploadInfo buildId. */
    buildId: string;
    /** UploadInfo uploadId. */
    uploadId: string;
    /** UploadInfo type. */
    type: parca.debuginfo.v1alpha1.DebuginfoType;
    /**
     * Encodes the specified UploadInfo message. Does not implicitly {@link parca.debuginfo.v1alpha1.UploadInfo.verify|verify} messages.
     * @param message UploadInfo message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.debuginfo.v1alpha1.UploadInfo.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes an UploadInfo message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.debuginfo.v1alpha1.UploadInfo & parca.debuginfo.v1alpha1.UploadInfo.$Shape} UploadInfo
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.debuginfo.v1alpha1.UploadInfo & parca.debuginfo.v1alpha1.UploadInfo.$Shape;
   }
   namespace UploadInfo {
    /** Properties of an UploadInfo. */
    interface $Properties {
     /** UploadInfo buildId */
     buildId?: string;
     /** UploadInfo uploadId */
     uploadId?: string;
     /** UploadInfo type */
     type?: parca.debuginfo.v1alpha1.DebuginfoType;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of an UploadInfo. */
    type $Shape = parca.debuginfo.v1alpha1.UploadInfo.$Properties;
   }
   /**
    * Properties of an UploadResponse.
    * @deprecated Use parca.debuginfo.v1alpha1.UploadResponse.$Properties instead.
    */
   interface IUploadResponse extends parca.debuginfo.v1alpha1.UploadResponse.$Properties {
   }
   /** Represents an UploadResponse. */
   class UploadResponse {
    /**
     * Constructs a new UploadResponse.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.debuginfo.v1alpha1.UploadResponse.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** UploadResponse buildId. */
    buildId: string;
    /** UploadResponse size. */
    size: Long;
    /**
     * Encodes the specified UploadResponse message. Does not implicitly {@link parca.debuginfo.v1alpha1.UploadResponse.verify|verify} messages.
     * @param message UploadResponse message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.debuginfo.v1alpha1.UploadResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes an UploadResponse message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.debuginfo.v1alpha1.UploadResponse & parca.debuginfo.v1alpha1.UploadResponse.$Shape} UploadResponse
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.debuginfo.v1alpha1.UploadResponse & parca.debuginfo.v1alpha1.UploadResponse.$Shape;
   }
   namespace UploadResponse {
    /** Properties of an UploadResponse. */
    interface $Properties {
     /** UploadResponse buildId */
     buildId?: string;
     /** UploadResponse size */
     size?: Long;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of an UploadResponse. */
    type $Shape = parca.debuginfo.v1alpha1.UploadResponse.$Properties;
   }
  }
 }
}
