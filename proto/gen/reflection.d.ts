// Generated from grpc/reflection/v1/reflection.proto by tools/generate/proto.mjs. Do not edit.
import * as $protobuf from "protobufjs/minimal.js";
import Long = require("long");
export namespace grpc {
 namespace reflection {
  namespace v1 {
   class ServerReflectionRequest {
    constructor(properties?: grpc.reflection.v1.ServerReflectionRequest.$Properties);
    $unknowns?: Uint8Array[];
    host: string;
    fileByFilename: (string|null);
    fileContainingSymbol: (string|null);
    fileContainingExtension: (grpc.reflection.v1.ExtensionRequest|null);
    allExtensionNumbersOfType: (string|null);
    listServices: (string|null);
    messageRequest?: ("fileByFilename"|"fileContainingSymbol"|"fileContainingExtension"|"allExtensionNumbersOfType"|"listServices");
    static encode(message: grpc.reflection.v1.ServerReflectionRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): grpc.reflection.v1.ServerReflectionRequest & grpc.reflection.v1.ServerReflectionRequest.$Shape;
   }
   namespace ServerReflectionRequest {
    interface $Properties {
     host?: string;
     fileByFilename?: (string|null);
     fileContainingSymbol?: (string|null);
     fileContainingExtension?: (grpc.reflection.v1.ExtensionRequest.$Properties|null);
     allExtensionNumbersOfType?: (string|null);
     listServices?: (string|null);
     messageRequest?: ("fileByFilename"|"fileContainingSymbol"|"fileContainingExtension"|"allExtensionNumbersOfType"|"listServices");
     $unknowns?: Uint8Array[];
    }
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
   class ExtensionRequest {
    constructor(properties?: grpc.reflection.v1.ExtensionRequest.$Properties);
    $unknowns?: Uint8Array[];
    containingType: string;
    extensionNumber: number;
    static encode(message: grpc.reflection.v1.ExtensionRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): grpc.reflection.v1.ExtensionRequest & grpc.reflection.v1.ExtensionRequest.$Shape;
   }
   namespace ExtensionRequest {
    interface $Properties {
     containingType?: string;
     extensionNumber?: number;
     $unknowns?: Uint8Array[];
    }
    type $Shape = grpc.reflection.v1.ExtensionRequest.$Properties;
   }
   class ServerReflectionResponse {
    constructor(properties?: grpc.reflection.v1.ServerReflectionResponse.$Properties);
    $unknowns?: Uint8Array[];
    validHost: string;
    originalRequest: grpc.reflection.v1.ServerReflectionRequest;
    fileDescriptorResponse: (grpc.reflection.v1.FileDescriptorResponse|null);
    allExtensionNumbersResponse: (grpc.reflection.v1.ExtensionNumberResponse|null);
    listServicesResponse: (grpc.reflection.v1.ListServiceResponse|null);
    errorResponse: (grpc.reflection.v1.ErrorResponse|null);
    messageResponse?: ("fileDescriptorResponse"|"allExtensionNumbersResponse"|"listServicesResponse"|"errorResponse");
    static encode(message: grpc.reflection.v1.ServerReflectionResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): grpc.reflection.v1.ServerReflectionResponse & grpc.reflection.v1.ServerReflectionResponse.$Shape;
   }
   namespace ServerReflectionResponse {
    interface $Properties {
     validHost?: string;
     originalRequest?: grpc.reflection.v1.ServerReflectionRequest.$Properties;
     fileDescriptorResponse?: (grpc.reflection.v1.FileDescriptorResponse.$Properties|null);
     allExtensionNumbersResponse?: (grpc.reflection.v1.ExtensionNumberResponse.$Properties|null);
     listServicesResponse?: (grpc.reflection.v1.ListServiceResponse.$Properties|null);
     errorResponse?: (grpc.reflection.v1.ErrorResponse.$Properties|null);
     messageResponse?: ("fileDescriptorResponse"|"allExtensionNumbersResponse"|"listServicesResponse"|"errorResponse");
     $unknowns?: Uint8Array[];
    }
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
   class FileDescriptorResponse {
    constructor(properties?: grpc.reflection.v1.FileDescriptorResponse.$Properties);
    $unknowns?: Uint8Array[];
    fileDescriptorProto: Uint8Array[];
    static encode(message: grpc.reflection.v1.FileDescriptorResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): grpc.reflection.v1.FileDescriptorResponse & grpc.reflection.v1.FileDescriptorResponse.$Shape;
   }
   namespace FileDescriptorResponse {
    interface $Properties {
     fileDescriptorProto?: Uint8Array[];
     $unknowns?: Uint8Array[];
    }
    type $Shape = grpc.reflection.v1.FileDescriptorResponse.$Properties;
   }
   class ExtensionNumberResponse {
    constructor(properties?: grpc.reflection.v1.ExtensionNumberResponse.$Properties);
    $unknowns?: Uint8Array[];
    baseTypeName: string;
    extensionNumber: number[];
    static encode(message: grpc.reflection.v1.ExtensionNumberResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): grpc.reflection.v1.ExtensionNumberResponse & grpc.reflection.v1.ExtensionNumberResponse.$Shape;
   }
   namespace ExtensionNumberResponse {
    interface $Properties {
     baseTypeName?: string;
     extensionNumber?: number[];
     $unknowns?: Uint8Array[];
    }
    type $Shape = grpc.reflection.v1.ExtensionNumberResponse.$Properties;
   }
   class ListServiceResponse {
    constructor(properties?: grpc.reflection.v1.ListServiceResponse.$Properties);
    $unknowns?: Uint8Array[];
    service: grpc.reflection.v1.ServiceResponse[];
    static encode(message: grpc.reflection.v1.ListServiceResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): grpc.reflection.v1.ListServiceResponse & grpc.reflection.v1.ListServiceResponse.$Shape;
   }
   namespace ListServiceResponse {
    interface $Properties {
     service?: grpc.reflection.v1.ServiceResponse.$Properties[];
     $unknowns?: Uint8Array[];
    }
    type $Shape = grpc.reflection.v1.ListServiceResponse.$Properties;
   }
   class ServiceResponse {
    constructor(properties?: grpc.reflection.v1.ServiceResponse.$Properties);
    $unknowns?: Uint8Array[];
    name: string;
    static encode(message: grpc.reflection.v1.ServiceResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): grpc.reflection.v1.ServiceResponse & grpc.reflection.v1.ServiceResponse.$Shape;
   }
   namespace ServiceResponse {
    interface $Properties {
     name?: string;
     $unknowns?: Uint8Array[];
    }
    type $Shape = grpc.reflection.v1.ServiceResponse.$Properties;
   }
   class ErrorResponse {
    constructor(properties?: grpc.reflection.v1.ErrorResponse.$Properties);
    $unknowns?: Uint8Array[];
    errorCode: number;
    errorMessage: string;
    static encode(message: grpc.reflection.v1.ErrorResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): grpc.reflection.v1.ErrorResponse & grpc.reflection.v1.ErrorResponse.$Shape;
   }
   namespace ErrorResponse {
    interface $Properties {
     errorCode?: number;
     errorMessage?: string;
     $unknowns?: Uint8Array[];
    }
    type $Shape = grpc.reflection.v1.ErrorResponse.$Properties;
   }
  }
 }
}
