// Generated from push/v1/push.proto by tools/generate/proto.mjs. Do not edit.
import * as $protobuf from "protobufjs/minimal.js";
import Long = require("long");
export namespace push {
 namespace v1 {
  class PushRequest {
   constructor(properties?: push.v1.PushRequest.$Properties);
   $unknowns?: Uint8Array[];
   series: push.v1.RawProfileSeries[];
   static encode(message: push.v1.PushRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): push.v1.PushRequest & push.v1.PushRequest.$Shape;
  }
  namespace PushRequest {
   interface $Properties {
    series?: push.v1.RawProfileSeries.$Properties[];
    $unknowns?: Uint8Array[];
   }
   type $Shape = push.v1.PushRequest.$Properties;
  }
  class PushResponse {
   constructor(properties?: push.v1.PushResponse.$Properties);
   $unknowns?: Uint8Array[];
   static encode(message: push.v1.PushResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): push.v1.PushResponse & push.v1.PushResponse.$Shape;
  }
  namespace PushResponse {
   interface $Properties {
    $unknowns?: Uint8Array[];
   }
   type $Shape = push.v1.PushResponse.$Properties;
  }
  class RawProfileSeries {
   constructor(properties?: push.v1.RawProfileSeries.$Properties);
   $unknowns?: Uint8Array[];
   labels: push.v1.LabelPair[];
   samples: push.v1.RawSample[];
   static encode(message: push.v1.RawProfileSeries.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): push.v1.RawProfileSeries & push.v1.RawProfileSeries.$Shape;
  }
  namespace RawProfileSeries {
   interface $Properties {
    labels?: push.v1.LabelPair.$Properties[];
    samples?: push.v1.RawSample.$Properties[];
    $unknowns?: Uint8Array[];
   }
   type $Shape = push.v1.RawProfileSeries.$Properties;
  }
  class RawSample {
   constructor(properties?: push.v1.RawSample.$Properties);
   $unknowns?: Uint8Array[];
   rawProfile: Uint8Array;
   ID: string;
   static encode(message: push.v1.RawSample.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): push.v1.RawSample & push.v1.RawSample.$Shape;
  }
  namespace RawSample {
   interface $Properties {
    rawProfile?: Uint8Array;
    ID?: string;
    $unknowns?: Uint8Array[];
   }
   type $Shape = push.v1.RawSample.$Properties;
  }
  class LabelPair {
   constructor(properties?: push.v1.LabelPair.$Properties);
   $unknowns?: Uint8Array[];
   name: string;
   value: string;
   static encode(message: push.v1.LabelPair.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): push.v1.LabelPair & push.v1.LabelPair.$Shape;
  }
  namespace LabelPair {
   interface $Properties {
    name?: string;
    value?: string;
    $unknowns?: Uint8Array[];
   }
   type $Shape = push.v1.LabelPair.$Properties;
  }
 }
}
