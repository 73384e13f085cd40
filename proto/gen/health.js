// Generated from grpc/health/v1/health.proto by tools/generate/proto.mjs. Do not edit.
import $protobuf from "protobufjs/minimal.js";
// Common aliases
const $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
const $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError;
// Exported root namespace
const $root = $protobuf.roots["parca-health"] || ($protobuf.roots["parca-health"] = {});
export const grpc = $root.grpc = (() => {
 const grpc = {};
 grpc.health = (function() {
  const health = {};
  health.v1 = (function() {
   const v1 = {};
   v1.HealthCheckRequest = (function() {
    const HealthCheckRequest = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    HealthCheckRequest.prototype.service = "";
    HealthCheckRequest.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.service != null && $Object.hasOwnProperty.call(message, "service") && message.service !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.service);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    HealthCheckRequest.decode = function (reader, length, _end, _depth, _target) {
     if (!(reader instanceof $Reader))
      reader = $Reader.create(reader);
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $Reader.recursionLimit)
      throw $Error("max depth exceeded");
     let end, message, value;
     if (length === $undefined)
      end = reader.len;
     else {
      end = reader.pos + length;
      if (end > reader.len)
       throw $RangeError("index out of range");
      length = reader.len;
      reader.len = end;
     }
     message = _target || new $root.grpc.health.v1.HealthCheckRequest();
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
         message.service = value;
        else
         delete message.service;
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
    return HealthCheckRequest;
   })();
   v1.HealthCheckResponse = (function() {
    const HealthCheckResponse = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    HealthCheckResponse.prototype.status = 0;
    HealthCheckResponse.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.status != null && $Object.hasOwnProperty.call(message, "status") && message.status !== 0)
      writer.uint32(/* id 1, wireType 0 =*/8).int32(message.status);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    HealthCheckResponse.decode = function (reader, length, _end, _depth, _target) {
     if (!(reader instanceof $Reader))
      reader = $Reader.create(reader);
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $Reader.recursionLimit)
      throw $Error("max depth exceeded");
     let end, message, value;
     if (length === $undefined)
      end = reader.len;
     else {
      end = reader.pos + length;
      if (end > reader.len)
       throw $RangeError("index out of range");
      length = reader.len;
      reader.len = end;
     }
     message = _target || new $root.grpc.health.v1.HealthCheckResponse();
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
        if (wireType !== 0)
         break;
        if (value = reader.int32())
         message.status = value;
        else
         delete message.status;
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
    HealthCheckResponse.ServingStatus = (function() {
     const valuesById = $Object.create(null), values = $Object.create(valuesById);
     values[valuesById[0] = "UNKNOWN"] = 0;
     values[valuesById[1] = "SERVING"] = 1;
     values[valuesById[2] = "NOT_SERVING"] = 2;
     values[valuesById[3] = "SERVICE_UNKNOWN"] = 3;
     return values;
    })();
    return HealthCheckResponse;
   })();
   return v1;
  })();
  return health;
 })();
 return grpc;
})();
export {
  $root as default
};
