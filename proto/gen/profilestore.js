// Generated from parca/profilestore/v1alpha1/profilestore.proto by tools/generate/proto.mjs. Do not edit.
import $protobuf from "protobufjs/minimal.js";
// Common aliases
const $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
const $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError;
// Exported root namespace
const $root = $protobuf.roots["parca-profilestore"] || ($protobuf.roots["parca-profilestore"] = {});
export const parca = $root.parca = (() => {
 const parca = {};
 parca.profilestore = (function() {
  const profilestore = {};
  profilestore.v1alpha1 = (function() {
   const v1alpha1 = {};
   v1alpha1.WriteRequest = (function() {
    const WriteRequest = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    WriteRequest.prototype.record = $util.newBuffer([]);
    WriteRequest.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.record != null && $Object.hasOwnProperty.call(message, "record") && message.record.length)
      writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.record);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    WriteRequest.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.profilestore.v1alpha1.WriteRequest();
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
         message.record = value;
        else
         delete message.record;
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
    return WriteRequest;
   })();
   v1alpha1.WriteResponse = (function() {
    const WriteResponse = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    WriteResponse.prototype.record = $util.newBuffer([]);
    WriteResponse.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.record != null && $Object.hasOwnProperty.call(message, "record") && message.record.length)
      writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.record);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    WriteResponse.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.profilestore.v1alpha1.WriteResponse();
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
         message.record = value;
        else
         delete message.record;
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
    return WriteResponse;
   })();
   v1alpha1.WriteArrowRequest = (function() {
    const WriteArrowRequest = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    WriteArrowRequest.prototype.ipcBuffer = $util.newBuffer([]);
    WriteArrowRequest.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.ipcBuffer != null && $Object.hasOwnProperty.call(message, "ipcBuffer") && message.ipcBuffer.length)
      writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.ipcBuffer);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    WriteArrowRequest.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.profilestore.v1alpha1.WriteArrowRequest();
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
         message.ipcBuffer = value;
        else
         delete message.ipcBuffer;
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
    return WriteArrowRequest;
   })();
   v1alpha1.WriteArrowResponse = (function() {
    const WriteArrowResponse = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    WriteArrowResponse.encode = function (message, writer, _depth) {
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
    WriteArrowResponse.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.profilestore.v1alpha1.WriteArrowResponse();
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
    return WriteArrowResponse;
   })();
   v1alpha1.WriteRawRequest = (function() {
    const WriteRawRequest = function (properties) {
     this.series = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    WriteRawRequest.prototype.tenant = "";
    WriteRawRequest.prototype.series = $util.emptyArray;
    WriteRawRequest.prototype.normalized = false;
    WriteRawRequest.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.tenant != null && $Object.hasOwnProperty.call(message, "tenant") && message.tenant !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.tenant);
     if (message.series != null && message.series.length)
      for (let i = 0; i < message.series.length; ++i)
       $root.parca.profilestore.v1alpha1.RawProfileSeries.encode(message.series[i], writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
     if (message.normalized != null && $Object.hasOwnProperty.call(message, "normalized") && message.normalized !== false)
      writer.uint32(/* id 3, wireType 0 =*/24).bool(message.normalized);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    WriteRawRequest.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.profilestore.v1alpha1.WriteRawRequest();
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
         message.tenant = value;
        else
         delete message.tenant;
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        if (!(message.series && message.series.length))
         message.series = [];
        message.series.push($root.parca.profilestore.v1alpha1.RawProfileSeries.decode(reader, reader.size(), $undefined, _depth + 1));
        continue;
       }
      case 3: {
        if (wireType !== 0)
         break;
        if (value = reader.bool())
         message.normalized = value;
        else
         delete message.normalized;
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
    return WriteRawRequest;
   })();
   v1alpha1.WriteRawResponse = (function() {
    const WriteRawResponse = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    WriteRawResponse.encode = function (message, writer, _depth) {
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
    WriteRawResponse.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.profilestore.v1alpha1.WriteRawResponse();
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
    return WriteRawResponse;
   })();
   v1alpha1.RawProfileSeries = (function() {
    const RawProfileSeries = function (properties) {
     this.samples = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    RawProfileSeries.prototype.labels = null;
    RawProfileSeries.prototype.samples = $util.emptyArray;
    RawProfileSeries.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.labels != null && $Object.hasOwnProperty.call(message, "labels"))
      $root.parca.profilestore.v1alpha1.LabelSet.encode(message.labels, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
     if (message.samples != null && message.samples.length)
      for (let i = 0; i < message.samples.length; ++i)
       $root.parca.profilestore.v1alpha1.RawSample.encode(message.samples[i], writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
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
     message = _target || new $root.parca.profilestore.v1alpha1.RawProfileSeries();
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
        message.labels = $root.parca.profilestore.v1alpha1.LabelSet.decode(reader, reader.size(), $undefined, _depth + 1, message.labels);
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        if (!(message.samples && message.samples.length))
         message.samples = [];
        message.samples.push($root.parca.profilestore.v1alpha1.RawSample.decode(reader, reader.size(), $undefined, _depth + 1));
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
   v1alpha1.Label = (function() {
    const Label = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    Label.prototype.name = "";
    Label.prototype.value = "";
    Label.encode = function (message, writer, _depth) {
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
    Label.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.profilestore.v1alpha1.Label();
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
    return Label;
   })();
   v1alpha1.LabelSet = (function() {
    const LabelSet = function (properties) {
     this.labels = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    LabelSet.prototype.labels = $util.emptyArray;
    LabelSet.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.labels != null && message.labels.length)
      for (let i = 0; i < message.labels.length; ++i)
       $root.parca.profilestore.v1alpha1.Label.encode(message.labels[i], writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    LabelSet.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.profilestore.v1alpha1.LabelSet();
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
        message.labels.push($root.parca.profilestore.v1alpha1.Label.decode(reader, reader.size(), $undefined, _depth + 1));
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
    return LabelSet;
   })();
   v1alpha1.RawSample = (function() {
    const RawSample = function (properties) {
     this.executableInfo = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    RawSample.prototype.rawProfile = $util.newBuffer([]);
    RawSample.prototype.executableInfo = $util.emptyArray;
    RawSample.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.rawProfile != null && $Object.hasOwnProperty.call(message, "rawProfile") && message.rawProfile.length)
      writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.rawProfile);
     if (message.executableInfo != null && message.executableInfo.length)
      for (let i = 0; i < message.executableInfo.length; ++i)
       $root.parca.profilestore.v1alpha1.ExecutableInfo.encode(message.executableInfo[i], writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
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
     message = _target || new $root.parca.profilestore.v1alpha1.RawSample();
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
        if (!(message.executableInfo && message.executableInfo.length))
         message.executableInfo = [];
        message.executableInfo.push($root.parca.profilestore.v1alpha1.ExecutableInfo.decode(reader, reader.size(), $undefined, _depth + 1));
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
   v1alpha1.ExecutableInfo = (function() {
    const ExecutableInfo = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    ExecutableInfo.prototype.elfType = 0;
    ExecutableInfo.prototype.loadSegment = null;
    ExecutableInfo.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.elfType != null && $Object.hasOwnProperty.call(message, "elfType") && message.elfType !== 0)
      writer.uint32(/* id 1, wireType 0 =*/8).uint32(message.elfType);
     if (message.loadSegment != null && $Object.hasOwnProperty.call(message, "loadSegment"))
      $root.parca.profilestore.v1alpha1.LoadSegment.encode(message.loadSegment, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    ExecutableInfo.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.profilestore.v1alpha1.ExecutableInfo();
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
        if (value = reader.uint32())
         message.elfType = value;
        else
         delete message.elfType;
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        message.loadSegment = $root.parca.profilestore.v1alpha1.LoadSegment.decode(reader, reader.size(), $undefined, _depth + 1, message.loadSegment);
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
    return ExecutableInfo;
   })();
   v1alpha1.LoadSegment = (function() {
    const LoadSegment = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    LoadSegment.prototype.offset = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
    LoadSegment.prototype.vaddr = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
    LoadSegment.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.offset != null && $Object.hasOwnProperty.call(message, "offset") && (typeof message.offset === "object" ? message.offset.low || message.offset.high : message.offset !== 0))
      writer.uint32(/* id 1, wireType 0 =*/8).uint64(message.offset);
     if (message.vaddr != null && $Object.hasOwnProperty.call(message, "vaddr") && (typeof message.vaddr === "object" ? message.vaddr.low || message.vaddr.high : message.vaddr !== 0))
      writer.uint32(/* id 2, wireType 0 =*/16).uint64(message.vaddr);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    LoadSegment.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.profilestore.v1alpha1.LoadSegment();
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
        if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
         message.offset = value;
        else
         delete message.offset;
        continue;
       }
      case 2: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
         message.vaddr = value;
        else
         delete message.vaddr;
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
    return LoadSegment;
   })();
   v1alpha1.AgentsRequest = (function() {
    const AgentsRequest = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    AgentsRequest.encode = function (message, writer, _depth) {
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
    AgentsRequest.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.profilestore.v1alpha1.AgentsRequest();
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
    return AgentsRequest;
   })();
   v1alpha1.AgentsResponse = (function() {
    const AgentsResponse = function (properties) {
     this.agents = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    AgentsResponse.prototype.agents = $util.emptyArray;
    AgentsResponse.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.agents != null && message.agents.length)
      for (let i = 0; i < message.agents.length; ++i)
       $root.parca.profilestore.v1alpha1.Agent.encode(message.agents[i], writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    AgentsResponse.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.profilestore.v1alpha1.AgentsResponse();
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
        if (!(message.agents && message.agents.length))
         message.agents = [];
        message.agents.push($root.parca.profilestore.v1alpha1.Agent.decode(reader, reader.size(), $undefined, _depth + 1));
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
    return AgentsResponse;
   })();
   v1alpha1.Agent = (function() {
    const Agent = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    Agent.prototype.id = "";
    Agent.prototype.lastError = "";
    Agent.prototype.lastPush = null;
    Agent.prototype.lastPushDuration = null;
    Agent.prototype.node = "";
    Agent.prototype.address = "";
    Agent.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.id != null && $Object.hasOwnProperty.call(message, "id") && message.id !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.id);
     if (message.lastError != null && $Object.hasOwnProperty.call(message, "lastError") && message.lastError !== "")
      writer.uint32(/* id 2, wireType 2 =*/18).string(message.lastError);
     if (message.lastPush != null && $Object.hasOwnProperty.call(message, "lastPush"))
      $root.google.protobuf.Timestamp.encode(message.lastPush, writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
     if (message.lastPushDuration != null && $Object.hasOwnProperty.call(message, "lastPushDuration"))
      $root.google.protobuf.Duration.encode(message.lastPushDuration, writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
     if (message.node != null && $Object.hasOwnProperty.call(message, "node") && message.node !== "")
      writer.uint32(/* id 100, wireType 2 =*/802).string(message.node);
     if (message.address != null && $Object.hasOwnProperty.call(message, "address") && message.address !== "")
      writer.uint32(/* id 101, wireType 2 =*/810).string(message.address);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    Agent.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.profilestore.v1alpha1.Agent();
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
         message.id = value;
        else
         delete message.id;
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
         message.lastError = value;
        else
         delete message.lastError;
        continue;
       }
      case 3: {
        if (wireType !== 2)
         break;
        message.lastPush = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.lastPush);
        continue;
       }
      case 4: {
        if (wireType !== 2)
         break;
        message.lastPushDuration = $root.google.protobuf.Duration.decode(reader, reader.size(), $undefined, _depth + 1, message.lastPushDuration);
        continue;
       }
      case 100: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
         message.node = value;
        else
         delete message.node;
        continue;
       }
      case 101: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
         message.address = value;
        else
         delete message.address;
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
    return Agent;
   })();
   return v1alpha1;
  })();
  return profilestore;
 })();
 return parca;
})();
export const google = $root.google = (() => {
 const google = {};
 google.protobuf = (function() {
  const protobuf = {};
  protobuf.Duration = (function() {
   const Duration = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   Duration.prototype.seconds = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   Duration.prototype.nanos = 0;
   Duration.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.seconds != null && $Object.hasOwnProperty.call(message, "seconds") && (typeof message.seconds === "object" ? message.seconds.low || message.seconds.high : message.seconds !== 0))
     writer.uint32(/* id 1, wireType 0 =*/8).int64(message.seconds);
    if (message.nanos != null && $Object.hasOwnProperty.call(message, "nanos") && message.nanos !== 0)
     writer.uint32(/* id 2, wireType 0 =*/16).int32(message.nanos);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   Duration.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.google.protobuf.Duration();
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
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.seconds = value;
       else
        delete message.seconds;
       continue;
      }
     case 2: {
       if (wireType !== 0)
        break;
       if (value = reader.int32())
        message.nanos = value;
       else
        delete message.nanos;
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
   return Duration;
  })();
  protobuf.Timestamp = (function() {
   const Timestamp = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   Timestamp.prototype.seconds = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   Timestamp.prototype.nanos = 0;
   Timestamp.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.seconds != null && $Object.hasOwnProperty.call(message, "seconds") && (typeof message.seconds === "object" ? message.seconds.low || message.seconds.high : message.seconds !== 0))
     writer.uint32(/* id 1, wireType 0 =*/8).int64(message.seconds);
    if (message.nanos != null && $Object.hasOwnProperty.call(message, "nanos") && message.nanos !== 0)
     writer.uint32(/* id 2, wireType 0 =*/16).int32(message.nanos);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   Timestamp.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.google.protobuf.Timestamp();
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
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.seconds = value;
       else
        delete message.seconds;
       continue;
      }
     case 2: {
       if (wireType !== 0)
        break;
       if (value = reader.int32())
        message.nanos = value;
       else
        delete message.nanos;
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
   return Timestamp;
  })();
  return protobuf;
 })();
 return google;
})();
export {
  $root as default
};
