// Generated from parca/telemetry/v1alpha1/telemetry.proto by tools/generate/proto.mjs. Do not edit.
import $protobuf from "protobufjs/minimal.js";
// Common aliases
const $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
const $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError;
// Exported root namespace
const $root = $protobuf.roots["parca-telemetry"] || ($protobuf.roots["parca-telemetry"] = {});
export const parca = $root.parca = (() => {
 const parca = {};
 parca.telemetry = (function() {
  const telemetry = {};
  telemetry.v1alpha1 = (function() {
   const v1alpha1 = {};
   v1alpha1.ReportPanicRequest = (function() {
    const ReportPanicRequest = function (properties) {
     this.metadata = {};
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    ReportPanicRequest.prototype.stderr = "";
    ReportPanicRequest.prototype.metadata = $util.emptyObject;
    ReportPanicRequest.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.stderr != null && $Object.hasOwnProperty.call(message, "stderr") && message.stderr !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.stderr);
     if (message.metadata != null && $Object.hasOwnProperty.call(message, "metadata"))
      for (let keys = $Object.keys(message.metadata), i = 0; i < keys.length; ++i)
       writer.uint32(/* id 2, wireType 2 =*/18).fork().uint32(/* id 1, wireType 2 =*/10).string(keys[i]).uint32(/* id 2, wireType 2 =*/18).string(message.metadata[keys[i]]).ldelim();
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    ReportPanicRequest.decode = function (reader, length, _end, _depth, _target) {
     if (!(reader instanceof $Reader))
      reader = $Reader.create(reader);
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $Reader.recursionLimit)
      throw $Error("max depth exceeded");
     let end, message, key, value;
     if (length === $undefined)
      end = reader.len;
     else {
      end = reader.pos + length;
      if (end > reader.len)
       throw $RangeError("index out of range");
      length = reader.len;
      reader.len = end;
     }
     message = _target || new $root.parca.telemetry.v1alpha1.ReportPanicRequest();
     while (reader.pos < end) {
      let start = reader.pos;
      let tag = reader.tag();
      if (tag === _end) {
       _end = $undefined;
       break;
      }
      let wireType = tag & 7;
      switch (tag >>>= 3) {
      case 1: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
         message.stderr = value;
        else
         delete message.stderr;
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        if (message.metadata === $util.emptyObject)
         message.metadata = {};
        let end2 = reader.size() + reader.pos;
        if (end2 > reader.len)
         throw $RangeError("index out of range");
        reader.len = end2;
        key = "";
        value = "";
        while (reader.pos < end2) {
         let tag2 = reader.tag();
         wireType = tag2 & 7;
         switch (tag2 >>>= 3) {
         case 1:
          if (wireType !== 2)
           break;
          key = reader.stringVerify();
          continue;
         case 2:
          if (wireType !== 2)
           break;
          value = reader.stringVerify();
          continue;
         }
         reader.skipType(wireType, _depth, tag2);
        }
        if (reader.pos !== end2)
         throw $RangeError("index out of range");
        reader.len = end;
        if (key === "__proto__")
         $util.makeProp(message.metadata, key);
        message.metadata[key] = value;
        continue;
       }
      }
      reader.skipType(wireType, _depth, tag);
      if (!reader.discardUnknown) {
       $util.makeProp(message, "$unknowns", false);
       (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
      }
     }
     if (length !== $undefined) {
      if (reader.pos !== end)
       throw $RangeError("index out of range");
      reader.len = length;
     }
     if (_end !== $undefined)
      throw $Error("missing end group");
     return message;
    };
    return ReportPanicRequest;
   })();
   v1alpha1.ReportPanicResponse = (function() {
    const ReportPanicResponse = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    ReportPanicResponse.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    ReportPanicResponse.decode = function (reader, length, _end, _depth, _target) {
     if (!(reader instanceof $Reader))
      reader = $Reader.create(reader);
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $Reader.recursionLimit)
      throw $Error("max depth exceeded");
     let end, message;
     if (length === $undefined)
      end = reader.len;
     else {
      end = reader.pos + length;
      if (end > reader.len)
       throw $RangeError("index out of range");
      length = reader.len;
      reader.len = end;
     }
     message = _target || new $root.parca.telemetry.v1alpha1.ReportPanicResponse();
     while (reader.pos < end) {
      let start = reader.pos;
      let tag = reader.tag();
      if (tag === _end) {
       _end = $undefined;
       break;
      }
      reader.skipType(tag & 7, _depth, tag);
      if (!reader.discardUnknown) {
       $util.makeProp(message, "$unknowns", false);
       (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
      }
     }
     if (length !== $undefined) {
      if (reader.pos !== end)
       throw $RangeError("index out of range");
      reader.len = length;
     }
     if (_end !== $undefined)
      throw $Error("missing end group");
     return message;
    };
    return ReportPanicResponse;
   })();
   return v1alpha1;
  })();
  return telemetry;
 })();
 return parca;
})();
export {
  $root as default
};
