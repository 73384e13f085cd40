// Generated from parts/v1/parts.proto by tools/generate/proto.mjs. Do not edit.
import * as $protobuf from "protobufjs/minimal.js";
import Long = require("long");
export namespace parts {
 namespace v1 {
  class LookRequest {
   constructor(properties?: parts.v1.LookRequest.$Properties);
   $unknowns?: Uint8Array[];
   instance: string;
   version: string;
   places: parts.v1.LogPlace[];
   static encode(message: parts.v1.LookRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parts.v1.LookRequest & parts.v1.LookRequest.$Shape;
  }
  namespace LookRequest {
   interface $Properties {
    instance?: string;
    version?: string;
    places?: parts.v1.LogPlace.$Properties[];
    $unknowns?: Uint8Array[];
   }
   type $Shape = parts.v1.LookRequest.$Properties;
  }
  class LogPlace {
   constructor(properties?: parts.v1.LogPlace.$Properties);
   $unknowns?: Uint8Array[];
   epoch: number;
   sequence: Long;
   offset: Long;
   static encode(message: parts.v1.LogPlace.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parts.v1.LogPlace & parts.v1.LogPlace.$Shape;
  }
  namespace LogPlace {
   interface $Properties {
    epoch?: number;
    sequence?: Long;
    offset?: Long;
    $unknowns?: Uint8Array[];
   }
   type $Shape = parts.v1.LogPlace.$Properties;
  }
  class LookResponse {
   constructor(properties?: parts.v1.LookResponse.$Properties);
   $unknowns?: Uint8Array[];
   instance: string;
   version: string;
   hasBlocks: boolean;
   blocks: parts.v1.ListedBlock[];
   heads: number[];
   stretches: parts.v1.LogStretch[];
   isWhole: boolean;
   losses: parts.v1.Loss[];
   gone: string[];
   static encode(message: parts.v1.LookResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parts.v1.LookResponse & parts.v1.LookResponse.$Shape;
  }
  namespace LookResponse {
   interface $Properties {
    instance?: string;
    version?: string;
    hasBlocks?: boolean;
    blocks?: parts.v1.ListedBlock.$Properties[];
    heads?: number[];
    stretches?: parts.v1.LogStretch.$Properties[];
    isWhole?: boolean;
    losses?: parts.v1.Loss.$Properties[];
    gone?: string[];
    $unknowns?: Uint8Array[];
   }
   type $Shape = parts.v1.LookResponse.$Properties;
  }
  class ListedBlock {
   constructor(properties?: parts.v1.ListedBlock.$Properties);
   $unknowns?: Uint8Array[];
   id: string;
   fileBytes: Long;
   deletions: Uint8Array;
   static encode(message: parts.v1.ListedBlock.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parts.v1.ListedBlock & parts.v1.ListedBlock.$Shape;
  }
  namespace ListedBlock {
   interface $Properties {
    id?: string;
    fileBytes?: Long;
    deletions?: Uint8Array;
    $unknowns?: Uint8Array[];
   }
   type $Shape = parts.v1.ListedBlock.$Properties;
  }
  class LogStretch {
   constructor(properties?: parts.v1.LogStretch.$Properties);
   $unknowns?: Uint8Array[];
   epoch: number;
   sequence: Long;
   salt: number;
   offset: Long;
   content: Uint8Array;
   end: Long;
   static encode(message: parts.v1.LogStretch.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parts.v1.LogStretch & parts.v1.LogStretch.$Shape;
  }
  namespace LogStretch {
   interface $Properties {
    epoch?: number;
    sequence?: Long;
    salt?: number;
    offset?: Long;
    content?: Uint8Array;
    end?: Long;
    $unknowns?: Uint8Array[];
   }
   type $Shape = parts.v1.LogStretch.$Properties;
  }
  class Loss {
   constructor(properties?: parts.v1.Loss.$Properties);
   $unknowns?: Uint8Array[];
   lastNanos: Long;
   sentence: string;
   static encode(message: parts.v1.Loss.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parts.v1.Loss & parts.v1.Loss.$Shape;
  }
  namespace Loss {
   interface $Properties {
    lastNanos?: Long;
    sentence?: string;
    $unknowns?: Uint8Array[];
   }
   type $Shape = parts.v1.Loss.$Properties;
  }
  class ReadBlockRequest {
   constructor(properties?: parts.v1.ReadBlockRequest.$Properties);
   $unknowns?: Uint8Array[];
   id: string;
   offset: Long;
   length: number;
   static encode(message: parts.v1.ReadBlockRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parts.v1.ReadBlockRequest & parts.v1.ReadBlockRequest.$Shape;
  }
  namespace ReadBlockRequest {
   interface $Properties {
    id?: string;
    offset?: Long;
    length?: number;
    $unknowns?: Uint8Array[];
   }
   type $Shape = parts.v1.ReadBlockRequest.$Properties;
  }
  class ReadBlockResponse {
   constructor(properties?: parts.v1.ReadBlockResponse.$Properties);
   $unknowns?: Uint8Array[];
   content: Uint8Array;
   static encode(message: parts.v1.ReadBlockResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parts.v1.ReadBlockResponse & parts.v1.ReadBlockResponse.$Shape;
  }
  namespace ReadBlockResponse {
   interface $Properties {
    content?: Uint8Array;
    $unknowns?: Uint8Array[];
   }
   type $Shape = parts.v1.ReadBlockResponse.$Properties;
  }
  class ReadDebuginfoRequest {
   constructor(properties?: parts.v1.ReadDebuginfoRequest.$Properties);
   $unknowns?: Uint8Array[];
   buildId: string;
   offset: Long;
   static encode(message: parts.v1.ReadDebuginfoRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parts.v1.ReadDebuginfoRequest & parts.v1.ReadDebuginfoRequest.$Shape;
  }
  namespace ReadDebuginfoRequest {
   interface $Properties {
    buildId?: string;
    offset?: Long;
    $unknowns?: Uint8Array[];
   }
   type $Shape = parts.v1.ReadDebuginfoRequest.$Properties;
  }
  class ReadDebuginfoResponse {
   constructor(properties?: parts.v1.ReadDebuginfoResponse.$Properties);
   $unknowns?: Uint8Array[];
   file: string;
   fileBytes: Long;
   content: Uint8Array;
   static encode(message: parts.v1.ReadDebuginfoResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parts.v1.ReadDebuginfoResponse & parts.v1.ReadDebuginfoResponse.$Shape;
  }
  namespace ReadDebuginfoResponse {
   interface $Properties {
    file?: string;
    fileBytes?: Long;
    content?: Uint8Array;
    $unknowns?: Uint8Array[];
   }
   type $Shape = parts.v1.ReadDebuginfoResponse.$Properties;
  }
 }
}
