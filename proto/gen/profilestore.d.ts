// Generated from parca/profilestore/v1alpha1/profilestore.proto by tools/generate/proto.mjs. Do not edit.
import * as $protobuf from "protobufjs/minimal.js";
import Long = require("long");
export namespace parca {
 namespace profilestore {
  namespace v1alpha1 {
   class WriteRequest {
    constructor(properties?: parca.profilestore.v1alpha1.WriteRequest.$Properties);
    $unknowns?: Uint8Array[];
    record: Uint8Array;
    static encode(message: parca.profilestore.v1alpha1.WriteRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.WriteRequest & parca.profilestore.v1alpha1.WriteRequest.$Shape;
   }
   namespace WriteRequest {
    interface $Properties {
     record?: Uint8Array;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.WriteRequest.$Properties;
   }
   class WriteResponse {
    constructor(properties?: parca.profilestore.v1alpha1.WriteResponse.$Properties);
    $unknowns?: Uint8Array[];
    record: Uint8Array;
    static encode(message: parca.profilestore.v1alpha1.WriteResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.WriteResponse & parca.profilestore.v1alpha1.WriteResponse.$Shape;
   }
   namespace WriteResponse {
    interface $Properties {
     record?: Uint8Array;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.WriteResponse.$Properties;
   }
   class WriteArrowRequest {
    constructor(properties?: parca.profilestore.v1alpha1.WriteArrowRequest.$Properties);
    $unknowns?: Uint8Array[];
    ipcBuffer: Uint8Array;
    static encode(message: parca.profilestore.v1alpha1.WriteArrowRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.WriteArrowRequest & parca.profilestore.v1alpha1.WriteArrowRequest.$Shape;
   }
   namespace WriteArrowRequest {
    interface $Properties {
     ipcBuffer?: Uint8Array;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.WriteArrowRequest.$Properties;
   }
   class WriteArrowResponse {
    constructor(properties?: parca.profilestore.v1alpha1.WriteArrowResponse.$Properties);
    $unknowns?: Uint8Array[];
    static encode(message: parca.profilestore.v1alpha1.WriteArrowResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.WriteArrowResponse & parca.profilestore.v1alpha1.WriteArrowResponse.$Shape;
   }
   namespace WriteArrowResponse {
    interface $Properties {
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.WriteArrowResponse.$Properties;
   }
   class WriteRawRequest {
    constructor(properties?: parca.profilestore.v1alpha1.WriteRawRequest.$Properties);
    $unknowns?: Uint8Array[];
    tenant: string;
    series: parca.profilestore.v1alpha1.RawProfileSeries[];
    normalized: boolean;
    static encode(message: parca.profilestore.v1alpha1.WriteRawRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.WriteRawRequest & parca.profilestore.v1alpha1.WriteRawRequest.$Shape;
   }
   namespace WriteRawRequest {
    interface $Properties {
     tenant?: string;
     series?: parca.profilestore.v1alpha1.RawProfileSeries.$Properties[];
     normalized?: boolean;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.WriteRawRequest.$Properties;
   }
   class WriteRawResponse {
    constructor(properties?: parca.profilestore.v1alpha1.WriteRawResponse.$Properties);
    $unknowns?: Uint8Array[];
    static encode(message: parca.profilestore.v1alpha1.WriteRawResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.WriteRawResponse & parca.profilestore.v1alpha1.WriteRawResponse.$Shape;
   }
   namespace WriteRawResponse {
    interface $Properties {
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.WriteRawResponse.$Properties;
   }
   class RawProfileSeries {
    constructor(properties?: parca.profilestore.v1alpha1.RawProfileSeries.$Properties);
    $unknowns?: Uint8Array[];
    labels: parca.profilestore.v1alpha1.LabelSet;
    samples: parca.profilestore.v1alpha1.RawSample[];
    static encode(message: parca.profilestore.v1alpha1.RawProfileSeries.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.RawProfileSeries & parca.profilestore.v1alpha1.RawProfileSeries.$Shape;
   }
   namespace RawProfileSeries {
    interface $Properties {
     labels?: parca.profilestore.v1alpha1.LabelSet.$Properties;
     samples?: parca.profilestore.v1alpha1.RawSample.$Properties[];
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.RawProfileSeries.$Properties;
   }
   class Label {
    constructor(properties?: parca.profilestore.v1alpha1.Label.$Properties);
    $unknowns?: Uint8Array[];
    name: string;
    value: string;
    static encode(message: parca.profilestore.v1alpha1.Label.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.Label & parca.profilestore.v1alpha1.Label.$Shape;
   }
   namespace Label {
    interface $Properties {
     name?: string;
     value?: string;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.Label.$Properties;
   }
   class LabelSet {
    constructor(properties?: parca.profilestore.v1alpha1.LabelSet.$Properties);
    $unknowns?: Uint8Array[];
    labels: parca.profilestore.v1alpha1.Label[];
    static encode(message: parca.profilestore.v1alpha1.LabelSet.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.LabelSet & parca.profilestore.v1alpha1.LabelSet.$Shape;
   }
   namespace LabelSet {
    interface $Properties {
     labels?: parca.profilestore.v1alpha1.Label.$Properties[];
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.LabelSet.$Properties;
   }
   class RawSample {
    constructor(properties?: parca.profilestore.v1alpha1.RawSample.$Properties);
    $unknowns?: Uint8Array[];
    rawProfile: Uint8Array;
    executableInfo: parca.profilestore.v1alpha1.ExecutableInfo[];
    static encode(message: parca.profilestore.v1alpha1.RawSample.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.RawSample & parca.profilestore.v1alpha1.RawSample.$Shape;
   }
   namespace RawSample {
    interface $Properties {
     rawProfile?: Uint8Array;
     executableInfo?: parca.profilestore.v1alpha1.ExecutableInfo.$Properties[];
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.RawSample.$Properties;
   }
   class ExecutableInfo {
    constructor(properties?: parca.profilestore.v1alpha1.ExecutableInfo.$Properties);
    $unknowns?: Uint8Array[];
    elfType: number;
    loadSegment: parca.profilestore.v1alpha1.LoadSegment;
    static encode(message: parca.profilestore.v1alpha1.ExecutableInfo.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.ExecutableInfo & parca.profilestore.v1alpha1.ExecutableInfo.$Shape;
   }
   namespace ExecutableInfo {
    interface $Properties {
     elfType?: number;
     loadSegment?: parca.profilestore.v1alpha1.LoadSegment.$Properties;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.ExecutableInfo.$Properties;
   }
   class LoadSegment {
    constructor(properties?: parca.profilestore.v1alpha1.LoadSegment.$Properties);
    $unknowns?: Uint8Array[];
    offset: Long;
    vaddr: Long;
    static encode(message: parca.profilestore.v1alpha1.LoadSegment.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.LoadSegment & parca.profilestore.v1alpha1.LoadSegment.$Shape;
   }
   namespace LoadSegment {
    interface $Properties {
     offset?: Long;
     vaddr?: Long;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.LoadSegment.$Properties;
   }
   class AgentsRequest {
    constructor(properties?: parca.profilestore.v1alpha1.AgentsRequest.$Properties);
    $unknowns?: Uint8Array[];
    static encode(message: parca.profilestore.v1alpha1.AgentsRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.AgentsRequest & parca.profilestore.v1alpha1.AgentsRequest.$Shape;
   }
   namespace AgentsRequest {
    interface $Properties {
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.AgentsRequest.$Properties;
   }
   class AgentsResponse {
    constructor(properties?: parca.profilestore.v1alpha1.AgentsResponse.$Properties);
    $unknowns?: Uint8Array[];
    agents: parca.profilestore.v1alpha1.Agent[];
    static encode(message: parca.profilestore.v1alpha1.AgentsResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.AgentsResponse & parca.profilestore.v1alpha1.AgentsResponse.$Shape;
   }
   namespace AgentsResponse {
    interface $Properties {
     agents?: parca.profilestore.v1alpha1.Agent.$Properties[];
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.AgentsResponse.$Properties;
   }
   class Agent {
    constructor(properties?: parca.profilestore.v1alpha1.Agent.$Properties);
    $unknowns?: Uint8Array[];
    id: string;
    lastError: string;
    lastPush: google.protobuf.Timestamp;
    lastPushDuration: google.protobuf.Duration;
    node: string;
    address: string;
    static encode(message: parca.profilestore.v1alpha1.Agent.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.profilestore.v1alpha1.Agent & parca.profilestore.v1alpha1.Agent.$Shape;
   }
   namespace Agent {
    interface $Properties {
     id?: string;
     lastError?: string;
     lastPush?: google.protobuf.Timestamp.$Properties;
     lastPushDuration?: google.protobuf.Duration.$Properties;
     node?: string;
     address?: string;
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.profilestore.v1alpha1.Agent.$Properties;
   }
  }
 }
}
export namespace google {
 namespace protobuf {
  class Duration {
   constructor(properties?: google.protobuf.Duration.$Properties);
   $unknowns?: Uint8Array[];
   seconds: Long;
   nanos: number;
   static encode(message: google.protobuf.Duration.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): google.protobuf.Duration & google.protobuf.Duration.$Shape;
  }
  namespace Duration {
   interface $Properties {
    seconds?: Long;
    nanos?: number;
    $unknowns?: Uint8Array[];
   }
   type $Shape = google.protobuf.Duration.$Properties;
  }
  class Timestamp {
   constructor(properties?: google.protobuf.Timestamp.$Properties);
   $unknowns?: Uint8Array[];
   seconds: Long;
   nanos: number;
   static encode(message: google.protobuf.Timestamp.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
   static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): google.protobuf.Timestamp & google.protobuf.Timestamp.$Shape;
  }
  namespace Timestamp {
   interface $Properties {
    seconds?: Long;
    nanos?: number;
    $unknowns?: Uint8Array[];
   }
   type $Shape = google.protobuf.Timestamp.$Properties;
  }
 }
}
