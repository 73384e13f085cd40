// Generated from parca/debuginfo/v1alpha1/debuginfo.proto by tools/generate/proto.mjs. Do not edit.
import $protobuf from "protobufjs/minimal.js";
// Common aliases
const $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
const $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError;
// Exported root namespace
const $root = $protobuf.roots["parca-debuginfo"] || ($protobuf.roots["parca-debuginfo"] = {});
export const parca = $root.parca = (() => {
 const parca = {};
 parca.debuginfo = (function() {
  const debuginfo = {};
  debuginfo.v1alpha1 = (function() {
   const v1alpha1 = {};
   v1alpha1.DebuginfoType = (function() {
    const valuesById = $Object.create(null), values = $Object.create(valuesById);
    values[valuesById[0] = "DEBUGINFO_TYPE_DEBUGINFO_UNSPECIFIED"] = 0;
    values[valuesById[1] = "DEBUGINFO_TYPE_EXECUTABLE"] = 1;
    values[valuesById[2] = "DEBUGINFO_TYPE_SOURCES"] = 2;
    values[valuesById[3] = "DEBUGINFO_TYPE_SOURCE_MAP"] = 3;
    return values;
   })();
   v1alpha1.BuildIDType = (function() {
    const valuesById = $Object.create(null), values = $Object.create(valuesById);
    values[valuesById[0] = "BUILD_ID_TYPE_UNKNOWN_UNSPECIFIED"] = 0;
    values[valuesById[1] = "BUILD_ID_TYPE_GNU"] = 1;
    values[valuesById[2] = "BUILD_ID_TYPE_HASH"] = 2;
    values[valuesById[3] = "BUILD_ID_TYPE_GO"] = 3;
    values[valuesById[4] = "BUILD_ID_TYPE_SOURCE_MAP_DEBUG_ID"] = 4;
    return values;
   })();
   v1alpha1.ShouldInitiateUploadRequest = (function() {
    const ShouldInitiateUploadRequest = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    ShouldInitiateUploadRequest.prototype.buildId = "";
    ShouldInitiateUploadRequest.prototype.hash = "";
    ShouldInitiateUploadRequest.prototype.force = false;
    ShouldInitiateUploadRequest.prototype.type = 0;
    ShouldInitiateUploadRequest.prototype.buildIdType = 0;
    ShouldInitiateUploadRequest.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.buildId != null && $Object.hasOwnProperty.call(message, "buildId") && message.buildId !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.buildId);
     if (message.hash != null && $Object.hasOwnProperty.call(message, "hash") && message.hash !== "")
      writer.uint32(/* id 2, wireType 2 =*/18).string(message.hash);
     if (message.force != null && $Object.hasOwnProperty.call(message, "force") && message.force !== false)
      writer.uint32(/* id 3, wireType 0 =*/24).bool(message.force);
     if (message.type != null && $Object.hasOwnProperty.call(message, "type") && message.type !== 0)
      writer.uint32(/* id 4, wireType 0 =*/32).int32(message.type);
     if (message.buildIdType != null && $Object.hasOwnProperty.call(message, "buildIdType") && message.buildIdType !== 0)
      writer.uint32(/* id 5, wireType 0 =*/40).int32(message.buildIdType);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    ShouldInitiateUploadRequest.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.debuginfo.v1alpha1.ShouldInitiateUploadRequest();
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
         message.buildId = value;
        else
         delete message.buildId;
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
         message.hash = value;
        else
         delete message.hash;
        continue;
       }
      case 3: {
        if (wireType !== 0)
         break;
        if (value = reader.bool())
         message.force = value;
        else
         delete message.force;
        continue;
       }
      case 4: {
        if (wireType !== 0)
         break;
        if (value = reader.int32())
         message.type = value;
        else
         delete message.type;
        continue;
       }
      case 5: {
        if (wireType !== 0)
         break;
        if (value = reader.int32())
         message.buildIdType = value;
        else
         delete message.buildIdType;
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
    return ShouldInitiateUploadRequest;
   })();
   v1alpha1.ShouldInitiateUploadResponse = (function() {
    const ShouldInitiateUploadResponse = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    ShouldInitiateUploadResponse.prototype.shouldInitiateUpload = false;
    ShouldInitiateUploadResponse.prototype.reason = "";
    ShouldInitiateUploadResponse.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.shouldInitiateUpload != null && $Object.hasOwnProperty.call(message, "shouldInitiateUpload") && message.shouldInitiateUpload !== false)
      writer.uint32(/* id 1, wireType 0 =*/8).bool(message.shouldInitiateUpload);
     if (message.reason != null && $Object.hasOwnProperty.call(message, "reason") && message.reason !== "")
      writer.uint32(/* id 2, wireType 2 =*/18).string(message.reason);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    ShouldInitiateUploadResponse.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.debuginfo.v1alpha1.ShouldInitiateUploadResponse();
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
        if (value = reader.bool())
         message.shouldInitiateUpload = value;
        else
         delete message.shouldInitiateUpload;
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
         message.reason = value;
        else
         delete message.reason;
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
    return ShouldInitiateUploadResponse;
   })();
   v1alpha1.InitiateUploadRequest = (function() {
    const InitiateUploadRequest = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    InitiateUploadRequest.prototype.buildId = "";
    InitiateUploadRequest.prototype.size = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    InitiateUploadRequest.prototype.hash = "";
    InitiateUploadRequest.prototype.force = false;
    InitiateUploadRequest.prototype.type = 0;
    InitiateUploadRequest.prototype.buildIdType = 0;
    InitiateUploadRequest.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.buildId != null && $Object.hasOwnProperty.call(message, "buildId") && message.buildId !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.buildId);
     if (message.size != null && $Object.hasOwnProperty.call(message, "size") && (typeof message.size === "object" ? message.size.low || message.size.high : message.size !== 0))
      writer.uint32(/* id 2, wireType 0 =*/16).int64(message.size);
     if (message.hash != null && $Object.hasOwnProperty.call(message, "hash") && message.hash !== "")
      writer.uint32(/* id 3, wireType 2 =*/26).string(message.hash);
     if (message.force != null && $Object.hasOwnProperty.call(message, "force") && message.force !== false)
      writer.uint32(/* id 4, wireType 0 =*/32).bool(message.force);
     if (message.type != null && $Object.hasOwnProperty.call(message, "type") && message.type !== 0)
      writer.uint32(/* id 5, wireType 0 =*/40).int32(message.type);
     if (message.buildIdType != null && $Object.hasOwnProperty.call(message, "buildIdType") && message.buildIdType !== 0)
      writer.uint32(/* id 6, wireType 0 =*/48).int32(message.buildIdType);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    InitiateUploadRequest.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.debuginfo.v1alpha1.InitiateUploadRequest();
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
         message.buildId = value;
        else
         delete message.buildId;
        continue;
       }
      case 2: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.size = value;
        else
         delete message.size;
        continue;
       }
      case 3: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
         message.hash = value;
        else
         delete message.hash;
        continue;
       }
      case 4: {
        if (wireType !== 0)
         break;
        if (value = reader.bool())
         message.force = value;
        else
         delete message.force;
        continue;
       }
      case 5: {
        if (wireType !== 0)
         break;
        if (value = reader.int32())
         message.type = value;
        else
         delete message.type;
        continue;
       }
      case 6: {
        if (wireType !== 0)
         break;
        if (value = reader.int32())
         message.buildIdType = value;
        else
         delete message.buildIdType;
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
    return InitiateUploadRequest;
   })();
   v1alpha1.InitiateUploadResponse = (function() {
    const InitiateUploadResponse = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    InitiateUploadResponse.prototype.uploadInstructions = null;
    InitiateUploadResponse.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.uploadInstructions != null && $Object.hasOwnProperty.call(message, "uploadInstructions"))
      $root.parca.debuginfo.v1alpha1.UploadInstructions.encode(message.uploadInstructions, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    InitiateUploadResponse.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.debuginfo.v1alpha1.InitiateUploadResponse();
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
        message.uploadInstructions = $root.parca.debuginfo.v1alpha1.UploadInstructions.decode(reader, reader.size(), $undefined, _depth + 1, message.uploadInstructions);
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
    return InitiateUploadResponse;
   })();
   v1alpha1.UploadInstructions = (function() {
    const UploadInstructions = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    UploadInstructions.prototype.buildId = "";
    UploadInstructions.prototype.uploadId = "";
    UploadInstructions.prototype.uploadStrategy = 0;
    UploadInstructions.prototype.signedUrl = "";
    UploadInstructions.prototype.type = 0;
    UploadInstructions.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.buildId != null && $Object.hasOwnProperty.call(message, "buildId") && message.buildId !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.buildId);
     if (message.uploadId != null && $Object.hasOwnProperty.call(message, "uploadId") && message.uploadId !== "")
      writer.uint32(/* id 2, wireType 2 =*/18).string(message.uploadId);
     if (message.uploadStrategy != null && $Object.hasOwnProperty.call(message, "uploadStrategy") && message.uploadStrategy !== 0)
      writer.uint32(/* id 3, wireType 0 =*/24).int32(message.uploadStrategy);
     if (message.signedUrl != null && $Object.hasOwnProperty.call(message, "signedUrl") && message.signedUrl !== "")
      writer.uint32(/* id 4, wireType 2 =*/34).string(message.signedUrl);
     if (message.type != null && $Object.hasOwnProperty.call(message, "type") && message.type !== 0)
      writer.uint32(/* id 5, wireType 0 =*/40).int32(message.type);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    UploadInstructions.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.debuginfo.v1alpha1.UploadInstructions();
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
         message.buildId = value;
        else
         delete message.buildId;
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
         message.uploadId = value;
        else
         delete message.uploadId;
        continue;
       }
      case 3: {
        if (wireType !== 0)
         break;
        if (value = reader.int32())
         message.uploadStrategy = value;
        else
         delete message.uploadStrategy;
        continue;
       }
      case 4: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
         message.signedUrl = value;
        else
         delete message.signedUrl;
        continue;
       }
      case 5: {
        if (wireType !== 0)
         break;
        if (value = reader.int32())
         message.type = value;
        else
         delete message.type;
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
    UploadInstructions.UploadStrategy = (function() {
     const valuesById = $Object.create(null), values = $Object.create(valuesById);
     values[valuesById[0] = "UPLOAD_STRATEGY_UNSPECIFIED"] = 0;
     values[valuesById[1] = "UPLOAD_STRATEGY_GRPC"] = 1;
     values[valuesById[2] = "UPLOAD_STRATEGY_SIGNED_URL"] = 2;
     return values;
    })();
    return UploadInstructions;
   })();
   v1alpha1.MarkUploadFinishedRequest = (function() {
    const MarkUploadFinishedRequest = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    MarkUploadFinishedRequest.prototype.buildId = "";
    MarkUploadFinishedRequest.prototype.uploadId = "";
    MarkUploadFinishedRequest.prototype.type = 0;
    MarkUploadFinishedRequest.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.buildId != null && $Object.hasOwnProperty.call(message, "buildId") && message.buildId !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.buildId);
     if (message.uploadId != null && $Object.hasOwnProperty.call(message, "uploadId") && message.uploadId !== "")
      writer.uint32(/* id 2, wireType 2 =*/18).string(message.uploadId);
     if (message.type != null && $Object.hasOwnProperty.call(message, "type") && message.type !== 0)
      writer.uint32(/* id 3, wireType 0 =*/24).int32(message.type);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    MarkUploadFinishedRequest.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.debuginfo.v1alpha1.MarkUploadFinishedRequest();
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
         message.buildId = value;
        else
         delete message.buildId;
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
         message.uploadId = value;
        else
         delete message.uploadId;
        continue;
       }
      case 3: {
        if (wireType !== 0)
         break;
        if (value = reader.int32())
         message.type = value;
        else
         delete message.type;
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
    return MarkUploadFinishedRequest;
   })();
   v1alpha1.MarkUploadFinishedResponse = (function() {
    const MarkUploadFinishedResponse = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    MarkUploadFinishedResponse.encode = function (message, writer, _depth) {
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
    MarkUploadFinishedResponse.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.debuginfo.v1alpha1.MarkUploadFinishedResponse();
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
    return MarkUploadFinishedResponse;
   })();
   v1alpha1.UploadRequest = (function() {
    const UploadRequest = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    UploadRequest.prototype.info = null;
    UploadRequest.prototype.chunkData = null;
    // OneOf field names bound to virtual getters and setters
    let $oneOfFields;
    $Object.defineProperty(UploadRequest.prototype, "data", {
     get: $util.oneOfGetter($oneOfFields = ["info", "chunkData"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    UploadRequest.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.info != null && $Object.hasOwnProperty.call(message, "info"))
      $root.parca.debuginfo.v1alpha1.UploadInfo.encode(message.info, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
     if (message.chunkData != null && $Object.hasOwnProperty.call(message, "chunkData"))
      writer.uint32(/* id 2, wireType 2 =*/18).bytes(message.chunkData);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    UploadRequest.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.debuginfo.v1alpha1.UploadRequest();
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
        message.info = $root.parca.debuginfo.v1alpha1.UploadInfo.decode(reader, reader.size(), $undefined, _depth + 1, message.info);
        message.data = "info";
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        message.chunkData = reader.bytes();
        message.data = "chunkData";
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
    return UploadRequest;
   })();
   v1alpha1.UploadInfo = (function() {
    const UploadInfo = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    UploadInfo.prototype.buildId = "";
    UploadInfo.prototype.uploadId = "";
    UploadInfo.prototype.type = 0;
    UploadInfo.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.buildId != null && $Object.hasOwnProperty.call(message, "buildId") && message.buildId !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.buildId);
     if (message.uploadId != null && $Object.hasOwnProperty.call(message, "uploadId") && message.uploadId !== "")
      writer.uint32(/* id 2, wireType 2 =*/18).string(message.uploadId);
     if (message.type != null && $Object.hasOwnProperty.call(message, "type") && message.type !== 0)
      writer.uint32(/* id 3, wireType 0 =*/24).int32(message.type);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    UploadInfo.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.debuginfo.v1alpha1.UploadInfo();
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
         message.buildId = value;
        else
         delete message.buildId;
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
         message.uploadId = value;
        else
         delete message.uploadId;
        continue;
       }
      case 3: {
        if (wireType !== 0)
         break;
        if (value = reader.int32())
         message.type = value;
        else
         delete message.type;
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
    return UploadInfo;
   })();
   v1alpha1.UploadResponse = (function() {
    const UploadResponse = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    UploadResponse.prototype.buildId = "";
    UploadResponse.prototype.size = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
    UploadResponse.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.buildId != null && $Object.hasOwnProperty.call(message, "buildId") && message.buildId !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.buildId);
     if (message.size != null && $Object.hasOwnProperty.call(message, "size") && (typeof message.size === "object" ? message.size.low || message.size.high : message.size !== 0))
      writer.uint32(/* id 2, wireType 0 =*/16).uint64(message.size);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    UploadResponse.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.debuginfo.v1alpha1.UploadResponse();
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
         message.buildId = value;
        else
         delete message.buildId;
        continue;
       }
      case 2: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
         message.size = value;
        else
         delete message.size;
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
    return UploadResponse;
   })();
   return v1alpha1;
  })();
  return debuginfo;
 })();
 return parca;
})();
export {
  $root as default
};
