// Generated from push/v1/push.proto by tools/generate/proto.mjs. Do not edit.
import $protobuf from "protobufjs/minimal.js";
// Common aliases
const $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
const $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError;
// Exported root namespace
const $root = $protobuf.roots["parca-push"] || ($protobuf.roots["parca-push"] = {});
export const push = $root.push = (() => {
 const push = {};
 push.v1 = (function() {
  const v1 = {};
  v1.PushRequest = (function() {
   const PushRequest = function (properties) {
    this.series = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   PushRequest.prototype.series = $util.emptyArray;
   PushRequest.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.series != null && message.series.length)
     for (let i = 0; i < message.series.length; ++i)
      $root.push.v1.RawProfileSeries.encode(message.series[i], writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   PushRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.push.v1.PushRequest();
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
       if (!(message.series && message.series.length))
        message.series = [];
       message.series.push($root.push.v1.RawProfileSeries.decode(reader, reader.size(), $undefined, _depth + 1));
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
   return PushRequest;
  })();
  v1.PushResponse = (function() {
   const PushResponse = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   PushResponse.encode = function (message, writer, _depth) {
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
   PushResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.push.v1.PushResponse();
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
   return PushResponse;
  })();
  v1.RawProfileSeries = (function() {
   const RawProfileSeries = function (properties) {
    this.labels = [];
    this.samples = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   RawProfileSeries.prototype.labels = $util.emptyArray;
   RawProfileSeries.prototype.samples = $util.emptyArray;
   RawProfileSeries.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.labels != null && message.labels.length)
     for (let i = 0; i < message.labels.length; ++i)
      $root.push.v1.LabelPair.encode(message.labels[i], writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
    if (message.samples != null && message.samples.length)
     for (let i = 0; i < message.samples.length; ++i)
      $root.push.v1.RawSample.encode(message.samples[i], writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   RawProfileSeries.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.push.v1.RawProfileSeries();
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
       if (!(message.labels && message.labels.length))
        message.labels = [];
       message.labels.push($root.push.v1.LabelPair.decode(reader, reader.size(), $undefined, _depth + 1));
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       if (!(message.samples && message.samples.length))
        message.samples = [];
       message.samples.push($root.push.v1.RawSample.decode(reader, reader.size(), $undefined, _depth + 1));
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
   return RawProfileSeries;
  })();
  v1.RawSample = (function() {
   const RawSample = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   RawSample.prototype.rawProfile = $util.newBuffer([]);
   RawSample.prototype.ID = "";
   RawSample.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.rawProfile != null && $Object.hasOwnProperty.call(message, "rawProfile") && message.rawProfile.length)
     writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.rawProfile);
    if (message.ID != null && $Object.hasOwnProperty.call(message, "ID") && message.ID !== "")
     writer.uint32(/* id 2, wireType 2 =*/18).string(message.ID);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   RawSample.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.push.v1.RawSample();
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
       if ((value = reader.bytes()).length)
        message.rawProfile = value;
       else
        delete message.rawProfile;
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       if ((value = reader.stringVerify()).length)
        message.ID = value;
       else
        delete message.ID;
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
   return RawSample;
  })();
  v1.LabelPair = (function() {
   const LabelPair = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   LabelPair.prototype.name = "";
   LabelPair.prototype.value = "";
   LabelPair.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.name);
    if (message.value != null && $Object.hasOwnProperty.call(message, "value") && message.value !== "")
     writer.uint32(/* id 2, wireType 2 =*/18).string(message.value);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   LabelPair.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.push.v1.LabelPair();
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
        message.name = value;
       else
        delete message.name;
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       if ((value = reader.stringVerify()).length)
        message.value = value;
       else
        delete message.value;
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
   return LabelPair;
  })();
  return v1;
 })();
 return push;
})();
export {
  $root as default
};
