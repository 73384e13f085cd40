// Generated from parca/debuginfo/v1alpha1/debuginfo.proto by tools/generate/proto.mjs. Do not edit.
import * as $protobuf from "protobufjs/minimal.js";
import Long = require("long");
export namespace parca {
 namespace debuginfo {
  namespace v1alpha1 {
   enum DebuginfoType {
    DEBUGINFO_TYPE_DEBUGINFO_UNSPECIFIED = 0,
    DEBUGINFO_TYPE_EXECUTABLE = 1,
    DEBUGINFO_TYPE_SOURCES = 2,
    DEBUGINFO_TYPE_SOURCE_MAP = 3
   }
   enum BuildIDType {
    BUILD_ID_TYPE_UNKNOWN_UNSPECIFIED = 0,
    BUILD_ID_TYPE_GNU = 1,
    BUILD_ID_TYPE_HASH = 2,
    BUILD_ID_TYPE_GO = 3,
    BUILD_ID_TYPE_SOURCE_MAP_DEBUG_ID = 4
   }
   class ShouldInitiateUploadRequest {
    constructor(properties?: parca.debuginfo.v1alpha1.ShouldInitiateUploadRequest.$Properties);
    $unknowns?: Uint8Array[];
    buildId: string;
    hash: string;
    force: boolean;
    type: parca.debuginfo.v1alpha1.DebuginfoType;
    buildIdType: parca.debuginfo.v1alpha1.BuildIDType;
    static encode(message: parca.debuginfo.v1alpha1.ShouldInitiateUploadRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.debuginfo.v1alpha1.ShouldInitiateUploadRequest & parca.debuginfo.v1alpha1.ShouldInitiateUploadRequest.$Shape;
   }
   namespace ShouldInitiateUploadRequest {
    interface $Properties {
     buildId?: string;
     hash?: string;
     force?: boolean;
     type?: parca.debuginfo.v1alpha1.DebuginfoType;
     buildIdType?: parca.debuginfo.v1alpha1.BuildIDType;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.debuginfo.v1alpha1.ShouldInitiateUploadRequest.$Properties;
   }
   class ShouldInitiateUploadResponse {
    constructor(properties?: parca.debuginfo.v1alpha1.ShouldInitiateUploadResponse.$Properties);
    $unknowns?: Uint8Array[];
    shouldInitiateUpload: boolean;
    reason: string;
    static encode(message: parca.debuginfo.v1alpha1.ShouldInitiateUploadResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.debuginfo.v1alpha1.ShouldInitiateUploadResponse & parca.debuginfo.v1alpha1.ShouldInitiateUploadResponse.$Shape;
   }
   namespace ShouldInitiateUploadResponse {
    interface $Properties {
     shouldInitiateUpload?: boolean;
     reason?: string;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.debuginfo.v1alpha1.ShouldInitiateUploadResponse.$Properties;
   }
   class InitiateUploadRequest {
    constructor(properties?: parca.debuginfo.v1alpha1.InitiateUploadRequest.$Properties);
    $unknowns?: Uint8Array[];
    buildId: string;
    size: Long;
    hash: string;
    force: boolean;
    type: parca.debuginfo.v1alpha1.DebuginfoType;
    buildIdType: parca.debuginfo.v1alpha1.BuildIDType;
    static encode(message: parca.debuginfo.v1alpha1.InitiateUploadRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.debuginfo.v1alpha1.InitiateUploadRequest & parca.debuginfo.v1alpha1.InitiateUploadRequest.$Shape;
   }
   namespace InitiateUploadRequest {
    interface $Properties {
     buildId?: string;
     size?: Long;
     hash?: string;
     force?: boolean;
     type?: parca.debuginfo.v1alpha1.DebuginfoType;
     buildIdType?: parca.debuginfo.v1alpha1.BuildIDType;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.debuginfo.v1alpha1.InitiateUploadRequest.$Properties;
   }
   class InitiateUploadResponse {
    constructor(properties?: parca.debuginfo.v1alpha1.InitiateUploadResponse.$Properties);
    $unknowns?: Uint8Array[];
    uploadInstructions: parca.debuginfo.v1alpha1.UploadInstructions;
    static encode(message: parca.debuginfo.v1alpha1.InitiateUploadResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.debuginfo.v1alpha1.InitiateUploadResponse & parca.debuginfo.v1alpha1.InitiateUploadResponse.$Shape;
   }
   namespace InitiateUploadResponse {
    interface $Properties {
     uploadInstructions?: parca.debuginfo.v1alpha1.UploadInstructions.$Properties;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.debuginfo.v1alpha1.InitiateUploadResponse.$Properties;
   }
   class UploadInstructions {
    constructor(properties?: parca.debuginfo.v1alpha1.UploadInstructions.$Properties);
    $unknowns?: Uint8Array[];
    buildId: string;
    uploadId: string;
    uploadStrategy: parca.debuginfo.v1alpha1.UploadInstructions.UploadStrategy;
    signedUrl: string;
    type: parca.debuginfo.v1alpha1.DebuginfoType;
    static encode(message: parca.debuginfo.v1alpha1.UploadInstructions.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.debuginfo.v1alpha1.UploadInstructions & parca.debuginfo.v1alpha1.UploadInstructions.$Shape;
   }
   namespace UploadInstructions {
    interface $Properties {
     buildId?: string;
     uploadId?: string;
     uploadStrategy?: parca.debuginfo.v1alpha1.UploadInstructions.UploadStrategy;
     signedUrl?: string;
     type?: parca.debuginfo.v1alpha1.DebuginfoType;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.debuginfo.v1alpha1.UploadInstructions.$Properties;
    enum UploadStrategy {
     UPLOAD_STRATEGY_UNSPECIFIED = 0,
     UPLOAD_STRATEGY_GRPC = 1,
     UPLOAD_STRATEGY_SIGNED_URL = 2
    }
   }
   class MarkUploadFinishedRequest {
    constructor(properties?: parca.debuginfo.v1alpha1.MarkUploadFinishedRequest.$Properties);
    $unknowns?: Uint8Array[];
    buildId: string;
    uploadId: string;
    type: parca.debuginfo.v1alpha1.DebuginfoType;
    static encode(message: parca.debuginfo.v1alpha1.MarkUploadFinishedRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.debuginfo.v1alpha1.MarkUploadFinishedRequest & parca.debuginfo.v1alpha1.MarkUploadFinishedRequest.$Shape;
   }
   namespace MarkUploadFinishedRequest {
    interface $Properties {
     buildId?: string;
     uploadId?: string;
     type?: parca.debuginfo.v1alpha1.DebuginfoType;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.debuginfo.v1alpha1.MarkUploadFinishedRequest.$Properties;
   }
   class MarkUploadFinishedResponse {
    constructor(properties?: parca.debuginfo.v1alpha1.MarkUploadFinishedResponse.$Properties);
    $unknowns?: Uint8Array[];
    static encode(message: parca.debuginfo.v1alpha1.MarkUploadFinishedResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.debuginfo.v1alpha1.MarkUploadFinishedResponse & parca.debuginfo.v1alpha1.MarkUploadFinishedResponse.$Shape;
   }
   namespace MarkUploadFinishedResponse {
    interface $Properties {
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.debuginfo.v1alpha1.MarkUploadFinishedResponse.$Properties;
   }
   class UploadRequest {
    constructor(properties?: parca.debuginfo.v1alpha1.UploadRequest.$Properties);
    $unknowns?: Uint8Array[];
    info: (parca.debuginfo.v1alpha1.UploadInfo|null);
    chunkData: (Uint8Array|null);
    data?: ("info"|"chunkData");
    static encode(message: parca.debuginfo.v1alpha1.UploadRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.debuginfo.v1alpha1.UploadRequest & parca.debuginfo.v1alpha1.UploadRequest.$Shape;
   }
   namespace UploadRequest {
    interface $Properties {
     info?: (parca.debuginfo.v1alpha1.UploadInfo.$Properties|null);
     chunkData?: (Uint8Array|null);
     data?: ("info"|"chunkData");
     $unknowns?: Uint8Array[];
    }
    type $Shape = {
      info?: parca.debuginfo.v1alpha1.UploadInfo.$Shape|null;
      chunkData?: Uint8Array|null;
      $unknowns?: Uint8Array[];
    } & (
      ({ data?: undefined; info?: null; chunkData?: null }|{ data?: "info"; info: parca.debuginfo.v1alpha1.UploadInfo.$Shape; chunkData?: null }|{ data?: "chunkData"; info?: null; chunkData: Uint8Array })
    );
   }
   class UploadInfo {
    constructor(properties?: parca.debuginfo.v1alpha1.UploadInfo.$Properties);
    $unknowns?: Uint8Array[];
    buildId: string;
    uploadId: string;
    type: parca.debuginfo.v1alpha1.DebuginfoType;
    static encode(message: parca.debuginfo.v1alpha1.UploadInfo.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.debuginfo.v1alpha1.UploadInfo & parca.debuginfo.v1alpha1.UploadInfo.$Shape;
   }
   namespace UploadInfo {
    interface $Properties {
     buildId?: string;
     uploadId?: string;
     type?: parca.debuginfo.v1alpha1.DebuginfoType;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.debuginfo.v1alpha1.UploadInfo.$Properties;
   }
   class UploadResponse {
    constructor(properties?: parca.debuginfo.v1alpha1.UploadResponse.$Properties);
    $unknowns?: Uint8Array[];
    buildId: string;
    size: Long;
    static encode(message: parca.debuginfo.v1alpha1.UploadResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.debuginfo.v1alpha1.UploadResponse & parca.debuginfo.v1alpha1.UploadResponse.$Shape;
   }
   namespace UploadResponse {
    interface $Properties {
     buildId?: string;
     size?: Long;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.debuginfo.v1alpha1.UploadResponse.$Properties;
   }
  }
 }
}
