// Generated from grpc/health/v1/health.proto by tools/generate/proto.mjs. Do not edit.
import * as $protobuf from "protobufjs/minimal.js";
import Long = require("long");
export namespace grpc {
 namespace health {
  namespace v1 {
   class HealthCheckRequest {
    constructor(properties?: grpc.health.v1.HealthCheckRequest.$Properties);
    $unknowns?: Uint8Array[];
    service: string;
    static encode(message: grpc.health.v1.HealthCheckRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): grpc.health.v1.HealthCheckRequest & grpc.health.v1.HealthCheckRequest.$Shape;
   }
   namespace HealthCheckRequest {
    interface $Properties {
     service?: string;
     $unknowns?: Uint8Array[];
    }
    type $Shape = grpc.health.v1.HealthCheckRequest.$Properties;
   }
   class HealthCheckResponse {
    constructor(properties?: grpc.health.v1.HealthCheckResponse.$Properties);
    $unknowns?: Uint8Array[];
    status: grpc.health.v1.HealthCheckResponse.ServingStatus;
    static encode(message: grpc.health.v1.HealthCheckResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): grpc.health.v1.HealthCheckResponse & grpc.health.v1.HealthCheckResponse.$Shape;
   }
   namespace HealthCheckResponse {
    interface $Properties {
     status?: grpc.health.v1.HealthCheckResponse.ServingStatus;
     $unknowns?: Uint8Array[];
    }
    type $Shape = grpc.health.v1.HealthCheckResponse.$Properties;
    enum ServingStatus {
     UNKNOWN = 0,
     SERVING = 1,
     NOT_SERVING = 2,
     SERVICE_UNKNOWN = 3
    }
   }
  }
 }
}
