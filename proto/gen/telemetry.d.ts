// Generated from parca/telemetry/v1alpha1/telemetry.proto by tools/generate/proto.mjs. Do not edit.
import * as $protobuf from "protobufjs/minimal.js";
import Long = require("long");
/** Namespace parca. */
export namespace parca {
 /** Namespace telemetry. */
 namespace telemetry {
  /** Namespace v1alpha1. */
  namespace v1alpha1 {
   /**
    * Properties of a ReportPanicRequest.
    * @deprecated Use parca.telemetry.v1alpha1.ReportPanicRequest.$Properties instead.
    */
   interface IReportPanicRequest extends parca.telemetry.v1alpha1.ReportPanicRequest.$Properties {
   }
   /** Represents a ReportPanicRequest. */
   class ReportPanicRequest {
    /**
     * Constructs a new ReportPanicRequest.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.telemetry.v1alpha1.ReportPanicRequest.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /** ReportPanicRequest stderr. */
    stderr: string;
    /** ReportPanicRequest metadata. */
    metadata: { [k: string]: string };
    /**
     * Encodes the specified ReportPanicRequest message. Does not implicitly {@link parca.telemetry.v1alpha1.ReportPanicRequest.verify|verify} messages.
     * @param message ReportPanicRequest message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.telemetry.v1alpha1.ReportPanicRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a ReportPanicRequest message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.telemetry.v1alpha1.ReportPanicRequest & parca.telemetry.v1alpha1.ReportPanicRequest.$Shape} ReportPanicRequest
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.telemetry.v1alpha1.ReportPanicRequest & parca.telemetry.v1alpha1.ReportPanicRequest.$Shape;
   }
   namespace ReportPanicRequest {
    /** Properties of a ReportPanicRequest. */
    interface $Properties {
     /** ReportPanicRequest stderr */
     stderr?: string;
     /** ReportPanicRequest metadata */
     metadata?: { [k: string]: string };
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a ReportPanicRequest. */
    type $Shape = parca.telemetry.v1alpha1.ReportPanicRequest.$Properties;
   }
   /**
    * Properties of a ReportPanicResponse.
    * @deprecated Use parca.telemetry.v1alpha1.ReportPanicResponse.$Properties instead.
    */
   interface IReportPanicResponse extends parca.telemetry.v1alpha1.ReportPanicResponse.$Properties {
   }
   /** Represents a ReportPanicResponse. */
   class ReportPanicResponse {
    /**
     * Constructs a new ReportPanicResponse.
     * @param [properties] Properties to set
     */
    constructor(properties?: parca.telemetry.v1alpha1.ReportPanicResponse.$Properties);
    /** Unknown fields preserved while decoding when enabled */
    $unknowns?: Uint8Array[];
    /**
     * Encodes the specified ReportPanicResponse message. Does not implicitly {@link parca.telemetry.v1alpha1.ReportPanicResponse.verify|verify} messages.
     * @param message ReportPanicResponse message or plain object to encode
     * @param [writer] Writer to encode to
     * @returns Writer
     */
    static encode(message: parca.telemetry.v1alpha1.ReportPanicResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
    /**
     * Decodes a ReportPanicResponse message from the specified reader or buffer.
     * @param reader Reader or buffer to decode from
     * @param [length] Message length if known beforehand
     * @returns {parca.telemetry.v1alpha1.ReportPanicResponse & parca.telemetry.v1alpha1.ReportPanicResponse.$Shape} ReportPanicResponse
     * @throws {Error} If the payload is not a reader or valid buffer
     * @throws {$protobuf.util.ProtocolError} If required fields are missing
     */
    static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): parca.telemetry.v1alpha1.ReportPanicResponse & parca.telemetry.v1alpha1.ReportPanicResponse.$Shape;
   }
   namespace ReportPanicResponse {
    /** Properties of a ReportPanicResponse. */
    interface $Properties {
     /** Unknown fields preserved while decoding when enabled */
     $unknowns?: Uint8Array[];
    }
    /** Shape of a ReportPanicResponse. */
    type $Shape = parca.telemetry.v1alpha1.ReportPanicResponse.$Properties;
   }
  }
 }
}
