// Generated from parca/telemetry/v1alpha1/telemetry.proto by tools/generate/proto.mjs. Do not edit.
import * as $protobuf from "protobufjs/minimal.js";
import Long = require("long");
export namespace parca {
 namespace telemetry {
  namespace v1alpha1 {
   class ReportPanicRequest {
    constructor(properties?: parca.telemetry.v1alpha1.ReportPanicRequest.$Properties);
    $unknowns?: Uint8Array[];
    stderr: string;
    metadata: { [k: string]: string };
    static encode(message: parca.telemetry.v1alpha1.ReportPanicRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.telemetry.v1alpha1.ReportPanicRequest & parca.telemetry.v1alpha1.ReportPanicRequest.$Shape;
   }
   namespace ReportPanicRequest {
    interface $Properties {
     stderr?: string;
     metadata?: { [k: string]: string };
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.telemetry.v1alpha1.ReportPanicRequest.$Properties;
   }
   class ReportPanicResponse {
    constructor(properties?: parca.telemetry.v1alpha1.ReportPanicResponse.$Properties);
    $unknowns?: Uint8Array[];
    static encode(message: parca.telemetry.v1alpha1.ReportPanicResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.telemetry.v1alpha1.ReportPanicResponse & parca.telemetry.v1alpha1.ReportPanicResponse.$Shape;
   }
   namespace ReportPanicResponse {
    interface $Properties {
     $unknowns?: Uint8Array[];
    }
    type $Shape = parca.telemetry.v1alpha1.ReportPanicResponse.$Properties;
   }
  }
 }
}
