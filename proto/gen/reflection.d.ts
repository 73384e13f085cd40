// Generated from grpc/reflection/v1/reflection.proto by tools/generate/proto.mjs. Do not edit.
import * as $protobuf from "protobufjs/minimal.js";
import Long = require("long");
/** Namespace grpc. */
export namespace grpc {
 /** Namespace reflection. */
 namespace reflection {
  /** Namespace v1. */
  namespace v1 {
   /**
    * Properties of a ServerReflectionRequest.
    * @deprecated Use grpc.reflection.v1.ServerReflectionRequest.$Properties instead.
    */
   interface IServerReflectionRequest extends grpc.reflection.v1.ServerReflectionRequest.$Properties {
   }
   /** Represents a ServerReflectionRequest. */
   class ServerReflectionRequest {
    /**
     * Constructs a new ServerReflectionRequest.
     * @param [properties] Properties to set
     */
    constructor(properties?: grpc.reflection.v1.ServerReflectionRequest.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** ServerReflectionRequest host. */
    host: string;
    /** ServerReflectionRequest fileByFilename. */
    fileByFilename: (string|null);
    /** ServerReflectionRequest fileContainingSymbol. */
    fileContainingSymbol: (string|null);
    /** ServerReflectionRequest fileContainingExtension. */
    fileContainingExtension: (grpc.reflection.v1.ExtensionRequest|null);
    /** ServerReflectionRequest allExtensionNumbersOfType. */
    allExtensionNumbersOfType: (string|null);
    /** ServerReflectionRequest listServices. */
    listServices: (string|null);
    /** ServerReflectionRequest messageRequest. */
    messageRequest?: ("fileByFilename"|"fileContainingSymbol"|"fileContainingExtension"|"allExtensionNumbersOfType"|"listServices");
    /**
     * Encodes the specified ServerReflectionRequest message. Does not implicitly {@link grpc.reflection.v1.ServerReflectionRequest.verify|verify} messages.
     * @param message ServerReflectionRequest message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: grpc.reflection.v1.ServerReflectionRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a ServerReflectionRequest message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {grpc.reflection.v1.ServerReflectionRequest & grpc.reflection.v1.ServerReflectionRequest.$Shape} ServerReflectionRequest
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): grpc.reflection.v1.ServerReflectionRequest & grpc.reflection.v1.ServerReflectionRequest.$Shape;
   }
   namespace ServerReflectionRequest {
    /** Properties of a ServerReflectionRequest. */
    interface $Properties {
     /** ServerReflectionRequest host */
     host?: string;
     /** ServerReflectionRequest fileByFilename */
     fileByFilename?: (string|null);
     /** ServerReflectionRequest fileContainingSymbol */
     fileContainingSymbol?: (string|null);
     /** ServerReflectionRequest fileContainingExtension */
     fileContainingExtension?: (grpc.reflection.v1.ExtensionRequest.$Properties|null);
     /** ServerReflectionRequest allExtensionNumbersOfType */
     allExtensionNumbersOfType?: (string|null);
     /** ServerReflectionRequest listServices */
     listServices?: (string|null);
     /** ServerReflectionRequest messageRequest */
     messageRequest?: ("fileByFilename"|"fileContainingSymbol"|"fileContainingExtension"|"allExtensionNumbersOfType"|"listServices");
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Narrowed shape of a ServerReflectionRequest. */
    type $Shape = {
      host?: string;
      fileByFilename?: string|null;
      fileContainingSymbol?: string|null;
      fileContainingExtension?: grpc.reflection.v1.ExtensionRequest.$Shape|null;
      allExtensionNumbersOfType?: string|null;
      listServices?: string|null;
      $unknowns?: Uint8Array[];
    } & (
      ({ messageRequest?: undefined; fileByFilename?: null; fileContainingSymbol?: null; fileContainingExtension?: null; allExtensionNumbersOfType?: null; listServices?: null }|{ messageRequest?: "fileByFilename"; fileByFilename: string; fileContainingSymbol?: null; fileContainingExtension?: null; allExtensionNumbersOfType?: null; listServices?: null }|{ messageRequest?: "fileContainingSymbol"; fileByFilename?: null; fileContainingSymbol: string; fileContainingExtension?: null; allExtensionNumbersOfType?: null; listServices?: null }|{ messageRequest?: "fileContainingExtension"; fileByFilename?: null; fileContainingSymbol?: null; fileContainingExtension: grpc.reflection.v1.ExtensionRequest.$Shape; allExtensionNumbersOfType?: null; listServices?: null }|{ messageRequest?: "allExtensionNumbersOfType"; fileByFilename?: null; fileContainingSymbol?: null; fileContainingExtension?: null; allExtensionNumbersOfType: string; listServices?: null }|{ messageRequest?: "listServices"; fileByFilename?: null; fileContainingSymbol?: null; fileContainingExtension?: null; allExtensionNumbersOfType?: null; listServices: string })
    );
   }
   /**
    * Properties of an ExtensionRequest.
    * @deprecated Use grpc.reflection.v1.ExtensionRequest.$Properties instead.
    */
   interface IExtensionRequest extends grpc.reflection.v1.ExtensionRequest.$Properties {
   }
   /** Represents an ExtensionRequest. */
   class ExtensionRequest {
    /**
     * Constructs a new ExtensionRequest.
     * @param [properties] Properties to set
     */
    constructor(properties?: grpc.reflection.v1.ExtensionRequest.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** ExtensionRequest containingType. */
    containingType: string;
    /** ExtensionRequest extensionNumber. */
    extensionNumber: number;
    /**
     * Encodes the specified ExtensionRequest message. Does not implicitly {@link grpc.reflection.v1.ExtensionRequest.verify|verify} messages.
     * @param message ExtensionRequest message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: grpc.reflection.v1.ExtensionRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes an ExtensionRequest message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {grpc.reflection.v1.ExtensionRequest & grpc.reflection.v1.ExtensionRequest.$Shape} ExtensionRequest
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): grpc.reflection.v1.ExtensionRequest & grpc.reflection.v1.ExtensionRequest.$Shape;
   }
   namespace ExtensionRequest {
    /** Properties of an ExtensionRequest. */
    interface $Properties {
     /** ExtensionRequest containingType */
     containingType?: string;
     /** ExtensionRequest extensionNumber */
     extensionNumber?: number;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of an ExtensionRequest. */
    type $Shape = grpc.reflection.v1.ExtensionRequest.$Properties;
   }
   /**
    * Properties of a ServerReflectionResponse.
    * @deprecated Use grpc.reflection.v1.ServerReflectionResponse.$Properties instead.
    */
   interface IServerReflectionResponse extends grpc.reflection.v1.ServerReflectionResponse.$Properties {
   }
   /** Represents a ServerReflectionResponse. */
   class ServerReflectionResponse {
    /**
     * Constructs a new ServerReflectionResponse.
     * @param [properties] Properties to set
     */
    constructor(properties?: grpc.reflection.v1.ServerReflectionResponse.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** ServerReflectionResponse validHost. */
    validHost: string;
    /** ServerReflectionResponse originalRequest. */
    originalRequest: grpc.reflection.v1.ServerReflectionRequest;
    /** ServerReflectionResponse fileDescriptorResponse. */
    fileDescriptorResponse: (grpc.reflection.v1.FileDescriptorResponse|null);
    /** ServerReflectionResponse allExtensionNumbersResponse. */
    allExtensionNumbersResponse: (grpc.reflection.v1.ExtensionNumberResponse|null);
    /** ServerReflectionResponse listServicesResponse. */
    listServicesResponse: (grpc.reflection.v1.ListServiceResponse|null);
    /** ServerReflectionResponse errorResponse. */
    errorResponse: (grpc.reflection.v1.ErrorResponse|null);
    /** ServerReflectionResponse messageResponse. */
    messageResponse?: ("fileDescriptorResponse"|"allExtensionNumbersResponse"|"listServicesResponse"|"errorResponse");
    /**
     * Encodes the specified ServerReflectionResponse message. Does not implicitly {@link grpc.reflection.v1.ServerReflectionResponse.verify|verify} messages.
     * @param message ServerReflectionResponse message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: grpc.reflection.v1.ServerReflectionResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a ServerReflectionResponse message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {grpc.reflection.v1.ServerReflectionResponse & grpc.reflection.v1.ServerReflectionResponse.$Shape} ServerReflectionResponse
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): grpc.reflection.v1.ServerReflectionResponse & grpc.reflection.v1.ServerReflectionResponse.$Shape;
   }
   namespace ServerReflectionResponse {
    /** Properties of a ServerReflectionResponse. */
    interface $Properties {
     /** ServerReflectionResponse validHost */
     validHost?: string;
     /** ServerReflectionResponse originalRequest */
     originalRequest?: grpc.reflection.v1.ServerReflectionRequest.$Properties;
     /** ServerReflectionResponse fileDescriptorResponse */
     fileDescriptorResponse?: (grpc.reflection.v1.FileDescriptorResponse.$Properties|null);
     /** ServerReflectionResponse allExtensionNumbersResponse */
     allExtensionNumbersResponse?: (grpc.reflection.v1.ExtensionNumberResponse.$Properties|null);
     /** ServerReflectionResponse listServicesResponse */
     listServicesResponse?: (grpc.reflection.v1.ListServiceResponse.$Properties|null);
     /** ServerReflectionResponse errorResponse */
     errorResponse?: (grpc.reflection.v1.ErrorResponse.$Properties|null);
     /** ServerReflectionResponse messageResponse */
     messageResponse?: ("fileDescriptorResponse"|"allExtensionNumbersResponse"|"listServicesResponse"|"errorResponse");
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Narrowed shape of a ServerReflectionResponse. */
    type $Shape = {
      validHost?: string;
      originalRequest?: grpc.reflection.v1.ServerReflectionRequest.$Shape;
      fileDescriptorResponse?: grpc.reflection.v1.FileDescriptorResponse.$Shape|null;
      allExtensionNumbersResponse?: grpc.reflection.v1.ExtensionNumberResponse.$Shape|null;
      listServicesResponse?: grpc.reflection.v1.ListServiceResponse.$Shape|null;
      errorResponse?: grpc.reflection.v1.ErrorResponse.$Shape|null;
      $unknowns?: Uint8Array[];
    } & (
      ({ messageResponse?: undefined; fileDescriptorResponse?: null; allExtensionNumbersResponse?: null; listServicesResponse?: null; errorResponse?: null }|{ messageResponse?: "fileDescriptorResponse"; fileDescriptorResponse: grpc.reflection.v1.FileDescriptorResponse.$Shape; allExtensionNumbersResponse?: null; listServicesResponse?: null; errorResponse?: null }|{ messageResponse?: "allExtensionNumbersResponse"; fileDescriptorResponse?: null; allExtensionNumbersResponse: grpc.reflection.v1.ExtensionNumberResponse.$Shape; listServicesResponse?: null; errorResponse?: null }|{ messageResponse?: "listServicesResponse"; fileDescriptorResponse?: null; allExtensionNumbersResponse?: null; listServicesResponse: grpc.reflection.v1.ListServiceResponse.$Shape; errorResponse?: null }|{ messageResponse?: "errorResponse"; fileDescriptorResponse?: null; allExtensionNumbersResponse?: null; listServicesResponse?: null; errorResponse: grpc.reflection.v1.ErrorResponse.$Shape })
    );
   }
   /**
    * Properties of a FileDescriptorResponse.
    * @deprecated Use grpc.reflection.v1.FileDescriptorResponse.$Properties instead.
    */
   interface IFileDescriptorResponse extends grpc.reflection.v1.FileDescriptorResponse.$Properties {
   }
   /** Represents a FileDescriptorResponse. */
   class FileDescriptorResponse {
    /**
     * Constructs a new FileDescriptorResponse.
     * @param [properties] Properties to set
     */
    constructor(properties?: grpc.reflection.v1.FileDescriptorResponse.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** FileDescriptorResponse fileDescriptorProto. */
    fileDescriptorProto: Uint8Array[];
    /**
     * Encodes the specified FileDescriptorResponse message. Does not implicitly {@link grpc.reflection.v1.FileDescriptorResponse.verify|verify} messages.
     * @param message FileDescriptorResponse message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: grpc.reflection.v1.FileDescriptorResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a FileDescriptorResponse message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {grpc.reflection.v1.FileDescriptorResponse & grpc.reflection.v1.FileDescriptorResponse.$Shape} FileDescriptorResponse
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): grpc.reflection.v1.FileDescriptorResponse & grpc.reflection.v1.FileDescriptorResponse.$Shape;
   }
   namespace FileDescriptorResponse {
    /** Properties of a FileDescriptorResponse. */
    interface $Properties {
     /** FileDescriptorResponse fileDescriptorProto */
     fileDescriptorProto?: Uint8Array[];
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a FileDescriptorResponse. */
    type $Shape = grpc.reflection.v1.FileDescriptorResponse.$Properties;
   }
   /**
    * Properties of an ExtensionNumberResponse.
    * @deprecated Use grpc.reflection.v1.ExtensionNumberResponse.$Properties instead.
    */
   interface IExtensionNumberResponse extends grpc.reflection.v1.ExtensionNumberResponse.$Properties {
   }
   /** Represents an ExtensionNumberResponse. */
   class ExtensionNumberResponse {
    /**
     * Constructs a new ExtensionNumberResponse.
     * @param [properties] Properties to set
     */
    constructor(properties?: grpc.reflection.v1.ExtensionNumberResponse.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** ExtensionNumberResponse baseTypeName. */
    baseTypeName: string;
    /** ExtensionNumberResponse extensionNumber. */
    extensionNumber: number[];
    /**
     * Encodes the specified ExtensionNumberResponse message. Does not implicitly {@link grpc.reflection.v1.ExtensionNumberResponse.verify|verify} messages.
     * @param message ExtensionNumberResponse message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: grpc.reflection.v1.ExtensionNumberResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes an ExtensionNumberResponse message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {grpc.reflection.v1.ExtensionNumberResponse & grpc.reflection.v1.ExtensionNumberResponse.$Shape} ExtensionNumberResponse
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): grpc.reflection.v1.ExtensionNumberResponse & grpc.reflection.v1.ExtensionNumberResponse.$Shape;
   }
   namespace ExtensionNumberResponse {
    /** Properties of an ExtensionNumberResponse. */
    interface $Properties {
     /** ExtensionNumberResponse baseTypeName */
     baseTypeName?: string;
     /** ExtensionNumberResponse extensionNumber */
     extensionNumber?: number[];
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of an ExtensionNumberResponse. */
    type $Shape = grpc.reflection.v1.ExtensionNumberResponse.$Properties;
   }
   /**
    * Properties of a ListServiceResponse.
    * @deprecated Use grpc.reflection.v1.ListServiceResponse.$Properties instead.
    */
   interface IListServiceResponse extends grpc.reflection.v1.ListServiceResponse.$Properties {
   }
   /** Represents a ListServiceResponse. */
   class ListServiceResponse {
    /**
     * Constructs a new ListServiceResponse.
     * @param [properties] Properties to set
     */
    constructor(properties?: grpc.reflection.v1.ListServiceResponse.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** ListServiceResponse service. */
    service: grpc.reflection.v1.ServiceResponse[];
    /**
     * Encodes the specified ListServiceResponse message. Does not implicitly {@link grpc.reflection.v1.ListServiceResponse.verify|verify} messages.
     * @param message ListServiceResponse message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: grpc.reflection.v1.ListServiceResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a ListServiceResponse message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {grpc.reflection.v1.ListServiceResponse & grpc.reflection.v1.ListServiceResponse.$Shape} ListServiceResponse
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): grpc.reflection.v1.ListServiceResponse & grpc.reflection.v1.ListServiceResponse.$Shape;
   }
   namespace ListServiceResponse {
    /** Properties of a ListServiceResponse. */
    interface $Properties {
     /** ListServiceResponse service */
     service?: grpc.reflection.v1.ServiceResponse.$Properties[];
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a ListServiceResponse. */
    type $Shape = grpc.reflection.v1.ListServiceResponse.$Properties;
   }
   /**
    * Properties of a ServiceResponse.
    * @deprecated Use grpc.reflection.v1.ServiceResponse.$Properties instead.
    */
   interface IServiceResponse extends grpc.reflection.v1.ServiceResponse.$Properties {
   }
   /** Represents a ServiceResponse. */
   class ServiceResponse {
    /**
     * Constructs a new ServiceResponse.
     * @param [properties] Properties to set
     */
    constructor(properties?: grpc.reflection.v1.ServiceResponse.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** ServiceResponse name. */
    name: string;
    /**
     * Encodes the specified ServiceResponse message. Does not implicitly {@link grpc.reflection.v1.ServiceResponse.verify|verify} messages.
     * @param message ServiceResponse message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: grpc.reflection.v1.ServiceResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a ServiceResponse message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {grpc.reflection.v1.ServiceResponse & grpc.reflection.v1.ServiceResponse.$Shape} ServiceResponse
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): grpc.reflection.v1.ServiceResponse & grpc.reflection.v1.ServiceResponse.$Shape;
   }
   namespace ServiceResponse {
    /** Properties of a ServiceResponse. */
    interface $Properties {
     /** ServiceResponse name */
     name?: string;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a ServiceResponse. */
    type $Shape = grpc.reflection.v1.ServiceResponse.$Properties;
   }
   /**
    * Properties of an ErrorResponse.
    * @deprecated Use grpc.reflection.v1.ErrorResponse.$Properties instead.
    */
   interface IErrorResponse extends grpc.reflection.v1.ErrorResponse.$Properties {
   }
   /** Represents an ErrorResponse. */
   class ErrorResponse {
    /**
     * Constructs a new ErrorResponse.
     * @param [properties] Properties to set
     */
    constructor(properties?: grpc.reflection.v1.ErrorResponse.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** ErrorResponse errorCode. */
    errorCode: number;
    /** ErrorResponse errorMessage. */
    errorMessage: string;
    /**
     * Encodes the specified ErrorResponse message. Does not implicitly {@link grpc.reflection.v1.ErrorResponse.verify|verify} messages.
     * @param message ErrorResponse message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: grpc.reflection.v1.ErrorResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes an ErrorResponse message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {grpc.reflection.v1.ErrorResponse & grpc.reflection.v1.ErrorResponse.$Shape} ErrorResponse
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): grpc.reflection.v1.ErrorResponse & grpc.reflection.v1.ErrorResponse.$Shape;
   }
   namespace ErrorResponse {
    /** Properties of an ErrorResponse. */
    interface $Properties {
     /** ErrorResponse errorCode */
     errorCode?: number;
     /** ErrorResponse errorMessage */
     errorMessage?: string;
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of an ErrorResponse. */
    type $Shape = grpc.reflection.v1.ErrorResponse.$Properties;
   }
  }
 }
}
