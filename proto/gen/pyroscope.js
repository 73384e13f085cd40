// Generated from querier/v1/querier.proto, settings/v1/settings.proto, adhocprofiles/v1/adhocprofiles.proto, vcs/v1/vcs.proto, capabilities/v1/capabilities.proto, version/v1/version.proto by tools/generate/proto.mjs. Do not edit.
import $protobuf from "protobufjs/minimal.js";
// Common aliases
const $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
const $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError;
// Exported root namespace
const $root = $protobuf.roots["parca-pyroscope"] || ($protobuf.roots["parca-pyroscope"] = {});
export const querier = $root.querier = (() => {
 const querier = {};
 querier.v1 = (function() {
  const v1 = {};
  v1.ProfileTypesRequest = (function() {
   const ProfileTypesRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   ProfileTypesRequest.prototype.start = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   ProfileTypesRequest.prototype.end = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   ProfileTypesRequest.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.start != null && $Object.hasOwnProperty.call(message, "start") && (typeof message.start === "object" ? message.start.low || message.start.high : message.start !== 0))
     writer.uint32(/* id 1, wireType 0 =*/8).int64(message.start);
    if (message.end != null && $Object.hasOwnProperty.call(message, "end") && (typeof message.end === "object" ? message.end.low || message.end.high : message.end !== 0))
     writer.uint32(/* id 2, wireType 0 =*/16).int64(message.end);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   ProfileTypesRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.querier.v1.ProfileTypesRequest();
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
        message.start = value;
       else
        delete message.start;
       continue;
      }
     case 2: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.end = value;
       else
        delete message.end;
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
   return ProfileTypesRequest;
  })();
  v1.ProfileTypesResponse = (function() {
   const ProfileTypesResponse = function (properties) {
    this.profileTypes = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   ProfileTypesResponse.prototype.profileTypes = $util.emptyArray;
   ProfileTypesResponse.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.profileTypes != null && message.profileTypes.length)
     for (let i = 0; i < message.profileTypes.length; ++i)
      $root.types.v1.ProfileType.encode(message.profileTypes[i], writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   ProfileTypesResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.querier.v1.ProfileTypesResponse();
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
       if (!(message.profileTypes && message.profileTypes.length))
        message.profileTypes = [];
       message.profileTypes.push($root.types.v1.ProfileType.decode(reader, reader.size(), $undefined, _depth + 1));
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
   return ProfileTypesResponse;
  })();
  v1.SeriesRequest = (function() {
   const SeriesRequest = function (properties) {
    this.matchers = [];
    this.labelNames = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   SeriesRequest.prototype.matchers = $util.emptyArray;
   SeriesRequest.prototype.labelNames = $util.emptyArray;
   SeriesRequest.prototype.start = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   SeriesRequest.prototype.end = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   SeriesRequest.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.matchers != null && message.matchers.length)
     for (let i = 0; i < message.matchers.length; ++i)
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.matchers[i]);
    if (message.labelNames != null && message.labelNames.length)
     for (let i = 0; i < message.labelNames.length; ++i)
      writer.uint32(/* id 2, wireType 2 =*/18).string(message.labelNames[i]);
    if (message.start != null && $Object.hasOwnProperty.call(message, "start") && (typeof message.start === "object" ? message.start.low || message.start.high : message.start !== 0))
     writer.uint32(/* id 3, wireType 0 =*/24).int64(message.start);
    if (message.end != null && $Object.hasOwnProperty.call(message, "end") && (typeof message.end === "object" ? message.end.low || message.end.high : message.end !== 0))
     writer.uint32(/* id 4, wireType 0 =*/32).int64(message.end);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   SeriesRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.querier.v1.SeriesRequest();
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
       if (!(message.matchers && message.matchers.length))
        message.matchers = [];
       message.matchers.push(reader.stringVerify());
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       if (!(message.labelNames && message.labelNames.length))
        message.labelNames = [];
       message.labelNames.push(reader.stringVerify());
       continue;
      }
     case 3: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.start = value;
       else
        delete message.start;
       continue;
      }
     case 4: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.end = value;
       else
        delete message.end;
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
   return SeriesRequest;
  })();
  v1.SeriesResponse = (function() {
   const SeriesResponse = function (properties) {
    this.labelsSet = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   SeriesResponse.prototype.labelsSet = $util.emptyArray;
   SeriesResponse.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.labelsSet != null && message.labelsSet.length)
     for (let i = 0; i < message.labelsSet.length; ++i)
      $root.types.v1.Labels.encode(message.labelsSet[i], writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   SeriesResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.querier.v1.SeriesResponse();
    while (reader.pos < end) {
     let start = reader.pos;
     let tag = reader.tag();
     if (tag === _end) {
      _end = $undefined;
      break;
     }
     let wireType = tag & 7;
     switch (tag >>>= 3) {
     case 2: {
       if (wireType !== 2)
        break;
       if (!(message.labelsSet && message.labelsSet.length))
        message.labelsSet = [];
       message.labelsSet.push($root.types.v1.Labels.decode(reader, reader.size(), $undefined, _depth + 1));
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
   return SeriesResponse;
  })();
  v1.ProfileFormat = (function() {
   const valuesById = $Object.create(null), values = $Object.create(valuesById);
   values[valuesById[0] = "PROFILE_FORMAT_UNSPECIFIED"] = 0;
   values[valuesById[1] = "PROFILE_FORMAT_FLAMEGRAPH"] = 1;
   values[valuesById[2] = "PROFILE_FORMAT_TREE"] = 2;
   values[valuesById[3] = "PROFILE_FORMAT_DOT"] = 3;
   values[valuesById[4] = "PROFILE_FORMAT_PPROF"] = 4;
   return values;
  })();
  v1.SelectMergeStacktracesRequest = (function() {
   const SelectMergeStacktracesRequest = function (properties) {
    this.profileIdSelector = [];
    this.traceIdSelector = [];
    this.spanSelector = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   SelectMergeStacktracesRequest.prototype.profileTypeID = "";
   SelectMergeStacktracesRequest.prototype.labelSelector = "";
   SelectMergeStacktracesRequest.prototype.start = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   SelectMergeStacktracesRequest.prototype.end = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   SelectMergeStacktracesRequest.prototype.maxNodes = null;
   SelectMergeStacktracesRequest.prototype.format = 0;
   SelectMergeStacktracesRequest.prototype.stackTraceSelector = null;
   SelectMergeStacktracesRequest.prototype.profileIdSelector = $util.emptyArray;
   SelectMergeStacktracesRequest.prototype.async = null;
   SelectMergeStacktracesRequest.prototype.traceIdSelector = $util.emptyArray;
   SelectMergeStacktracesRequest.prototype.spanSelector = $util.emptyArray;
   // OneOf field names bound to virtual getters and setters
   let $oneOfFields;
   // Virtual OneOf for proto3 optional field
   $Object.defineProperty(SelectMergeStacktracesRequest.prototype, "_maxNodes", {
    get: $util.oneOfGetter($oneOfFields = ["maxNodes"]),
    set: $util.oneOfSetter($oneOfFields)
   });
   // Virtual OneOf for proto3 optional field
   $Object.defineProperty(SelectMergeStacktracesRequest.prototype, "_stackTraceSelector", {
    get: $util.oneOfGetter($oneOfFields = ["stackTraceSelector"]),
    set: $util.oneOfSetter($oneOfFields)
   });
   SelectMergeStacktracesRequest.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.profileTypeID != null && $Object.hasOwnProperty.call(message, "profileTypeID") && message.profileTypeID !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.profileTypeID);
    if (message.labelSelector != null && $Object.hasOwnProperty.call(message, "labelSelector") && message.labelSelector !== "")
     writer.uint32(/* id 2, wireType 2 =*/18).string(message.labelSelector);
    if (message.start != null && $Object.hasOwnProperty.call(message, "start") && (typeof message.start === "object" ? message.start.low || message.start.high : message.start !== 0))
     writer.uint32(/* id 3, wireType 0 =*/24).int64(message.start);
    if (message.end != null && $Object.hasOwnProperty.call(message, "end") && (typeof message.end === "object" ? message.end.low || message.end.high : message.end !== 0))
     writer.uint32(/* id 4, wireType 0 =*/32).int64(message.end);
    if (message.maxNodes != null && $Object.hasOwnProperty.call(message, "maxNodes"))
     writer.uint32(/* id 5, wireType 0 =*/40).int64(message.maxNodes);
    if (message.format != null && $Object.hasOwnProperty.call(message, "format") && message.format !== 0)
     writer.uint32(/* id 6, wireType 0 =*/48).int32(message.format);
    if (message.stackTraceSelector != null && $Object.hasOwnProperty.call(message, "stackTraceSelector"))
     $root.types.v1.StackTraceSelector.encode(message.stackTraceSelector, writer.uint32(/* id 7, wireType 2 =*/58).fork(), _depth + 1).ldelim();
    if (message.profileIdSelector != null && message.profileIdSelector.length)
     for (let i = 0; i < message.profileIdSelector.length; ++i)
      writer.uint32(/* id 8, wireType 2 =*/66).string(message.profileIdSelector[i]);
    if (message.async != null && $Object.hasOwnProperty.call(message, "async"))
     $root.querier.v1.AsyncQueryRequest.encode(message.async, writer.uint32(/* id 9, wireType 2 =*/74).fork(), _depth + 1).ldelim();
    if (message.traceIdSelector != null && message.traceIdSelector.length)
     for (let i = 0; i < message.traceIdSelector.length; ++i)
      writer.uint32(/* id 10, wireType 2 =*/82).string(message.traceIdSelector[i]);
    if (message.spanSelector != null && message.spanSelector.length)
     for (let i = 0; i < message.spanSelector.length; ++i)
      writer.uint32(/* id 11, wireType 2 =*/90).string(message.spanSelector[i]);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   SelectMergeStacktracesRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.querier.v1.SelectMergeStacktracesRequest();
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
        message.profileTypeID = value;
       else
        delete message.profileTypeID;
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       if ((value = reader.stringVerify()).length)
        message.labelSelector = value;
       else
        delete message.labelSelector;
       continue;
      }
     case 3: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.start = value;
       else
        delete message.start;
       continue;
      }
     case 4: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.end = value;
       else
        delete message.end;
       continue;
      }
     case 5: {
       if (wireType !== 0)
        break;
       message.maxNodes = reader.int64();
       message._maxNodes = "maxNodes";
       continue;
      }
     case 6: {
       if (wireType !== 0)
        break;
       if (value = reader.int32())
        message.format = value;
       else
        delete message.format;
       continue;
      }
     case 7: {
       if (wireType !== 2)
        break;
       message.stackTraceSelector = $root.types.v1.StackTraceSelector.decode(reader, reader.size(), $undefined, _depth + 1, message.stackTraceSelector);
       message._stackTraceSelector = "stackTraceSelector";
       continue;
      }
     case 8: {
       if (wireType !== 2)
        break;
       if (!(message.profileIdSelector && message.profileIdSelector.length))
        message.profileIdSelector = [];
       message.profileIdSelector.push(reader.stringVerify());
       continue;
      }
     case 9: {
       if (wireType !== 2)
        break;
       message.async = $root.querier.v1.AsyncQueryRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.async);
       continue;
      }
     case 10: {
       if (wireType !== 2)
        break;
       if (!(message.traceIdSelector && message.traceIdSelector.length))
        message.traceIdSelector = [];
       message.traceIdSelector.push(reader.stringVerify());
       continue;
      }
     case 11: {
       if (wireType !== 2)
        break;
       if (!(message.spanSelector && message.spanSelector.length))
        message.spanSelector = [];
       message.spanSelector.push(reader.stringVerify());
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
   return SelectMergeStacktracesRequest;
  })();
  v1.AsyncQueryRequest = (function() {
   const AsyncQueryRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   AsyncQueryRequest.prototype.requestId = "";
   AsyncQueryRequest.prototype.type = 0;
   AsyncQueryRequest.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.requestId != null && $Object.hasOwnProperty.call(message, "requestId") && message.requestId !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.requestId);
    if (message.type != null && $Object.hasOwnProperty.call(message, "type") && message.type !== 0)
     writer.uint32(/* id 2, wireType 0 =*/16).int32(message.type);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   AsyncQueryRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.querier.v1.AsyncQueryRequest();
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
        message.requestId = value;
       else
        delete message.requestId;
       continue;
      }
     case 2: {
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
   return AsyncQueryRequest;
  })();
  v1.SelectMergeStacktracesResponse = (function() {
   const SelectMergeStacktracesResponse = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   SelectMergeStacktracesResponse.prototype.flamegraph = null;
   SelectMergeStacktracesResponse.prototype.tree = $util.newBuffer([]);
   SelectMergeStacktracesResponse.prototype.dot = "";
   SelectMergeStacktracesResponse.prototype.pprof = null;
   SelectMergeStacktracesResponse.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.flamegraph != null && $Object.hasOwnProperty.call(message, "flamegraph"))
     $root.querier.v1.FlameGraph.encode(message.flamegraph, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
    if (message.tree != null && $Object.hasOwnProperty.call(message, "tree") && message.tree.length)
     writer.uint32(/* id 2, wireType 2 =*/18).bytes(message.tree);
    if (message.dot != null && $Object.hasOwnProperty.call(message, "dot") && message.dot !== "")
     writer.uint32(/* id 3, wireType 2 =*/26).string(message.dot);
    if (message.pprof != null && $Object.hasOwnProperty.call(message, "pprof"))
     $root.querier.v1.PprofProfile.encode(message.pprof, writer.uint32(/* id 5, wireType 2 =*/42).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   SelectMergeStacktracesResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.querier.v1.SelectMergeStacktracesResponse();
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
       message.flamegraph = $root.querier.v1.FlameGraph.decode(reader, reader.size(), $undefined, _depth + 1, message.flamegraph);
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       if ((value = reader.bytes()).length)
        message.tree = value;
       else
        delete message.tree;
       continue;
      }
     case 3: {
       if (wireType !== 2)
        break;
       if ((value = reader.stringVerify()).length)
        message.dot = value;
       else
        delete message.dot;
       continue;
      }
     case 5: {
       if (wireType !== 2)
        break;
       message.pprof = $root.querier.v1.PprofProfile.decode(reader, reader.size(), $undefined, _depth + 1, message.pprof);
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
   return SelectMergeStacktracesResponse;
  })();
  v1.PprofProfile = (function() {
   const PprofProfile = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   PprofProfile.prototype.profile = null;
   PprofProfile.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.profile != null && $Object.hasOwnProperty.call(message, "profile"))
     $root.google.v1.Profile.encode(message.profile, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   PprofProfile.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.querier.v1.PprofProfile();
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
       message.profile = $root.google.v1.Profile.decode(reader, reader.size(), $undefined, _depth + 1, message.profile);
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
   return PprofProfile;
  })();
  v1.SelectMergeSpanProfileRequest = (function() {
   const SelectMergeSpanProfileRequest = function (properties) {
    this.spanSelector = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   SelectMergeSpanProfileRequest.prototype.profileTypeID = "";
   SelectMergeSpanProfileRequest.prototype.labelSelector = "";
   SelectMergeSpanProfileRequest.prototype.spanSelector = $util.emptyArray;
   SelectMergeSpanProfileRequest.prototype.start = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   SelectMergeSpanProfileRequest.prototype.end = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   SelectMergeSpanProfileRequest.prototype.maxNodes = null;
   SelectMergeSpanProfileRequest.prototype.format = 0;
   // OneOf field names bound to virtual getters and setters
   let $oneOfFields;
   // Virtual OneOf for proto3 optional field
   $Object.defineProperty(SelectMergeSpanProfileRequest.prototype, "_maxNodes", {
    get: $util.oneOfGetter($oneOfFields = ["maxNodes"]),
    set: $util.oneOfSetter($oneOfFields)
   });
   SelectMergeSpanProfileRequest.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.profileTypeID != null && $Object.hasOwnProperty.call(message, "profileTypeID") && message.profileTypeID !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.profileTypeID);
    if (message.labelSelector != null && $Object.hasOwnProperty.call(message, "labelSelector") && message.labelSelector !== "")
     writer.uint32(/* id 2, wireType 2 =*/18).string(message.labelSelector);
    if (message.spanSelector != null && message.spanSelector.length)
     for (let i = 0; i < message.spanSelector.length; ++i)
      writer.uint32(/* id 3, wireType 2 =*/26).string(message.spanSelector[i]);
    if (message.start != null && $Object.hasOwnProperty.call(message, "start") && (typeof message.start === "object" ? message.start.low || message.start.high : message.start !== 0))
     writer.uint32(/* id 4, wireType 0 =*/32).int64(message.start);
    if (message.end != null && $Object.hasOwnProperty.call(message, "end") && (typeof message.end === "object" ? message.end.low || message.end.high : message.end !== 0))
     writer.uint32(/* id 5, wireType 0 =*/40).int64(message.end);
    if (message.maxNodes != null && $Object.hasOwnProperty.call(message, "maxNodes"))
     writer.uint32(/* id 6, wireType 0 =*/48).int64(message.maxNodes);
    if (message.format != null && $Object.hasOwnProperty.call(message, "format") && message.format !== 0)
     writer.uint32(/* id 7, wireType 0 =*/56).int32(message.format);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   SelectMergeSpanProfileRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.querier.v1.SelectMergeSpanProfileRequest();
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
        message.profileTypeID = value;
       else
        delete message.profileTypeID;
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       if ((value = reader.stringVerify()).length)
        message.labelSelector = value;
       else
        delete message.labelSelector;
       continue;
      }
     case 3: {
       if (wireType !== 2)
        break;
       if (!(message.spanSelector && message.spanSelector.length))
        message.spanSelector = [];
       message.spanSelector.push(reader.stringVerify());
       continue;
      }
     case 4: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.start = value;
       else
        delete message.start;
       continue;
      }
     case 5: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.end = value;
       else
        delete message.end;
       continue;
      }
     case 6: {
       if (wireType !== 0)
        break;
       message.maxNodes = reader.int64();
       message._maxNodes = "maxNodes";
       continue;
      }
     case 7: {
       if (wireType !== 0)
        break;
       if (value = reader.int32())
        message.format = value;
       else
        delete message.format;
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
   return SelectMergeSpanProfileRequest;
  })();
  v1.SelectMergeSpanProfileResponse = (function() {
   const SelectMergeSpanProfileResponse = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   SelectMergeSpanProfileResponse.prototype.flamegraph = null;
   SelectMergeSpanProfileResponse.prototype.tree = $util.newBuffer([]);
   SelectMergeSpanProfileResponse.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.flamegraph != null && $Object.hasOwnProperty.call(message, "flamegraph"))
     $root.querier.v1.FlameGraph.encode(message.flamegraph, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
    if (message.tree != null && $Object.hasOwnProperty.call(message, "tree") && message.tree.length)
     writer.uint32(/* id 2, wireType 2 =*/18).bytes(message.tree);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   SelectMergeSpanProfileResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.querier.v1.SelectMergeSpanProfileResponse();
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
       message.flamegraph = $root.querier.v1.FlameGraph.decode(reader, reader.size(), $undefined, _depth + 1, message.flamegraph);
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       if ((value = reader.bytes()).length)
        message.tree = value;
       else
        delete message.tree;
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
   return SelectMergeSpanProfileResponse;
  })();
  v1.DiffRequest = (function() {
   const DiffRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   DiffRequest.prototype.left = null;
   DiffRequest.prototype.right = null;
   // OneOf field names bound to virtual getters and setters
   let $oneOfFields;
   // Virtual OneOf for proto3 optional field
   $Object.defineProperty(DiffRequest.prototype, "_left", {
    get: $util.oneOfGetter($oneOfFields = ["left"]),
    set: $util.oneOfSetter($oneOfFields)
   });
   // Virtual OneOf for proto3 optional field
   $Object.defineProperty(DiffRequest.prototype, "_right", {
    get: $util.oneOfGetter($oneOfFields = ["right"]),
    set: $util.oneOfSetter($oneOfFields)
   });
   DiffRequest.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.left != null && $Object.hasOwnProperty.call(message, "left"))
     $root.querier.v1.SelectMergeStacktracesRequest.encode(message.left, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
    if (message.right != null && $Object.hasOwnProperty.call(message, "right"))
     $root.querier.v1.SelectMergeStacktracesRequest.encode(message.right, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   DiffRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.querier.v1.DiffRequest();
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
       message.left = $root.querier.v1.SelectMergeStacktracesRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.left);
       message._left = "left";
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       message.right = $root.querier.v1.SelectMergeStacktracesRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.right);
       message._right = "right";
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
   return DiffRequest;
  })();
  v1.DiffResponse = (function() {
   const DiffResponse = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   DiffResponse.prototype.flamegraph = null;
   DiffResponse.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.flamegraph != null && $Object.hasOwnProperty.call(message, "flamegraph"))
     $root.querier.v1.FlameGraphDiff.encode(message.flamegraph, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   DiffResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.querier.v1.DiffResponse();
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
       message.flamegraph = $root.querier.v1.FlameGraphDiff.decode(reader, reader.size(), $undefined, _depth + 1, message.flamegraph);
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
   return DiffResponse;
  })();
  v1.FlameGraph = (function() {
   const FlameGraph = function (properties) {
    this.names = [];
    this.levels = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   FlameGraph.prototype.names = $util.emptyArray;
   FlameGraph.prototype.levels = $util.emptyArray;
   FlameGraph.prototype.total = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   FlameGraph.prototype.maxSelf = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   FlameGraph.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.names != null && message.names.length)
     for (let i = 0; i < message.names.length; ++i)
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.names[i]);
    if (message.levels != null && message.levels.length)
     for (let i = 0; i < message.levels.length; ++i)
      $root.querier.v1.Level.encode(message.levels[i], writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
    if (message.total != null && $Object.hasOwnProperty.call(message, "total") && (typeof message.total === "object" ? message.total.low || message.total.high : message.total !== 0))
     writer.uint32(/* id 3, wireType 0 =*/24).int64(message.total);
    if (message.maxSelf != null && $Object.hasOwnProperty.call(message, "maxSelf") && (typeof message.maxSelf === "object" ? message.maxSelf.low || message.maxSelf.high : message.maxSelf !== 0))
     writer.uint32(/* id 4, wireType 0 =*/32).int64(message.maxSelf);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   FlameGraph.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.querier.v1.FlameGraph();
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
       if (!(message.names && message.names.length))
        message.names = [];
       message.names.push(reader.stringVerify());
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       if (!(message.levels && message.levels.length))
        message.levels = [];
       message.levels.push($root.querier.v1.Level.decode(reader, reader.size(), $undefined, _depth + 1));
       continue;
      }
     case 3: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.total = value;
       else
        delete message.total;
       continue;
      }
     case 4: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.maxSelf = value;
       else
        delete message.maxSelf;
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
   return FlameGraph;
  })();
  v1.FlameGraphDiff = (function() {
   const FlameGraphDiff = function (properties) {
    this.names = [];
    this.levels = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   FlameGraphDiff.prototype.names = $util.emptyArray;
   FlameGraphDiff.prototype.levels = $util.emptyArray;
   FlameGraphDiff.prototype.total = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   FlameGraphDiff.prototype.maxSelf = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   FlameGraphDiff.prototype.leftTicks = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   FlameGraphDiff.prototype.rightTicks = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   FlameGraphDiff.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.names != null && message.names.length)
     for (let i = 0; i < message.names.length; ++i)
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.names[i]);
    if (message.levels != null && message.levels.length)
     for (let i = 0; i < message.levels.length; ++i)
      $root.querier.v1.Level.encode(message.levels[i], writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
    if (message.total != null && $Object.hasOwnProperty.call(message, "total") && (typeof message.total === "object" ? message.total.low || message.total.high : message.total !== 0))
     writer.uint32(/* id 3, wireType 0 =*/24).int64(message.total);
    if (message.maxSelf != null && $Object.hasOwnProperty.call(message, "maxSelf") && (typeof message.maxSelf === "object" ? message.maxSelf.low || message.maxSelf.high : message.maxSelf !== 0))
     writer.uint32(/* id 4, wireType 0 =*/32).int64(message.maxSelf);
    if (message.leftTicks != null && $Object.hasOwnProperty.call(message, "leftTicks") && (typeof message.leftTicks === "object" ? message.leftTicks.low || message.leftTicks.high : message.leftTicks !== 0))
     writer.uint32(/* id 5, wireType 0 =*/40).int64(message.leftTicks);
    if (message.rightTicks != null && $Object.hasOwnProperty.call(message, "rightTicks") && (typeof message.rightTicks === "object" ? message.rightTicks.low || message.rightTicks.high : message.rightTicks !== 0))
     writer.uint32(/* id 6, wireType 0 =*/48).int64(message.rightTicks);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   FlameGraphDiff.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.querier.v1.FlameGraphDiff();
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
       if (!(message.names && message.names.length))
        message.names = [];
       message.names.push(reader.stringVerify());
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       if (!(message.levels && message.levels.length))
        message.levels = [];
       message.levels.push($root.querier.v1.Level.decode(reader, reader.size(), $undefined, _depth + 1));
       continue;
      }
     case 3: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.total = value;
       else
        delete message.total;
       continue;
      }
     case 4: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.maxSelf = value;
       else
        delete message.maxSelf;
       continue;
      }
     case 5: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.leftTicks = value;
       else
        delete message.leftTicks;
       continue;
      }
     case 6: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.rightTicks = value;
       else
        delete message.rightTicks;
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
   return FlameGraphDiff;
  })();
  v1.Level = (function() {
   const Level = function (properties) {
    this.values = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   Level.prototype.values = $util.emptyArray;
   Level.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.values != null && message.values.length)
     writer.uint32(/* id 1, wireType 2 =*/10).int64s(message.values);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   Level.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.querier.v1.Level();
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
       if (wireType === 2) {
        if (!(message.values && message.values.length))
         message.values = [];
        reader.int64s(message.values);
        continue;
       }
       if (wireType !== 0)
        break;
       if (!(message.values && message.values.length))
        message.values = [];
       message.values.push(reader.int64());
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
   return Level;
  })();
  v1.SelectMergeProfileRequest = (function() {
   const SelectMergeProfileRequest = function (properties) {
    this.profileIdSelector = [];
    this.traceIdSelector = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   SelectMergeProfileRequest.prototype.profileTypeID = "";
   SelectMergeProfileRequest.prototype.labelSelector = "";
   SelectMergeProfileRequest.prototype.start = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   SelectMergeProfileRequest.prototype.end = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   SelectMergeProfileRequest.prototype.maxNodes = null;
   SelectMergeProfileRequest.prototype.stackTraceSelector = null;
   SelectMergeProfileRequest.prototype.profileIdSelector = $util.emptyArray;
   SelectMergeProfileRequest.prototype.traceIdSelector = $util.emptyArray;
   // OneOf field names bound to virtual getters and setters
   let $oneOfFields;
   // Virtual OneOf for proto3 optional field
   $Object.defineProperty(SelectMergeProfileRequest.prototype, "_maxNodes", {
    get: $util.oneOfGetter($oneOfFields = ["maxNodes"]),
    set: $util.oneOfSetter($oneOfFields)
   });
   // Virtual OneOf for proto3 optional field
   $Object.defineProperty(SelectMergeProfileRequest.prototype, "_stackTraceSelector", {
    get: $util.oneOfGetter($oneOfFields = ["stackTraceSelector"]),
    set: $util.oneOfSetter($oneOfFields)
   });
   SelectMergeProfileRequest.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.profileTypeID != null && $Object.hasOwnProperty.call(message, "profileTypeID") && message.profileTypeID !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.profileTypeID);
    if (message.labelSelector != null && $Object.hasOwnProperty.call(message, "labelSelector") && message.labelSelector !== "")
     writer.uint32(/* id 2, wireType 2 =*/18).string(message.labelSelector);
    if (message.start != null && $Object.hasOwnProperty.call(message, "start") && (typeof message.start === "object" ? message.start.low || message.start.high : message.start !== 0))
     writer.uint32(/* id 3, wireType 0 =*/24).int64(message.start);
    if (message.end != null && $Object.hasOwnProperty.call(message, "end") && (typeof message.end === "object" ? message.end.low || message.end.high : message.end !== 0))
     writer.uint32(/* id 4, wireType 0 =*/32).int64(message.end);
    if (message.maxNodes != null && $Object.hasOwnProperty.call(message, "maxNodes"))
     writer.uint32(/* id 5, wireType 0 =*/40).int64(message.maxNodes);
    if (message.stackTraceSelector != null && $Object.hasOwnProperty.call(message, "stackTraceSelector"))
     $root.types.v1.StackTraceSelector.encode(message.stackTraceSelector, writer.uint32(/* id 6, wireType 2 =*/50).fork(), _depth + 1).ldelim();
    if (message.profileIdSelector != null && message.profileIdSelector.length)
     for (let i = 0; i < message.profileIdSelector.length; ++i)
      writer.uint32(/* id 7, wireType 2 =*/58).string(message.profileIdSelector[i]);
    if (message.traceIdSelector != null && message.traceIdSelector.length)
     for (let i = 0; i < message.traceIdSelector.length; ++i)
      writer.uint32(/* id 8, wireType 2 =*/66).string(message.traceIdSelector[i]);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   SelectMergeProfileRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.querier.v1.SelectMergeProfileRequest();
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
        message.profileTypeID = value;
       else
        delete message.profileTypeID;
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       if ((value = reader.stringVerify()).length)
        message.labelSelector = value;
       else
        delete message.labelSelector;
       continue;
      }
     case 3: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.start = value;
       else
        delete message.start;
       continue;
      }
     case 4: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.end = value;
       else
        delete message.end;
       continue;
      }
     case 5: {
       if (wireType !== 0)
        break;
       message.maxNodes = reader.int64();
       message._maxNodes = "maxNodes";
       continue;
      }
     case 6: {
       if (wireType !== 2)
        break;
       message.stackTraceSelector = $root.types.v1.StackTraceSelector.decode(reader, reader.size(), $undefined, _depth + 1, message.stackTraceSelector);
       message._stackTraceSelector = "stackTraceSelector";
       continue;
      }
     case 7: {
       if (wireType !== 2)
        break;
       if (!(message.profileIdSelector && message.profileIdSelector.length))
        message.profileIdSelector = [];
       message.profileIdSelector.push(reader.stringVerify());
       continue;
      }
     case 8: {
       if (wireType !== 2)
        break;
       if (!(message.traceIdSelector && message.traceIdSelector.length))
        message.traceIdSelector = [];
       message.traceIdSelector.push(reader.stringVerify());
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
   return SelectMergeProfileRequest;
  })();
  v1.SelectSeriesRequest = (function() {
   const SelectSeriesRequest = function (properties) {
    this.groupBy = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   SelectSeriesRequest.prototype.profileTypeID = "";
   SelectSeriesRequest.prototype.labelSelector = "";
   SelectSeriesRequest.prototype.start = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   SelectSeriesRequest.prototype.end = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   SelectSeriesRequest.prototype.groupBy = $util.emptyArray;
   SelectSeriesRequest.prototype.step = 0;
   SelectSeriesRequest.prototype.aggregation = null;
   SelectSeriesRequest.prototype.stackTraceSelector = null;
   SelectSeriesRequest.prototype.limit = null;
   SelectSeriesRequest.prototype.exemplarType = 0;
   // OneOf field names bound to virtual getters and setters
   let $oneOfFields;
   // Virtual OneOf for proto3 optional field
   $Object.defineProperty(SelectSeriesRequest.prototype, "_aggregation", {
    get: $util.oneOfGetter($oneOfFields = ["aggregation"]),
    set: $util.oneOfSetter($oneOfFields)
   });
   // Virtual OneOf for proto3 optional field
   $Object.defineProperty(SelectSeriesRequest.prototype, "_stackTraceSelector", {
    get: $util.oneOfGetter($oneOfFields = ["stackTraceSelector"]),
    set: $util.oneOfSetter($oneOfFields)
   });
   // Virtual OneOf for proto3 optional field
   $Object.defineProperty(SelectSeriesRequest.prototype, "_limit", {
    get: $util.oneOfGetter($oneOfFields = ["limit"]),
    set: $util.oneOfSetter($oneOfFields)
   });
   SelectSeriesRequest.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.profileTypeID != null && $Object.hasOwnProperty.call(message, "profileTypeID") && message.profileTypeID !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.profileTypeID);
    if (message.labelSelector != null && $Object.hasOwnProperty.call(message, "labelSelector") && message.labelSelector !== "")
     writer.uint32(/* id 2, wireType 2 =*/18).string(message.labelSelector);
    if (message.start != null && $Object.hasOwnProperty.call(message, "start") && (typeof message.start === "object" ? message.start.low || message.start.high : message.start !== 0))
     writer.uint32(/* id 3, wireType 0 =*/24).int64(message.start);
    if (message.end != null && $Object.hasOwnProperty.call(message, "end") && (typeof message.end === "object" ? message.end.low || message.end.high : message.end !== 0))
     writer.uint32(/* id 4, wireType 0 =*/32).int64(message.end);
    if (message.groupBy != null && message.groupBy.length)
     for (let i = 0; i < message.groupBy.length; ++i)
      writer.uint32(/* id 5, wireType 2 =*/42).string(message.groupBy[i]);
    if (message.step != null && $Object.hasOwnProperty.call(message, "step") && !$Object.is(message.step, 0))
     writer.uint32(/* id 6, wireType 1 =*/49).double(message.step);
    if (message.aggregation != null && $Object.hasOwnProperty.call(message, "aggregation"))
     writer.uint32(/* id 7, wireType 0 =*/56).int32(message.aggregation);
    if (message.stackTraceSelector != null && $Object.hasOwnProperty.call(message, "stackTraceSelector"))
     $root.types.v1.StackTraceSelector.encode(message.stackTraceSelector, writer.uint32(/* id 8, wireType 2 =*/66).fork(), _depth + 1).ldelim();
    if (message.limit != null && $Object.hasOwnProperty.call(message, "limit"))
     writer.uint32(/* id 9, wireType 0 =*/72).int64(message.limit);
    if (message.exemplarType != null && $Object.hasOwnProperty.call(message, "exemplarType") && message.exemplarType !== 0)
     writer.uint32(/* id 10, wireType 0 =*/80).int32(message.exemplarType);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   SelectSeriesRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.querier.v1.SelectSeriesRequest();
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
        message.profileTypeID = value;
       else
        delete message.profileTypeID;
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       if ((value = reader.stringVerify()).length)
        message.labelSelector = value;
       else
        delete message.labelSelector;
       continue;
      }
     case 3: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.start = value;
       else
        delete message.start;
       continue;
      }
     case 4: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.end = value;
       else
        delete message.end;
       continue;
      }
     case 5: {
       if (wireType !== 2)
        break;
       if (!(message.groupBy && message.groupBy.length))
        message.groupBy = [];
       message.groupBy.push(reader.stringVerify());
       continue;
      }
     case 6: {
       if (wireType !== 1)
        break;
       if (!$Object.is(value = reader.double(), 0))
        message.step = value;
       else
        delete message.step;
       continue;
      }
     case 7: {
       if (wireType !== 0)
        break;
       message.aggregation = reader.int32();
       message._aggregation = "aggregation";
       continue;
      }
     case 8: {
       if (wireType !== 2)
        break;
       message.stackTraceSelector = $root.types.v1.StackTraceSelector.decode(reader, reader.size(), $undefined, _depth + 1, message.stackTraceSelector);
       message._stackTraceSelector = "stackTraceSelector";
       continue;
      }
     case 9: {
       if (wireType !== 0)
        break;
       message.limit = reader.int64();
       message._limit = "limit";
       continue;
      }
     case 10: {
       if (wireType !== 0)
        break;
       if (value = reader.int32())
        message.exemplarType = value;
       else
        delete message.exemplarType;
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
   return SelectSeriesRequest;
  })();
  v1.SelectSeriesResponse = (function() {
   const SelectSeriesResponse = function (properties) {
    this.series = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   SelectSeriesResponse.prototype.series = $util.emptyArray;
   SelectSeriesResponse.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.series != null && message.series.length)
     for (let i = 0; i < message.series.length; ++i)
      $root.types.v1.Series.encode(message.series[i], writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   SelectSeriesResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.querier.v1.SelectSeriesResponse();
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
       message.series.push($root.types.v1.Series.decode(reader, reader.size(), $undefined, _depth + 1));
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
   return SelectSeriesResponse;
  })();
  v1.HeatmapQueryType = (function() {
   const valuesById = $Object.create(null), values = $Object.create(valuesById);
   values[valuesById[0] = "HEATMAP_QUERY_TYPE_UNSPECIFIED"] = 0;
   values[valuesById[1] = "HEATMAP_QUERY_TYPE_INDIVIDUAL"] = 1;
   values[valuesById[2] = "HEATMAP_QUERY_TYPE_SPAN"] = 2;
   return values;
  })();
  v1.SelectHeatmapRequest = (function() {
   const SelectHeatmapRequest = function (properties) {
    this.groupBy = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   SelectHeatmapRequest.prototype.profileTypeID = "";
   SelectHeatmapRequest.prototype.labelSelector = "";
   SelectHeatmapRequest.prototype.start = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   SelectHeatmapRequest.prototype.end = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   SelectHeatmapRequest.prototype.step = 0;
   SelectHeatmapRequest.prototype.groupBy = $util.emptyArray;
   SelectHeatmapRequest.prototype.queryType = 0;
   SelectHeatmapRequest.prototype.exemplarType = 0;
   SelectHeatmapRequest.prototype.limit = null;
   // OneOf field names bound to virtual getters and setters
   let $oneOfFields;
   // Virtual OneOf for proto3 optional field
   $Object.defineProperty(SelectHeatmapRequest.prototype, "_limit", {
    get: $util.oneOfGetter($oneOfFields = ["limit"]),
    set: $util.oneOfSetter($oneOfFields)
   });
   SelectHeatmapRequest.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.profileTypeID != null && $Object.hasOwnProperty.call(message, "profileTypeID") && message.profileTypeID !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.profileTypeID);
    if (message.labelSelector != null && $Object.hasOwnProperty.call(message, "labelSelector") && message.labelSelector !== "")
     writer.uint32(/* id 2, wireType 2 =*/18).string(message.labelSelector);
    if (message.start != null && $Object.hasOwnProperty.call(message, "start") && (typeof message.start === "object" ? message.start.low || message.start.high : message.start !== 0))
     writer.uint32(/* id 3, wireType 0 =*/24).int64(message.start);
    if (message.end != null && $Object.hasOwnProperty.call(message, "end") && (typeof message.end === "object" ? message.end.low || message.end.high : message.end !== 0))
     writer.uint32(/* id 4, wireType 0 =*/32).int64(message.end);
    if (message.step != null && $Object.hasOwnProperty.call(message, "step") && !$Object.is(message.step, 0))
     writer.uint32(/* id 5, wireType 1 =*/41).double(message.step);
    if (message.groupBy != null && message.groupBy.length)
     for (let i = 0; i < message.groupBy.length; ++i)
      writer.uint32(/* id 6, wireType 2 =*/50).string(message.groupBy[i]);
    if (message.queryType != null && $Object.hasOwnProperty.call(message, "queryType") && message.queryType !== 0)
     writer.uint32(/* id 7, wireType 0 =*/56).int32(message.queryType);
    if (message.exemplarType != null && $Object.hasOwnProperty.call(message, "exemplarType") && message.exemplarType !== 0)
     writer.uint32(/* id 8, wireType 0 =*/64).int32(message.exemplarType);
    if (message.limit != null && $Object.hasOwnProperty.call(message, "limit"))
     writer.uint32(/* id 9, wireType 0 =*/72).int64(message.limit);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   SelectHeatmapRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.querier.v1.SelectHeatmapRequest();
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
        message.profileTypeID = value;
       else
        delete message.profileTypeID;
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       if ((value = reader.stringVerify()).length)
        message.labelSelector = value;
       else
        delete message.labelSelector;
       continue;
      }
     case 3: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.start = value;
       else
        delete message.start;
       continue;
      }
     case 4: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.end = value;
       else
        delete message.end;
       continue;
      }
     case 5: {
       if (wireType !== 1)
        break;
       if (!$Object.is(value = reader.double(), 0))
        message.step = value;
       else
        delete message.step;
       continue;
      }
     case 6: {
       if (wireType !== 2)
        break;
       if (!(message.groupBy && message.groupBy.length))
        message.groupBy = [];
       message.groupBy.push(reader.stringVerify());
       continue;
      }
     case 7: {
       if (wireType !== 0)
        break;
       if (value = reader.int32())
        message.queryType = value;
       else
        delete message.queryType;
       continue;
      }
     case 8: {
       if (wireType !== 0)
        break;
       if (value = reader.int32())
        message.exemplarType = value;
       else
        delete message.exemplarType;
       continue;
      }
     case 9: {
       if (wireType !== 0)
        break;
       message.limit = reader.int64();
       message._limit = "limit";
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
   return SelectHeatmapRequest;
  })();
  v1.SelectHeatmapResponse = (function() {
   const SelectHeatmapResponse = function (properties) {
    this.series = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   SelectHeatmapResponse.prototype.series = $util.emptyArray;
   SelectHeatmapResponse.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.series != null && message.series.length)
     for (let i = 0; i < message.series.length; ++i)
      $root.types.v1.HeatmapSeries.encode(message.series[i], writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   SelectHeatmapResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.querier.v1.SelectHeatmapResponse();
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
       message.series.push($root.types.v1.HeatmapSeries.decode(reader, reader.size(), $undefined, _depth + 1));
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
   return SelectHeatmapResponse;
  })();
  v1.AnalyzeQueryRequest = (function() {
   const AnalyzeQueryRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   AnalyzeQueryRequest.prototype.start = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   AnalyzeQueryRequest.prototype.end = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   AnalyzeQueryRequest.prototype.query = "";
   AnalyzeQueryRequest.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.start != null && $Object.hasOwnProperty.call(message, "start") && (typeof message.start === "object" ? message.start.low || message.start.high : message.start !== 0))
     writer.uint32(/* id 2, wireType 0 =*/16).int64(message.start);
    if (message.end != null && $Object.hasOwnProperty.call(message, "end") && (typeof message.end === "object" ? message.end.low || message.end.high : message.end !== 0))
     writer.uint32(/* id 3, wireType 0 =*/24).int64(message.end);
    if (message.query != null && $Object.hasOwnProperty.call(message, "query") && message.query !== "")
     writer.uint32(/* id 4, wireType 2 =*/34).string(message.query);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   AnalyzeQueryRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.querier.v1.AnalyzeQueryRequest();
    while (reader.pos < end) {
     let start = reader.pos;
     let tag = reader.tag();
     if (tag === _end) {
      _end = $undefined;
      break;
     }
     let wireType = tag & 7;
     switch (tag >>>= 3) {
     case 2: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.start = value;
       else
        delete message.start;
       continue;
      }
     case 3: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.end = value;
       else
        delete message.end;
       continue;
      }
     case 4: {
       if (wireType !== 2)
        break;
       if ((value = reader.stringVerify()).length)
        message.query = value;
       else
        delete message.query;
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
   return AnalyzeQueryRequest;
  })();
  v1.AnalyzeQueryResponse = (function() {
   const AnalyzeQueryResponse = function (properties) {
    this.queryScopes = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   AnalyzeQueryResponse.prototype.queryScopes = $util.emptyArray;
   AnalyzeQueryResponse.prototype.queryImpact = null;
   AnalyzeQueryResponse.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.queryScopes != null && message.queryScopes.length)
     for (let i = 0; i < message.queryScopes.length; ++i)
      $root.querier.v1.QueryScope.encode(message.queryScopes[i], writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
    if (message.queryImpact != null && $Object.hasOwnProperty.call(message, "queryImpact"))
     $root.querier.v1.QueryImpact.encode(message.queryImpact, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   AnalyzeQueryResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.querier.v1.AnalyzeQueryResponse();
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
       if (!(message.queryScopes && message.queryScopes.length))
        message.queryScopes = [];
       message.queryScopes.push($root.querier.v1.QueryScope.decode(reader, reader.size(), $undefined, _depth + 1));
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       message.queryImpact = $root.querier.v1.QueryImpact.decode(reader, reader.size(), $undefined, _depth + 1, message.queryImpact);
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
   return AnalyzeQueryResponse;
  })();
  v1.QueryScope = (function() {
   const QueryScope = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   QueryScope.prototype.componentType = "";
   QueryScope.prototype.componentCount = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   QueryScope.prototype.blockCount = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   QueryScope.prototype.seriesCount = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   QueryScope.prototype.profileCount = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   QueryScope.prototype.sampleCount = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   QueryScope.prototype.indexBytes = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   QueryScope.prototype.profileBytes = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   QueryScope.prototype.symbolBytes = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   QueryScope.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.componentType != null && $Object.hasOwnProperty.call(message, "componentType") && message.componentType !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.componentType);
    if (message.componentCount != null && $Object.hasOwnProperty.call(message, "componentCount") && (typeof message.componentCount === "object" ? message.componentCount.low || message.componentCount.high : message.componentCount !== 0))
     writer.uint32(/* id 2, wireType 0 =*/16).uint64(message.componentCount);
    if (message.blockCount != null && $Object.hasOwnProperty.call(message, "blockCount") && (typeof message.blockCount === "object" ? message.blockCount.low || message.blockCount.high : message.blockCount !== 0))
     writer.uint32(/* id 3, wireType 0 =*/24).uint64(message.blockCount);
    if (message.seriesCount != null && $Object.hasOwnProperty.call(message, "seriesCount") && (typeof message.seriesCount === "object" ? message.seriesCount.low || message.seriesCount.high : message.seriesCount !== 0))
     writer.uint32(/* id 4, wireType 0 =*/32).uint64(message.seriesCount);
    if (message.profileCount != null && $Object.hasOwnProperty.call(message, "profileCount") && (typeof message.profileCount === "object" ? message.profileCount.low || message.profileCount.high : message.profileCount !== 0))
     writer.uint32(/* id 5, wireType 0 =*/40).uint64(message.profileCount);
    if (message.sampleCount != null && $Object.hasOwnProperty.call(message, "sampleCount") && (typeof message.sampleCount === "object" ? message.sampleCount.low || message.sampleCount.high : message.sampleCount !== 0))
     writer.uint32(/* id 6, wireType 0 =*/48).uint64(message.sampleCount);
    if (message.indexBytes != null && $Object.hasOwnProperty.call(message, "indexBytes") && (typeof message.indexBytes === "object" ? message.indexBytes.low || message.indexBytes.high : message.indexBytes !== 0))
     writer.uint32(/* id 7, wireType 0 =*/56).uint64(message.indexBytes);
    if (message.profileBytes != null && $Object.hasOwnProperty.call(message, "profileBytes") && (typeof message.profileBytes === "object" ? message.profileBytes.low || message.profileBytes.high : message.profileBytes !== 0))
     writer.uint32(/* id 8, wireType 0 =*/64).uint64(message.profileBytes);
    if (message.symbolBytes != null && $Object.hasOwnProperty.call(message, "symbolBytes") && (typeof message.symbolBytes === "object" ? message.symbolBytes.low || message.symbolBytes.high : message.symbolBytes !== 0))
     writer.uint32(/* id 9, wireType 0 =*/72).uint64(message.symbolBytes);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   QueryScope.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.querier.v1.QueryScope();
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
        message.componentType = value;
       else
        delete message.componentType;
       continue;
      }
     case 2: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
        message.componentCount = value;
       else
        delete message.componentCount;
       continue;
      }
     case 3: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
        message.blockCount = value;
       else
        delete message.blockCount;
       continue;
      }
     case 4: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
        message.seriesCount = value;
       else
        delete message.seriesCount;
       continue;
      }
     case 5: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
        message.profileCount = value;
       else
        delete message.profileCount;
       continue;
      }
     case 6: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
        message.sampleCount = value;
       else
        delete message.sampleCount;
       continue;
      }
     case 7: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
        message.indexBytes = value;
       else
        delete message.indexBytes;
       continue;
      }
     case 8: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
        message.profileBytes = value;
       else
        delete message.profileBytes;
       continue;
      }
     case 9: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
        message.symbolBytes = value;
       else
        delete message.symbolBytes;
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
   return QueryScope;
  })();
  v1.QueryImpact = (function() {
   const QueryImpact = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   QueryImpact.prototype.totalBytesInTimeRange = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   QueryImpact.prototype.totalQueriedSeries = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   QueryImpact.prototype.deduplicationNeeded = false;
   QueryImpact.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.totalBytesInTimeRange != null && $Object.hasOwnProperty.call(message, "totalBytesInTimeRange") && (typeof message.totalBytesInTimeRange === "object" ? message.totalBytesInTimeRange.low || message.totalBytesInTimeRange.high : message.totalBytesInTimeRange !== 0))
     writer.uint32(/* id 2, wireType 0 =*/16).uint64(message.totalBytesInTimeRange);
    if (message.totalQueriedSeries != null && $Object.hasOwnProperty.call(message, "totalQueriedSeries") && (typeof message.totalQueriedSeries === "object" ? message.totalQueriedSeries.low || message.totalQueriedSeries.high : message.totalQueriedSeries !== 0))
     writer.uint32(/* id 3, wireType 0 =*/24).uint64(message.totalQueriedSeries);
    if (message.deduplicationNeeded != null && $Object.hasOwnProperty.call(message, "deduplicationNeeded") && message.deduplicationNeeded !== false)
     writer.uint32(/* id 4, wireType 0 =*/32).bool(message.deduplicationNeeded);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   QueryImpact.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.querier.v1.QueryImpact();
    while (reader.pos < end) {
     let start = reader.pos;
     let tag = reader.tag();
     if (tag === _end) {
      _end = $undefined;
      break;
     }
     let wireType = tag & 7;
     switch (tag >>>= 3) {
     case 2: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
        message.totalBytesInTimeRange = value;
       else
        delete message.totalBytesInTimeRange;
       continue;
      }
     case 3: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
        message.totalQueriedSeries = value;
       else
        delete message.totalQueriedSeries;
       continue;
      }
     case 4: {
       if (wireType !== 0)
        break;
       if (value = reader.bool())
        message.deduplicationNeeded = value;
       else
        delete message.deduplicationNeeded;
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
   return QueryImpact;
  })();
  return v1;
 })();
 return querier;
})();
export const google = $root.google = (() => {
 const google = {};
 google.v1 = (function() {
  const v1 = {};
  v1.Profile = (function() {
   const Profile = function (properties) {
    this.sampleType = [];
    this.sample = [];
    this.mapping = [];
    this.location = [];
    this["function"] = [];
    this.stringTable = [];
    this.comment = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   Profile.prototype.sampleType = $util.emptyArray;
   Profile.prototype.sample = $util.emptyArray;
   Profile.prototype.mapping = $util.emptyArray;
   Profile.prototype.location = $util.emptyArray;
   Profile.prototype["function"] = $util.emptyArray;
   Profile.prototype.stringTable = $util.emptyArray;
   Profile.prototype.dropFrames = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   Profile.prototype.keepFrames = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   Profile.prototype.timeNanos = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   Profile.prototype.durationNanos = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   Profile.prototype.periodType = null;
   Profile.prototype.period = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   Profile.prototype.comment = $util.emptyArray;
   Profile.prototype.defaultSampleType = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   Profile.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.sampleType != null && message.sampleType.length)
     for (let i = 0; i < message.sampleType.length; ++i)
      $root.google.v1.ValueType.encode(message.sampleType[i], writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
    if (message.sample != null && message.sample.length)
     for (let i = 0; i < message.sample.length; ++i)
      $root.google.v1.Sample.encode(message.sample[i], writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
    if (message.mapping != null && message.mapping.length)
     for (let i = 0; i < message.mapping.length; ++i)
      $root.google.v1.Mapping.encode(message.mapping[i], writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
    if (message.location != null && message.location.length)
     for (let i = 0; i < message.location.length; ++i)
      $root.google.v1.Location.encode(message.location[i], writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
    if (message["function"] != null && message["function"].length)
     for (let i = 0; i < message["function"].length; ++i)
      $root.google.v1.Function.encode(message["function"][i], writer.uint32(/* id 5, wireType 2 =*/42).fork(), _depth + 1).ldelim();
    if (message.stringTable != null && message.stringTable.length)
     for (let i = 0; i < message.stringTable.length; ++i)
      writer.uint32(/* id 6, wireType 2 =*/50).string(message.stringTable[i]);
    if (message.dropFrames != null && $Object.hasOwnProperty.call(message, "dropFrames") && (typeof message.dropFrames === "object" ? message.dropFrames.low || message.dropFrames.high : message.dropFrames !== 0))
     writer.uint32(/* id 7, wireType 0 =*/56).int64(message.dropFrames);
    if (message.keepFrames != null && $Object.hasOwnProperty.call(message, "keepFrames") && (typeof message.keepFrames === "object" ? message.keepFrames.low || message.keepFrames.high : message.keepFrames !== 0))
     writer.uint32(/* id 8, wireType 0 =*/64).int64(message.keepFrames);
    if (message.timeNanos != null && $Object.hasOwnProperty.call(message, "timeNanos") && (typeof message.timeNanos === "object" ? message.timeNanos.low || message.timeNanos.high : message.timeNanos !== 0))
     writer.uint32(/* id 9, wireType 0 =*/72).int64(message.timeNanos);
    if (message.durationNanos != null && $Object.hasOwnProperty.call(message, "durationNanos") && (typeof message.durationNanos === "object" ? message.durationNanos.low || message.durationNanos.high : message.durationNanos !== 0))
     writer.uint32(/* id 10, wireType 0 =*/80).int64(message.durationNanos);
    if (message.periodType != null && $Object.hasOwnProperty.call(message, "periodType"))
     $root.google.v1.ValueType.encode(message.periodType, writer.uint32(/* id 11, wireType 2 =*/90).fork(), _depth + 1).ldelim();
    if (message.period != null && $Object.hasOwnProperty.call(message, "period") && (typeof message.period === "object" ? message.period.low || message.period.high : message.period !== 0))
     writer.uint32(/* id 12, wireType 0 =*/96).int64(message.period);
    if (message.comment != null && message.comment.length)
     writer.uint32(/* id 13, wireType 2 =*/106).int64s(message.comment);
    if (message.defaultSampleType != null && $Object.hasOwnProperty.call(message, "defaultSampleType") && (typeof message.defaultSampleType === "object" ? message.defaultSampleType.low || message.defaultSampleType.high : message.defaultSampleType !== 0))
     writer.uint32(/* id 14, wireType 0 =*/112).int64(message.defaultSampleType);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   Profile.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.google.v1.Profile();
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
       if (!(message.sampleType && message.sampleType.length))
        message.sampleType = [];
       message.sampleType.push($root.google.v1.ValueType.decode(reader, reader.size(), $undefined, _depth + 1));
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       if (!(message.sample && message.sample.length))
        message.sample = [];
       message.sample.push($root.google.v1.Sample.decode(reader, reader.size(), $undefined, _depth + 1));
       continue;
      }
     case 3: {
       if (wireType !== 2)
        break;
       if (!(message.mapping && message.mapping.length))
        message.mapping = [];
       message.mapping.push($root.google.v1.Mapping.decode(reader, reader.size(), $undefined, _depth + 1));
       continue;
      }
     case 4: {
       if (wireType !== 2)
        break;
       if (!(message.location && message.location.length))
        message.location = [];
       message.location.push($root.google.v1.Location.decode(reader, reader.size(), $undefined, _depth + 1));
       continue;
      }
     case 5: {
       if (wireType !== 2)
        break;
       if (!(message["function"] && message["function"].length))
        message["function"] = [];
       message["function"].push($root.google.v1.Function.decode(reader, reader.size(), $undefined, _depth + 1));
       continue;
      }
     case 6: {
       if (wireType !== 2)
        break;
       if (!(message.stringTable && message.stringTable.length))
        message.stringTable = [];
       message.stringTable.push(reader.stringVerify());
       continue;
      }
     case 7: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.dropFrames = value;
       else
        delete message.dropFrames;
       continue;
      }
     case 8: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.keepFrames = value;
       else
        delete message.keepFrames;
       continue;
      }
     case 9: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.timeNanos = value;
       else
        delete message.timeNanos;
       continue;
      }
     case 10: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.durationNanos = value;
       else
        delete message.durationNanos;
       continue;
      }
     case 11: {
       if (wireType !== 2)
        break;
       message.periodType = $root.google.v1.ValueType.decode(reader, reader.size(), $undefined, _depth + 1, message.periodType);
       continue;
      }
     case 12: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.period = value;
       else
        delete message.period;
       continue;
      }
     case 13: {
       if (wireType === 2) {
        if (!(message.comment && message.comment.length))
         message.comment = [];
        reader.int64s(message.comment);
        continue;
       }
       if (wireType !== 0)
        break;
       if (!(message.comment && message.comment.length))
        message.comment = [];
       message.comment.push(reader.int64());
       continue;
      }
     case 14: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.defaultSampleType = value;
       else
        delete message.defaultSampleType;
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
   return Profile;
  })();
  v1.ValueType = (function() {
   const ValueType = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   ValueType.prototype.type = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   ValueType.prototype.unit = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   ValueType.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.type != null && $Object.hasOwnProperty.call(message, "type") && (typeof message.type === "object" ? message.type.low || message.type.high : message.type !== 0))
     writer.uint32(/* id 1, wireType 0 =*/8).int64(message.type);
    if (message.unit != null && $Object.hasOwnProperty.call(message, "unit") && (typeof message.unit === "object" ? message.unit.low || message.unit.high : message.unit !== 0))
     writer.uint32(/* id 2, wireType 0 =*/16).int64(message.unit);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   ValueType.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.google.v1.ValueType();
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
        message.type = value;
       else
        delete message.type;
       continue;
      }
     case 2: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.unit = value;
       else
        delete message.unit;
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
   return ValueType;
  })();
  v1.Sample = (function() {
   const Sample = function (properties) {
    this.locationId = [];
    this.value = [];
    this.label = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   Sample.prototype.locationId = $util.emptyArray;
   Sample.prototype.value = $util.emptyArray;
   Sample.prototype.label = $util.emptyArray;
   Sample.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.locationId != null && message.locationId.length)
     writer.uint32(/* id 1, wireType 2 =*/10).uint64s(message.locationId);
    if (message.value != null && message.value.length)
     writer.uint32(/* id 2, wireType 2 =*/18).int64s(message.value);
    if (message.label != null && message.label.length)
     for (let i = 0; i < message.label.length; ++i)
      $root.google.v1.Label.encode(message.label[i], writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   Sample.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.google.v1.Sample();
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
       if (wireType === 2) {
        if (!(message.locationId && message.locationId.length))
         message.locationId = [];
        reader.uint64s(message.locationId);
        continue;
       }
       if (wireType !== 0)
        break;
       if (!(message.locationId && message.locationId.length))
        message.locationId = [];
       message.locationId.push(reader.uint64());
       continue;
      }
     case 2: {
       if (wireType === 2) {
        if (!(message.value && message.value.length))
         message.value = [];
        reader.int64s(message.value);
        continue;
       }
       if (wireType !== 0)
        break;
       if (!(message.value && message.value.length))
        message.value = [];
       message.value.push(reader.int64());
       continue;
      }
     case 3: {
       if (wireType !== 2)
        break;
       if (!(message.label && message.label.length))
        message.label = [];
       message.label.push($root.google.v1.Label.decode(reader, reader.size(), $undefined, _depth + 1));
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
   return Sample;
  })();
  v1.Label = (function() {
   const Label = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   Label.prototype.key = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   Label.prototype.str = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   Label.prototype.num = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   Label.prototype.numUnit = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   Label.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.key != null && $Object.hasOwnProperty.call(message, "key") && (typeof message.key === "object" ? message.key.low || message.key.high : message.key !== 0))
     writer.uint32(/* id 1, wireType 0 =*/8).int64(message.key);
    if (message.str != null && $Object.hasOwnProperty.call(message, "str") && (typeof message.str === "object" ? message.str.low || message.str.high : message.str !== 0))
     writer.uint32(/* id 2, wireType 0 =*/16).int64(message.str);
    if (message.num != null && $Object.hasOwnProperty.call(message, "num") && (typeof message.num === "object" ? message.num.low || message.num.high : message.num !== 0))
     writer.uint32(/* id 3, wireType 0 =*/24).int64(message.num);
    if (message.numUnit != null && $Object.hasOwnProperty.call(message, "numUnit") && (typeof message.numUnit === "object" ? message.numUnit.low || message.numUnit.high : message.numUnit !== 0))
     writer.uint32(/* id 4, wireType 0 =*/32).int64(message.numUnit);
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
    message = _target || new $root.google.v1.Label();
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
        message.key = value;
       else
        delete message.key;
       continue;
      }
     case 2: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.str = value;
       else
        delete message.str;
       continue;
      }
     case 3: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.num = value;
       else
        delete message.num;
       continue;
      }
     case 4: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.numUnit = value;
       else
        delete message.numUnit;
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
  v1.Mapping = (function() {
   const Mapping = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   Mapping.prototype.id = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   Mapping.prototype.memoryStart = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   Mapping.prototype.memoryLimit = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   Mapping.prototype.fileOffset = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   Mapping.prototype.filename = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   Mapping.prototype.buildId = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   Mapping.prototype.hasFunctions = false;
   Mapping.prototype.hasFilenames = false;
   Mapping.prototype.hasLineNumbers = false;
   Mapping.prototype.hasInlineFrames = false;
   Mapping.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.id != null && $Object.hasOwnProperty.call(message, "id") && (typeof message.id === "object" ? message.id.low || message.id.high : message.id !== 0))
     writer.uint32(/* id 1, wireType 0 =*/8).uint64(message.id);
    if (message.memoryStart != null && $Object.hasOwnProperty.call(message, "memoryStart") && (typeof message.memoryStart === "object" ? message.memoryStart.low || message.memoryStart.high : message.memoryStart !== 0))
     writer.uint32(/* id 2, wireType 0 =*/16).uint64(message.memoryStart);
    if (message.memoryLimit != null && $Object.hasOwnProperty.call(message, "memoryLimit") && (typeof message.memoryLimit === "object" ? message.memoryLimit.low || message.memoryLimit.high : message.memoryLimit !== 0))
     writer.uint32(/* id 3, wireType 0 =*/24).uint64(message.memoryLimit);
    if (message.fileOffset != null && $Object.hasOwnProperty.call(message, "fileOffset") && (typeof message.fileOffset === "object" ? message.fileOffset.low || message.fileOffset.high : message.fileOffset !== 0))
     writer.uint32(/* id 4, wireType 0 =*/32).uint64(message.fileOffset);
    if (message.filename != null && $Object.hasOwnProperty.call(message, "filename") && (typeof message.filename === "object" ? message.filename.low || message.filename.high : message.filename !== 0))
     writer.uint32(/* id 5, wireType 0 =*/40).int64(message.filename);
    if (message.buildId != null && $Object.hasOwnProperty.call(message, "buildId") && (typeof message.buildId === "object" ? message.buildId.low || message.buildId.high : message.buildId !== 0))
     writer.uint32(/* id 6, wireType 0 =*/48).int64(message.buildId);
    if (message.hasFunctions != null && $Object.hasOwnProperty.call(message, "hasFunctions") && message.hasFunctions !== false)
     writer.uint32(/* id 7, wireType 0 =*/56).bool(message.hasFunctions);
    if (message.hasFilenames != null && $Object.hasOwnProperty.call(message, "hasFilenames") && message.hasFilenames !== false)
     writer.uint32(/* id 8, wireType 0 =*/64).bool(message.hasFilenames);
    if (message.hasLineNumbers != null && $Object.hasOwnProperty.call(message, "hasLineNumbers") && message.hasLineNumbers !== false)
     writer.uint32(/* id 9, wireType 0 =*/72).bool(message.hasLineNumbers);
    if (message.hasInlineFrames != null && $Object.hasOwnProperty.call(message, "hasInlineFrames") && message.hasInlineFrames !== false)
     writer.uint32(/* id 10, wireType 0 =*/80).bool(message.hasInlineFrames);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   Mapping.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.google.v1.Mapping();
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
        message.id = value;
       else
        delete message.id;
       continue;
      }
     case 2: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
        message.memoryStart = value;
       else
        delete message.memoryStart;
       continue;
      }
     case 3: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
        message.memoryLimit = value;
       else
        delete message.memoryLimit;
       continue;
      }
     case 4: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
        message.fileOffset = value;
       else
        delete message.fileOffset;
       continue;
      }
     case 5: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.filename = value;
       else
        delete message.filename;
       continue;
      }
     case 6: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.buildId = value;
       else
        delete message.buildId;
       continue;
      }
     case 7: {
       if (wireType !== 0)
        break;
       if (value = reader.bool())
        message.hasFunctions = value;
       else
        delete message.hasFunctions;
       continue;
      }
     case 8: {
       if (wireType !== 0)
        break;
       if (value = reader.bool())
        message.hasFilenames = value;
       else
        delete message.hasFilenames;
       continue;
      }
     case 9: {
       if (wireType !== 0)
        break;
       if (value = reader.bool())
        message.hasLineNumbers = value;
       else
        delete message.hasLineNumbers;
       continue;
      }
     case 10: {
       if (wireType !== 0)
        break;
       if (value = reader.bool())
        message.hasInlineFrames = value;
       else
        delete message.hasInlineFrames;
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
   return Mapping;
  })();
  v1.Location = (function() {
   const Location = function (properties) {
    this.line = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   Location.prototype.id = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   Location.prototype.mappingId = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   Location.prototype.address = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   Location.prototype.line = $util.emptyArray;
   Location.prototype.isFolded = false;
   Location.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.id != null && $Object.hasOwnProperty.call(message, "id") && (typeof message.id === "object" ? message.id.low || message.id.high : message.id !== 0))
     writer.uint32(/* id 1, wireType 0 =*/8).uint64(message.id);
    if (message.mappingId != null && $Object.hasOwnProperty.call(message, "mappingId") && (typeof message.mappingId === "object" ? message.mappingId.low || message.mappingId.high : message.mappingId !== 0))
     writer.uint32(/* id 2, wireType 0 =*/16).uint64(message.mappingId);
    if (message.address != null && $Object.hasOwnProperty.call(message, "address") && (typeof message.address === "object" ? message.address.low || message.address.high : message.address !== 0))
     writer.uint32(/* id 3, wireType 0 =*/24).uint64(message.address);
    if (message.line != null && message.line.length)
     for (let i = 0; i < message.line.length; ++i)
      $root.google.v1.Line.encode(message.line[i], writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
    if (message.isFolded != null && $Object.hasOwnProperty.call(message, "isFolded") && message.isFolded !== false)
     writer.uint32(/* id 5, wireType 0 =*/40).bool(message.isFolded);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   Location.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.google.v1.Location();
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
        message.id = value;
       else
        delete message.id;
       continue;
      }
     case 2: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
        message.mappingId = value;
       else
        delete message.mappingId;
       continue;
      }
     case 3: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
        message.address = value;
       else
        delete message.address;
       continue;
      }
     case 4: {
       if (wireType !== 2)
        break;
       if (!(message.line && message.line.length))
        message.line = [];
       message.line.push($root.google.v1.Line.decode(reader, reader.size(), $undefined, _depth + 1));
       continue;
      }
     case 5: {
       if (wireType !== 0)
        break;
       if (value = reader.bool())
        message.isFolded = value;
       else
        delete message.isFolded;
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
   return Location;
  })();
  v1.Line = (function() {
   const Line = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   Line.prototype.functionId = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   Line.prototype.line = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   Line.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.functionId != null && $Object.hasOwnProperty.call(message, "functionId") && (typeof message.functionId === "object" ? message.functionId.low || message.functionId.high : message.functionId !== 0))
     writer.uint32(/* id 1, wireType 0 =*/8).uint64(message.functionId);
    if (message.line != null && $Object.hasOwnProperty.call(message, "line") && (typeof message.line === "object" ? message.line.low || message.line.high : message.line !== 0))
     writer.uint32(/* id 2, wireType 0 =*/16).int64(message.line);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   Line.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.google.v1.Line();
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
        message.functionId = value;
       else
        delete message.functionId;
       continue;
      }
     case 2: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.line = value;
       else
        delete message.line;
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
   return Line;
  })();
  v1.Function = (function() {
   const Function = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   Function.prototype.id = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   Function.prototype.name = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   Function.prototype.systemName = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   Function.prototype.filename = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   Function.prototype.startLine = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   Function.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.id != null && $Object.hasOwnProperty.call(message, "id") && (typeof message.id === "object" ? message.id.low || message.id.high : message.id !== 0))
     writer.uint32(/* id 1, wireType 0 =*/8).uint64(message.id);
    if (message.name != null && $Object.hasOwnProperty.call(message, "name") && (typeof message.name === "object" ? message.name.low || message.name.high : message.name !== 0))
     writer.uint32(/* id 2, wireType 0 =*/16).int64(message.name);
    if (message.systemName != null && $Object.hasOwnProperty.call(message, "systemName") && (typeof message.systemName === "object" ? message.systemName.low || message.systemName.high : message.systemName !== 0))
     writer.uint32(/* id 3, wireType 0 =*/24).int64(message.systemName);
    if (message.filename != null && $Object.hasOwnProperty.call(message, "filename") && (typeof message.filename === "object" ? message.filename.low || message.filename.high : message.filename !== 0))
     writer.uint32(/* id 4, wireType 0 =*/32).int64(message.filename);
    if (message.startLine != null && $Object.hasOwnProperty.call(message, "startLine") && (typeof message.startLine === "object" ? message.startLine.low || message.startLine.high : message.startLine !== 0))
     writer.uint32(/* id 5, wireType 0 =*/40).int64(message.startLine);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   Function.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.google.v1.Function();
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
        message.id = value;
       else
        delete message.id;
       continue;
      }
     case 2: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.name = value;
       else
        delete message.name;
       continue;
      }
     case 3: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.systemName = value;
       else
        delete message.systemName;
       continue;
      }
     case 4: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.filename = value;
       else
        delete message.filename;
       continue;
      }
     case 5: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.startLine = value;
       else
        delete message.startLine;
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
   return Function;
  })();
  return v1;
 })();
 return google;
})();
export const types = $root.types = (() => {
 const types = {};
 types.v1 = (function() {
  const v1 = {};
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
    message = _target || new $root.types.v1.LabelPair();
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
  v1.ProfileType = (function() {
   const ProfileType = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   ProfileType.prototype.ID = "";
   ProfileType.prototype.name = "";
   ProfileType.prototype.sampleType = "";
   ProfileType.prototype.sampleUnit = "";
   ProfileType.prototype.periodType = "";
   ProfileType.prototype.periodUnit = "";
   ProfileType.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.ID != null && $Object.hasOwnProperty.call(message, "ID") && message.ID !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.ID);
    if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
     writer.uint32(/* id 2, wireType 2 =*/18).string(message.name);
    if (message.sampleType != null && $Object.hasOwnProperty.call(message, "sampleType") && message.sampleType !== "")
     writer.uint32(/* id 4, wireType 2 =*/34).string(message.sampleType);
    if (message.sampleUnit != null && $Object.hasOwnProperty.call(message, "sampleUnit") && message.sampleUnit !== "")
     writer.uint32(/* id 5, wireType 2 =*/42).string(message.sampleUnit);
    if (message.periodType != null && $Object.hasOwnProperty.call(message, "periodType") && message.periodType !== "")
     writer.uint32(/* id 6, wireType 2 =*/50).string(message.periodType);
    if (message.periodUnit != null && $Object.hasOwnProperty.call(message, "periodUnit") && message.periodUnit !== "")
     writer.uint32(/* id 7, wireType 2 =*/58).string(message.periodUnit);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   ProfileType.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.types.v1.ProfileType();
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
        message.ID = value;
       else
        delete message.ID;
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       if ((value = reader.stringVerify()).length)
        message.name = value;
       else
        delete message.name;
       continue;
      }
     case 4: {
       if (wireType !== 2)
        break;
       if ((value = reader.stringVerify()).length)
        message.sampleType = value;
       else
        delete message.sampleType;
       continue;
      }
     case 5: {
       if (wireType !== 2)
        break;
       if ((value = reader.stringVerify()).length)
        message.sampleUnit = value;
       else
        delete message.sampleUnit;
       continue;
      }
     case 6: {
       if (wireType !== 2)
        break;
       if ((value = reader.stringVerify()).length)
        message.periodType = value;
       else
        delete message.periodType;
       continue;
      }
     case 7: {
       if (wireType !== 2)
        break;
       if ((value = reader.stringVerify()).length)
        message.periodUnit = value;
       else
        delete message.periodUnit;
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
   return ProfileType;
  })();
  v1.Labels = (function() {
   const Labels = function (properties) {
    this.labels = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   Labels.prototype.labels = $util.emptyArray;
   Labels.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.labels != null && message.labels.length)
     for (let i = 0; i < message.labels.length; ++i)
      $root.types.v1.LabelPair.encode(message.labels[i], writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   Labels.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.types.v1.Labels();
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
       message.labels.push($root.types.v1.LabelPair.decode(reader, reader.size(), $undefined, _depth + 1));
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
   return Labels;
  })();
  v1.Series = (function() {
   const Series = function (properties) {
    this.labels = [];
    this.points = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   Series.prototype.labels = $util.emptyArray;
   Series.prototype.points = $util.emptyArray;
   Series.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.labels != null && message.labels.length)
     for (let i = 0; i < message.labels.length; ++i)
      $root.types.v1.LabelPair.encode(message.labels[i], writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
    if (message.points != null && message.points.length)
     for (let i = 0; i < message.points.length; ++i)
      $root.types.v1.Point.encode(message.points[i], writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   Series.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.types.v1.Series();
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
       message.labels.push($root.types.v1.LabelPair.decode(reader, reader.size(), $undefined, _depth + 1));
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       if (!(message.points && message.points.length))
        message.points = [];
       message.points.push($root.types.v1.Point.decode(reader, reader.size(), $undefined, _depth + 1));
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
   return Series;
  })();
  v1.Point = (function() {
   const Point = function (properties) {
    this.annotations = [];
    this.exemplars = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   Point.prototype.value = 0;
   Point.prototype.timestamp = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   Point.prototype.annotations = $util.emptyArray;
   Point.prototype.exemplars = $util.emptyArray;
   Point.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.value != null && $Object.hasOwnProperty.call(message, "value") && !$Object.is(message.value, 0))
     writer.uint32(/* id 1, wireType 1 =*/9).double(message.value);
    if (message.timestamp != null && $Object.hasOwnProperty.call(message, "timestamp") && (typeof message.timestamp === "object" ? message.timestamp.low || message.timestamp.high : message.timestamp !== 0))
     writer.uint32(/* id 2, wireType 0 =*/16).int64(message.timestamp);
    if (message.annotations != null && message.annotations.length)
     for (let i = 0; i < message.annotations.length; ++i)
      $root.types.v1.ProfileAnnotation.encode(message.annotations[i], writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
    if (message.exemplars != null && message.exemplars.length)
     for (let i = 0; i < message.exemplars.length; ++i)
      $root.types.v1.Exemplar.encode(message.exemplars[i], writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   Point.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.types.v1.Point();
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
       if (wireType !== 1)
        break;
       if (!$Object.is(value = reader.double(), 0))
        message.value = value;
       else
        delete message.value;
       continue;
      }
     case 2: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.timestamp = value;
       else
        delete message.timestamp;
       continue;
      }
     case 3: {
       if (wireType !== 2)
        break;
       if (!(message.annotations && message.annotations.length))
        message.annotations = [];
       message.annotations.push($root.types.v1.ProfileAnnotation.decode(reader, reader.size(), $undefined, _depth + 1));
       continue;
      }
     case 4: {
       if (wireType !== 2)
        break;
       if (!(message.exemplars && message.exemplars.length))
        message.exemplars = [];
       message.exemplars.push($root.types.v1.Exemplar.decode(reader, reader.size(), $undefined, _depth + 1));
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
   return Point;
  })();
  v1.ProfileAnnotation = (function() {
   const ProfileAnnotation = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   ProfileAnnotation.prototype.key = "";
   ProfileAnnotation.prototype.value = "";
   ProfileAnnotation.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.key != null && $Object.hasOwnProperty.call(message, "key") && message.key !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.key);
    if (message.value != null && $Object.hasOwnProperty.call(message, "value") && message.value !== "")
     writer.uint32(/* id 2, wireType 2 =*/18).string(message.value);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   ProfileAnnotation.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.types.v1.ProfileAnnotation();
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
        message.key = value;
       else
        delete message.key;
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
   return ProfileAnnotation;
  })();
  v1.LabelNamesRequest = (function() {
   const LabelNamesRequest = function (properties) {
    this.matchers = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   LabelNamesRequest.prototype.matchers = $util.emptyArray;
   LabelNamesRequest.prototype.start = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   LabelNamesRequest.prototype.end = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   LabelNamesRequest.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.matchers != null && message.matchers.length)
     for (let i = 0; i < message.matchers.length; ++i)
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.matchers[i]);
    if (message.start != null && $Object.hasOwnProperty.call(message, "start") && (typeof message.start === "object" ? message.start.low || message.start.high : message.start !== 0))
     writer.uint32(/* id 2, wireType 0 =*/16).int64(message.start);
    if (message.end != null && $Object.hasOwnProperty.call(message, "end") && (typeof message.end === "object" ? message.end.low || message.end.high : message.end !== 0))
     writer.uint32(/* id 3, wireType 0 =*/24).int64(message.end);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   LabelNamesRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.types.v1.LabelNamesRequest();
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
       if (!(message.matchers && message.matchers.length))
        message.matchers = [];
       message.matchers.push(reader.stringVerify());
       continue;
      }
     case 2: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.start = value;
       else
        delete message.start;
       continue;
      }
     case 3: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.end = value;
       else
        delete message.end;
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
   return LabelNamesRequest;
  })();
  v1.LabelNamesResponse = (function() {
   const LabelNamesResponse = function (properties) {
    this.names = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   LabelNamesResponse.prototype.names = $util.emptyArray;
   LabelNamesResponse.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.names != null && message.names.length)
     for (let i = 0; i < message.names.length; ++i)
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.names[i]);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   LabelNamesResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.types.v1.LabelNamesResponse();
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
       if (!(message.names && message.names.length))
        message.names = [];
       message.names.push(reader.stringVerify());
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
   return LabelNamesResponse;
  })();
  v1.LabelValuesRequest = (function() {
   const LabelValuesRequest = function (properties) {
    this.matchers = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   LabelValuesRequest.prototype.name = "";
   LabelValuesRequest.prototype.matchers = $util.emptyArray;
   LabelValuesRequest.prototype.start = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   LabelValuesRequest.prototype.end = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   LabelValuesRequest.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.name);
    if (message.matchers != null && message.matchers.length)
     for (let i = 0; i < message.matchers.length; ++i)
      writer.uint32(/* id 2, wireType 2 =*/18).string(message.matchers[i]);
    if (message.start != null && $Object.hasOwnProperty.call(message, "start") && (typeof message.start === "object" ? message.start.low || message.start.high : message.start !== 0))
     writer.uint32(/* id 3, wireType 0 =*/24).int64(message.start);
    if (message.end != null && $Object.hasOwnProperty.call(message, "end") && (typeof message.end === "object" ? message.end.low || message.end.high : message.end !== 0))
     writer.uint32(/* id 4, wireType 0 =*/32).int64(message.end);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   LabelValuesRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.types.v1.LabelValuesRequest();
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
       if (!(message.matchers && message.matchers.length))
        message.matchers = [];
       message.matchers.push(reader.stringVerify());
       continue;
      }
     case 3: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.start = value;
       else
        delete message.start;
       continue;
      }
     case 4: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.end = value;
       else
        delete message.end;
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
   return LabelValuesRequest;
  })();
  v1.LabelValuesResponse = (function() {
   const LabelValuesResponse = function (properties) {
    this.names = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   LabelValuesResponse.prototype.names = $util.emptyArray;
   LabelValuesResponse.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.names != null && message.names.length)
     for (let i = 0; i < message.names.length; ++i)
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.names[i]);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   LabelValuesResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.types.v1.LabelValuesResponse();
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
       if (!(message.names && message.names.length))
        message.names = [];
       message.names.push(reader.stringVerify());
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
   return LabelValuesResponse;
  })();
  v1.TimeSeriesAggregationType = (function() {
   const valuesById = $Object.create(null), values = $Object.create(valuesById);
   values[valuesById[0] = "TIME_SERIES_AGGREGATION_TYPE_SUM"] = 0;
   values[valuesById[1] = "TIME_SERIES_AGGREGATION_TYPE_AVERAGE"] = 1;
   return values;
  })();
  v1.ExemplarType = (function() {
   const valuesById = $Object.create(null), values = $Object.create(valuesById);
   values[valuesById[0] = "EXEMPLAR_TYPE_UNSPECIFIED"] = 0;
   values[valuesById[1] = "EXEMPLAR_TYPE_NONE"] = 1;
   values[valuesById[2] = "EXEMPLAR_TYPE_INDIVIDUAL"] = 2;
   values[valuesById[3] = "EXEMPLAR_TYPE_SPAN"] = 3;
   return values;
  })();
  v1.StackTraceSelector = (function() {
   const StackTraceSelector = function (properties) {
    this.callSite = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   StackTraceSelector.prototype.callSite = $util.emptyArray;
   StackTraceSelector.prototype.goPgo = null;
   StackTraceSelector.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.callSite != null && message.callSite.length)
     for (let i = 0; i < message.callSite.length; ++i)
      $root.types.v1.Location.encode(message.callSite[i], writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
    if (message.goPgo != null && $Object.hasOwnProperty.call(message, "goPgo"))
     $root.types.v1.GoPGO.encode(message.goPgo, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   StackTraceSelector.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.types.v1.StackTraceSelector();
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
       if (!(message.callSite && message.callSite.length))
        message.callSite = [];
       message.callSite.push($root.types.v1.Location.decode(reader, reader.size(), $undefined, _depth + 1));
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       message.goPgo = $root.types.v1.GoPGO.decode(reader, reader.size(), $undefined, _depth + 1, message.goPgo);
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
   return StackTraceSelector;
  })();
  v1.Location = (function() {
   const Location = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   Location.prototype.name = "";
   Location.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.name);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   Location.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.types.v1.Location();
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
   return Location;
  })();
  v1.GoPGO = (function() {
   const GoPGO = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   GoPGO.prototype.keepLocations = 0;
   GoPGO.prototype.aggregateCallees = false;
   GoPGO.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.keepLocations != null && $Object.hasOwnProperty.call(message, "keepLocations") && message.keepLocations !== 0)
     writer.uint32(/* id 1, wireType 0 =*/8).uint32(message.keepLocations);
    if (message.aggregateCallees != null && $Object.hasOwnProperty.call(message, "aggregateCallees") && message.aggregateCallees !== false)
     writer.uint32(/* id 2, wireType 0 =*/16).bool(message.aggregateCallees);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   GoPGO.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.types.v1.GoPGO();
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
        message.keepLocations = value;
       else
        delete message.keepLocations;
       continue;
      }
     case 2: {
       if (wireType !== 0)
        break;
       if (value = reader.bool())
        message.aggregateCallees = value;
       else
        delete message.aggregateCallees;
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
   return GoPGO;
  })();
  v1.GetProfileStatsRequest = (function() {
   const GetProfileStatsRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   GetProfileStatsRequest.encode = function (message, writer, _depth) {
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
   GetProfileStatsRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.types.v1.GetProfileStatsRequest();
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
   return GetProfileStatsRequest;
  })();
  v1.GetProfileStatsResponse = (function() {
   const GetProfileStatsResponse = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   GetProfileStatsResponse.prototype.dataIngested = false;
   GetProfileStatsResponse.prototype.oldestProfileTime = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   GetProfileStatsResponse.prototype.newestProfileTime = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   GetProfileStatsResponse.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.dataIngested != null && $Object.hasOwnProperty.call(message, "dataIngested") && message.dataIngested !== false)
     writer.uint32(/* id 1, wireType 0 =*/8).bool(message.dataIngested);
    if (message.oldestProfileTime != null && $Object.hasOwnProperty.call(message, "oldestProfileTime") && (typeof message.oldestProfileTime === "object" ? message.oldestProfileTime.low || message.oldestProfileTime.high : message.oldestProfileTime !== 0))
     writer.uint32(/* id 2, wireType 0 =*/16).int64(message.oldestProfileTime);
    if (message.newestProfileTime != null && $Object.hasOwnProperty.call(message, "newestProfileTime") && (typeof message.newestProfileTime === "object" ? message.newestProfileTime.low || message.newestProfileTime.high : message.newestProfileTime !== 0))
     writer.uint32(/* id 3, wireType 0 =*/24).int64(message.newestProfileTime);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   GetProfileStatsResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.types.v1.GetProfileStatsResponse();
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
        message.dataIngested = value;
       else
        delete message.dataIngested;
       continue;
      }
     case 2: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.oldestProfileTime = value;
       else
        delete message.oldestProfileTime;
       continue;
      }
     case 3: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.newestProfileTime = value;
       else
        delete message.newestProfileTime;
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
   return GetProfileStatsResponse;
  })();
  v1.Exemplar = (function() {
   const Exemplar = function (properties) {
    this.labels = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   Exemplar.prototype.timestamp = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   Exemplar.prototype.profileId = "";
   Exemplar.prototype.spanId = "";
   Exemplar.prototype.value = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   Exemplar.prototype.labels = $util.emptyArray;
   Exemplar.prototype.traceId = "";
   Exemplar.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.timestamp != null && $Object.hasOwnProperty.call(message, "timestamp") && (typeof message.timestamp === "object" ? message.timestamp.low || message.timestamp.high : message.timestamp !== 0))
     writer.uint32(/* id 1, wireType 0 =*/8).int64(message.timestamp);
    if (message.profileId != null && $Object.hasOwnProperty.call(message, "profileId") && message.profileId !== "")
     writer.uint32(/* id 2, wireType 2 =*/18).string(message.profileId);
    if (message.spanId != null && $Object.hasOwnProperty.call(message, "spanId") && message.spanId !== "")
     writer.uint32(/* id 3, wireType 2 =*/26).string(message.spanId);
    if (message.value != null && $Object.hasOwnProperty.call(message, "value") && (typeof message.value === "object" ? message.value.low || message.value.high : message.value !== 0))
     writer.uint32(/* id 4, wireType 0 =*/32).int64(message.value);
    if (message.labels != null && message.labels.length)
     for (let i = 0; i < message.labels.length; ++i)
      $root.types.v1.LabelPair.encode(message.labels[i], writer.uint32(/* id 5, wireType 2 =*/42).fork(), _depth + 1).ldelim();
    if (message.traceId != null && $Object.hasOwnProperty.call(message, "traceId") && message.traceId !== "")
     writer.uint32(/* id 6, wireType 2 =*/50).string(message.traceId);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   Exemplar.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.types.v1.Exemplar();
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
        message.timestamp = value;
       else
        delete message.timestamp;
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       if ((value = reader.stringVerify()).length)
        message.profileId = value;
       else
        delete message.profileId;
       continue;
      }
     case 3: {
       if (wireType !== 2)
        break;
       if ((value = reader.stringVerify()).length)
        message.spanId = value;
       else
        delete message.spanId;
       continue;
      }
     case 4: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.value = value;
       else
        delete message.value;
       continue;
      }
     case 5: {
       if (wireType !== 2)
        break;
       if (!(message.labels && message.labels.length))
        message.labels = [];
       message.labels.push($root.types.v1.LabelPair.decode(reader, reader.size(), $undefined, _depth + 1));
       continue;
      }
     case 6: {
       if (wireType !== 2)
        break;
       if ((value = reader.stringVerify()).length)
        message.traceId = value;
       else
        delete message.traceId;
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
   return Exemplar;
  })();
  v1.HeatmapSeries = (function() {
   const HeatmapSeries = function (properties) {
    this.labels = [];
    this.slots = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   HeatmapSeries.prototype.labels = $util.emptyArray;
   HeatmapSeries.prototype.slots = $util.emptyArray;
   HeatmapSeries.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.labels != null && message.labels.length)
     for (let i = 0; i < message.labels.length; ++i)
      $root.types.v1.LabelPair.encode(message.labels[i], writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
    if (message.slots != null && message.slots.length)
     for (let i = 0; i < message.slots.length; ++i)
      $root.types.v1.HeatmapSlot.encode(message.slots[i], writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   HeatmapSeries.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.types.v1.HeatmapSeries();
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
       message.labels.push($root.types.v1.LabelPair.decode(reader, reader.size(), $undefined, _depth + 1));
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       if (!(message.slots && message.slots.length))
        message.slots = [];
       message.slots.push($root.types.v1.HeatmapSlot.decode(reader, reader.size(), $undefined, _depth + 1));
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
   return HeatmapSeries;
  })();
  v1.HeatmapSlot = (function() {
   const HeatmapSlot = function (properties) {
    this.yMin = [];
    this.counts = [];
    this.exemplars = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   HeatmapSlot.prototype.timestamp = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   HeatmapSlot.prototype.yMin = $util.emptyArray;
   HeatmapSlot.prototype.counts = $util.emptyArray;
   HeatmapSlot.prototype.exemplars = $util.emptyArray;
   HeatmapSlot.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.timestamp != null && $Object.hasOwnProperty.call(message, "timestamp") && (typeof message.timestamp === "object" ? message.timestamp.low || message.timestamp.high : message.timestamp !== 0))
     writer.uint32(/* id 1, wireType 0 =*/8).int64(message.timestamp);
    if (message.yMin != null && message.yMin.length)
     writer.uint32(/* id 2, wireType 2 =*/18).doubles(message.yMin);
    if (message.counts != null && message.counts.length)
     writer.uint32(/* id 3, wireType 2 =*/26).int32s(message.counts);
    if (message.exemplars != null && message.exemplars.length)
     for (let i = 0; i < message.exemplars.length; ++i)
      $root.types.v1.Exemplar.encode(message.exemplars[i], writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   HeatmapSlot.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.types.v1.HeatmapSlot();
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
        message.timestamp = value;
       else
        delete message.timestamp;
       continue;
      }
     case 2: {
       if (wireType === 2) {
        if (!(message.yMin && message.yMin.length))
         message.yMin = [];
        reader.doubles(message.yMin);
        continue;
       }
       if (wireType !== 1)
        break;
       if (!(message.yMin && message.yMin.length))
        message.yMin = [];
       message.yMin.push(reader.double());
       continue;
      }
     case 3: {
       if (wireType === 2) {
        if (!(message.counts && message.counts.length))
         message.counts = [];
        reader.int32s(message.counts);
        continue;
       }
       if (wireType !== 0)
        break;
       if (!(message.counts && message.counts.length))
        message.counts = [];
       message.counts.push(reader.int32());
       continue;
      }
     case 4: {
       if (wireType !== 2)
        break;
       if (!(message.exemplars && message.exemplars.length))
        message.exemplars = [];
       message.exemplars.push($root.types.v1.Exemplar.decode(reader, reader.size(), $undefined, _depth + 1));
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
   return HeatmapSlot;
  })();
  return v1;
 })();
 return types;
})();
export const settings = $root.settings = (() => {
 const settings = {};
 settings.v1 = (function() {
  const v1 = {};
  v1.GetSettingsRequest = (function() {
   const GetSettingsRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   GetSettingsRequest.encode = function (message, writer, _depth) {
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
   GetSettingsRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.settings.v1.GetSettingsRequest();
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
   return GetSettingsRequest;
  })();
  v1.GetSettingsResponse = (function() {
   const GetSettingsResponse = function (properties) {
    this.settings = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   GetSettingsResponse.prototype.settings = $util.emptyArray;
   GetSettingsResponse.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.settings != null && message.settings.length)
     for (let i = 0; i < message.settings.length; ++i)
      $root.settings.v1.Setting.encode(message.settings[i], writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   GetSettingsResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.settings.v1.GetSettingsResponse();
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
       if (!(message.settings && message.settings.length))
        message.settings = [];
       message.settings.push($root.settings.v1.Setting.decode(reader, reader.size(), $undefined, _depth + 1));
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
   return GetSettingsResponse;
  })();
  v1.SetSettingsRequest = (function() {
   const SetSettingsRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   SetSettingsRequest.prototype.setting = null;
   // OneOf field names bound to virtual getters and setters
   let $oneOfFields;
   // Virtual OneOf for proto3 optional field
   $Object.defineProperty(SetSettingsRequest.prototype, "_setting", {
    get: $util.oneOfGetter($oneOfFields = ["setting"]),
    set: $util.oneOfSetter($oneOfFields)
   });
   SetSettingsRequest.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.setting != null && $Object.hasOwnProperty.call(message, "setting"))
     $root.settings.v1.Setting.encode(message.setting, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   SetSettingsRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.settings.v1.SetSettingsRequest();
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
       message.setting = $root.settings.v1.Setting.decode(reader, reader.size(), $undefined, _depth + 1, message.setting);
       message._setting = "setting";
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
   return SetSettingsRequest;
  })();
  v1.SetSettingsResponse = (function() {
   const SetSettingsResponse = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   SetSettingsResponse.prototype.setting = null;
   SetSettingsResponse.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.setting != null && $Object.hasOwnProperty.call(message, "setting"))
     $root.settings.v1.Setting.encode(message.setting, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   SetSettingsResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.settings.v1.SetSettingsResponse();
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
       message.setting = $root.settings.v1.Setting.decode(reader, reader.size(), $undefined, _depth + 1, message.setting);
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
   return SetSettingsResponse;
  })();
  v1.DeleteSettingsRequest = (function() {
   const DeleteSettingsRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   DeleteSettingsRequest.prototype.name = "";
   DeleteSettingsRequest.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.name);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   DeleteSettingsRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.settings.v1.DeleteSettingsRequest();
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
   return DeleteSettingsRequest;
  })();
  v1.DeleteSettingsResponse = (function() {
   const DeleteSettingsResponse = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   DeleteSettingsResponse.encode = function (message, writer, _depth) {
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
   DeleteSettingsResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.settings.v1.DeleteSettingsResponse();
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
   return DeleteSettingsResponse;
  })();
  v1.Setting = (function() {
   const Setting = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   Setting.prototype.name = "";
   Setting.prototype.value = "";
   Setting.prototype.modifiedAt = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   Setting.encode = function (message, writer, _depth) {
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
    if (message.modifiedAt != null && $Object.hasOwnProperty.call(message, "modifiedAt") && (typeof message.modifiedAt === "object" ? message.modifiedAt.low || message.modifiedAt.high : message.modifiedAt !== 0))
     writer.uint32(/* id 3, wireType 0 =*/24).int64(message.modifiedAt);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   Setting.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.settings.v1.Setting();
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
     case 3: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.modifiedAt = value;
       else
        delete message.modifiedAt;
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
   return Setting;
  })();
  v1.ListRecordingRulesRequest = (function() {
   const ListRecordingRulesRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   ListRecordingRulesRequest.encode = function (message, writer, _depth) {
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
   ListRecordingRulesRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.settings.v1.ListRecordingRulesRequest();
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
   return ListRecordingRulesRequest;
  })();
  v1.ListRecordingRulesResponse = (function() {
   const ListRecordingRulesResponse = function (properties) {
    this.rules = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   ListRecordingRulesResponse.prototype.rules = $util.emptyArray;
   ListRecordingRulesResponse.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.rules != null && message.rules.length)
     for (let i = 0; i < message.rules.length; ++i)
      $root.settings.v1.RecordingRule.encode(message.rules[i], writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   ListRecordingRulesResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.settings.v1.ListRecordingRulesResponse();
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
       if (!(message.rules && message.rules.length))
        message.rules = [];
       message.rules.push($root.settings.v1.RecordingRule.decode(reader, reader.size(), $undefined, _depth + 1));
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
   return ListRecordingRulesResponse;
  })();
  v1.RecordingRule = (function() {
   const RecordingRule = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   RecordingRule.prototype.id = "";
   RecordingRule.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.id != null && $Object.hasOwnProperty.call(message, "id") && message.id !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.id);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   RecordingRule.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.settings.v1.RecordingRule();
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
   return RecordingRule;
  })();
  v1.GetRecordingRuleRequest = (function() {
   const GetRecordingRuleRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   GetRecordingRuleRequest.prototype.id = "";
   GetRecordingRuleRequest.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.id != null && $Object.hasOwnProperty.call(message, "id") && message.id !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.id);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   GetRecordingRuleRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.settings.v1.GetRecordingRuleRequest();
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
   return GetRecordingRuleRequest;
  })();
  v1.GetRecordingRuleResponse = (function() {
   const GetRecordingRuleResponse = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   GetRecordingRuleResponse.prototype.rule = null;
   GetRecordingRuleResponse.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.rule != null && $Object.hasOwnProperty.call(message, "rule"))
     $root.settings.v1.RecordingRule.encode(message.rule, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   GetRecordingRuleResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.settings.v1.GetRecordingRuleResponse();
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
       message.rule = $root.settings.v1.RecordingRule.decode(reader, reader.size(), $undefined, _depth + 1, message.rule);
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
   return GetRecordingRuleResponse;
  })();
  v1.UpsertRecordingRuleRequest = (function() {
   const UpsertRecordingRuleRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   UpsertRecordingRuleRequest.prototype.id = "";
   UpsertRecordingRuleRequest.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.id != null && $Object.hasOwnProperty.call(message, "id") && message.id !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.id);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   UpsertRecordingRuleRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.settings.v1.UpsertRecordingRuleRequest();
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
   return UpsertRecordingRuleRequest;
  })();
  v1.UpsertRecordingRuleResponse = (function() {
   const UpsertRecordingRuleResponse = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   UpsertRecordingRuleResponse.prototype.rule = null;
   UpsertRecordingRuleResponse.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.rule != null && $Object.hasOwnProperty.call(message, "rule"))
     $root.settings.v1.RecordingRule.encode(message.rule, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   UpsertRecordingRuleResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.settings.v1.UpsertRecordingRuleResponse();
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
       message.rule = $root.settings.v1.RecordingRule.decode(reader, reader.size(), $undefined, _depth + 1, message.rule);
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
   return UpsertRecordingRuleResponse;
  })();
  v1.DeleteRecordingRuleRequest = (function() {
   const DeleteRecordingRuleRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   DeleteRecordingRuleRequest.prototype.id = "";
   DeleteRecordingRuleRequest.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.id != null && $Object.hasOwnProperty.call(message, "id") && message.id !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.id);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   DeleteRecordingRuleRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.settings.v1.DeleteRecordingRuleRequest();
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
   return DeleteRecordingRuleRequest;
  })();
  v1.DeleteRecordingRuleResponse = (function() {
   const DeleteRecordingRuleResponse = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   DeleteRecordingRuleResponse.encode = function (message, writer, _depth) {
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
   DeleteRecordingRuleResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.settings.v1.DeleteRecordingRuleResponse();
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
   return DeleteRecordingRuleResponse;
  })();
  return v1;
 })();
 return settings;
})();
export const adhocprofiles = $root.adhocprofiles = (() => {
 const adhocprofiles = {};
 adhocprofiles.v1 = (function() {
  const v1 = {};
  v1.AdHocProfilesUploadRequest = (function() {
   const AdHocProfilesUploadRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   AdHocProfilesUploadRequest.prototype.name = "";
   AdHocProfilesUploadRequest.prototype.profile = "";
   AdHocProfilesUploadRequest.prototype.maxNodes = null;
   // OneOf field names bound to virtual getters and setters
   let $oneOfFields;
   // Virtual OneOf for proto3 optional field
   $Object.defineProperty(AdHocProfilesUploadRequest.prototype, "_maxNodes", {
    get: $util.oneOfGetter($oneOfFields = ["maxNodes"]),
    set: $util.oneOfSetter($oneOfFields)
   });
   AdHocProfilesUploadRequest.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.name);
    if (message.profile != null && $Object.hasOwnProperty.call(message, "profile") && message.profile !== "")
     writer.uint32(/* id 2, wireType 2 =*/18).string(message.profile);
    if (message.maxNodes != null && $Object.hasOwnProperty.call(message, "maxNodes"))
     writer.uint32(/* id 3, wireType 0 =*/24).int64(message.maxNodes);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   AdHocProfilesUploadRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.adhocprofiles.v1.AdHocProfilesUploadRequest();
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
        message.profile = value;
       else
        delete message.profile;
       continue;
      }
     case 3: {
       if (wireType !== 0)
        break;
       message.maxNodes = reader.int64();
       message._maxNodes = "maxNodes";
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
   return AdHocProfilesUploadRequest;
  })();
  v1.AdHocProfilesGetRequest = (function() {
   const AdHocProfilesGetRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   AdHocProfilesGetRequest.prototype.id = "";
   AdHocProfilesGetRequest.prototype.profileType = null;
   AdHocProfilesGetRequest.prototype.maxNodes = null;
   // OneOf field names bound to virtual getters and setters
   let $oneOfFields;
   // Virtual OneOf for proto3 optional field
   $Object.defineProperty(AdHocProfilesGetRequest.prototype, "_profileType", {
    get: $util.oneOfGetter($oneOfFields = ["profileType"]),
    set: $util.oneOfSetter($oneOfFields)
   });
   // Virtual OneOf for proto3 optional field
   $Object.defineProperty(AdHocProfilesGetRequest.prototype, "_maxNodes", {
    get: $util.oneOfGetter($oneOfFields = ["maxNodes"]),
    set: $util.oneOfSetter($oneOfFields)
   });
   AdHocProfilesGetRequest.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.id != null && $Object.hasOwnProperty.call(message, "id") && message.id !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.id);
    if (message.profileType != null && $Object.hasOwnProperty.call(message, "profileType"))
     writer.uint32(/* id 2, wireType 2 =*/18).string(message.profileType);
    if (message.maxNodes != null && $Object.hasOwnProperty.call(message, "maxNodes"))
     writer.uint32(/* id 3, wireType 0 =*/24).int64(message.maxNodes);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   AdHocProfilesGetRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.adhocprofiles.v1.AdHocProfilesGetRequest();
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
       message.profileType = reader.stringVerify();
       message._profileType = "profileType";
       continue;
      }
     case 3: {
       if (wireType !== 0)
        break;
       message.maxNodes = reader.int64();
       message._maxNodes = "maxNodes";
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
   return AdHocProfilesGetRequest;
  })();
  v1.AdHocProfilesGetResponse = (function() {
   const AdHocProfilesGetResponse = function (properties) {
    this.profileTypes = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   AdHocProfilesGetResponse.prototype.id = "";
   AdHocProfilesGetResponse.prototype.name = "";
   AdHocProfilesGetResponse.prototype.uploadedAt = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   AdHocProfilesGetResponse.prototype.profileType = "";
   AdHocProfilesGetResponse.prototype.profileTypes = $util.emptyArray;
   AdHocProfilesGetResponse.prototype.flamebearerProfile = "";
   AdHocProfilesGetResponse.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.id != null && $Object.hasOwnProperty.call(message, "id") && message.id !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.id);
    if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
     writer.uint32(/* id 2, wireType 2 =*/18).string(message.name);
    if (message.uploadedAt != null && $Object.hasOwnProperty.call(message, "uploadedAt") && (typeof message.uploadedAt === "object" ? message.uploadedAt.low || message.uploadedAt.high : message.uploadedAt !== 0))
     writer.uint32(/* id 3, wireType 0 =*/24).int64(message.uploadedAt);
    if (message.profileType != null && $Object.hasOwnProperty.call(message, "profileType") && message.profileType !== "")
     writer.uint32(/* id 4, wireType 2 =*/34).string(message.profileType);
    if (message.profileTypes != null && message.profileTypes.length)
     for (let i = 0; i < message.profileTypes.length; ++i)
      writer.uint32(/* id 5, wireType 2 =*/42).string(message.profileTypes[i]);
    if (message.flamebearerProfile != null && $Object.hasOwnProperty.call(message, "flamebearerProfile") && message.flamebearerProfile !== "")
     writer.uint32(/* id 6, wireType 2 =*/50).string(message.flamebearerProfile);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   AdHocProfilesGetResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.adhocprofiles.v1.AdHocProfilesGetResponse();
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
        message.name = value;
       else
        delete message.name;
       continue;
      }
     case 3: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.uploadedAt = value;
       else
        delete message.uploadedAt;
       continue;
      }
     case 4: {
       if (wireType !== 2)
        break;
       if ((value = reader.stringVerify()).length)
        message.profileType = value;
       else
        delete message.profileType;
       continue;
      }
     case 5: {
       if (wireType !== 2)
        break;
       if (!(message.profileTypes && message.profileTypes.length))
        message.profileTypes = [];
       message.profileTypes.push(reader.stringVerify());
       continue;
      }
     case 6: {
       if (wireType !== 2)
        break;
       if ((value = reader.stringVerify()).length)
        message.flamebearerProfile = value;
       else
        delete message.flamebearerProfile;
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
   return AdHocProfilesGetResponse;
  })();
  v1.AdHocProfilesListRequest = (function() {
   const AdHocProfilesListRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   AdHocProfilesListRequest.encode = function (message, writer, _depth) {
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
   AdHocProfilesListRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.adhocprofiles.v1.AdHocProfilesListRequest();
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
   return AdHocProfilesListRequest;
  })();
  v1.AdHocProfilesListResponse = (function() {
   const AdHocProfilesListResponse = function (properties) {
    this.profiles = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   AdHocProfilesListResponse.prototype.profiles = $util.emptyArray;
   AdHocProfilesListResponse.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.profiles != null && message.profiles.length)
     for (let i = 0; i < message.profiles.length; ++i)
      $root.adhocprofiles.v1.AdHocProfilesProfileMetadata.encode(message.profiles[i], writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   AdHocProfilesListResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.adhocprofiles.v1.AdHocProfilesListResponse();
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
       if (!(message.profiles && message.profiles.length))
        message.profiles = [];
       message.profiles.push($root.adhocprofiles.v1.AdHocProfilesProfileMetadata.decode(reader, reader.size(), $undefined, _depth + 1));
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
   return AdHocProfilesListResponse;
  })();
  v1.AdHocProfilesProfileMetadata = (function() {
   const AdHocProfilesProfileMetadata = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   AdHocProfilesProfileMetadata.prototype.id = "";
   AdHocProfilesProfileMetadata.prototype.name = "";
   AdHocProfilesProfileMetadata.prototype.uploadedAt = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   AdHocProfilesProfileMetadata.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.id != null && $Object.hasOwnProperty.call(message, "id") && message.id !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.id);
    if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
     writer.uint32(/* id 2, wireType 2 =*/18).string(message.name);
    if (message.uploadedAt != null && $Object.hasOwnProperty.call(message, "uploadedAt") && (typeof message.uploadedAt === "object" ? message.uploadedAt.low || message.uploadedAt.high : message.uploadedAt !== 0))
     writer.uint32(/* id 3, wireType 0 =*/24).int64(message.uploadedAt);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   AdHocProfilesProfileMetadata.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.adhocprofiles.v1.AdHocProfilesProfileMetadata();
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
        message.name = value;
       else
        delete message.name;
       continue;
      }
     case 3: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
        message.uploadedAt = value;
       else
        delete message.uploadedAt;
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
   return AdHocProfilesProfileMetadata;
  })();
  v1.AdHocProfilesDiffRequest = (function() {
   const AdHocProfilesDiffRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   AdHocProfilesDiffRequest.prototype.leftId = "";
   AdHocProfilesDiffRequest.prototype.rightId = "";
   AdHocProfilesDiffRequest.prototype.profileType = null;
   AdHocProfilesDiffRequest.prototype.maxNodes = null;
   // OneOf field names bound to virtual getters and setters
   let $oneOfFields;
   // Virtual OneOf for proto3 optional field
   $Object.defineProperty(AdHocProfilesDiffRequest.prototype, "_profileType", {
    get: $util.oneOfGetter($oneOfFields = ["profileType"]),
    set: $util.oneOfSetter($oneOfFields)
   });
   // Virtual OneOf for proto3 optional field
   $Object.defineProperty(AdHocProfilesDiffRequest.prototype, "_maxNodes", {
    get: $util.oneOfGetter($oneOfFields = ["maxNodes"]),
    set: $util.oneOfSetter($oneOfFields)
   });
   AdHocProfilesDiffRequest.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.leftId != null && $Object.hasOwnProperty.call(message, "leftId") && message.leftId !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.leftId);
    if (message.rightId != null && $Object.hasOwnProperty.call(message, "rightId") && message.rightId !== "")
     writer.uint32(/* id 2, wireType 2 =*/18).string(message.rightId);
    if (message.profileType != null && $Object.hasOwnProperty.call(message, "profileType"))
     writer.uint32(/* id 3, wireType 2 =*/26).string(message.profileType);
    if (message.maxNodes != null && $Object.hasOwnProperty.call(message, "maxNodes"))
     writer.uint32(/* id 4, wireType 0 =*/32).int64(message.maxNodes);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   AdHocProfilesDiffRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.adhocprofiles.v1.AdHocProfilesDiffRequest();
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
        message.leftId = value;
       else
        delete message.leftId;
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       if ((value = reader.stringVerify()).length)
        message.rightId = value;
       else
        delete message.rightId;
       continue;
      }
     case 3: {
       if (wireType !== 2)
        break;
       message.profileType = reader.stringVerify();
       message._profileType = "profileType";
       continue;
      }
     case 4: {
       if (wireType !== 0)
        break;
       message.maxNodes = reader.int64();
       message._maxNodes = "maxNodes";
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
   return AdHocProfilesDiffRequest;
  })();
  v1.AdHocProfilesDiffResponse = (function() {
   const AdHocProfilesDiffResponse = function (properties) {
    this.profileTypes = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   AdHocProfilesDiffResponse.prototype.profileTypes = $util.emptyArray;
   AdHocProfilesDiffResponse.prototype.flamebearerProfile = "";
   AdHocProfilesDiffResponse.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.profileTypes != null && message.profileTypes.length)
     for (let i = 0; i < message.profileTypes.length; ++i)
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.profileTypes[i]);
    if (message.flamebearerProfile != null && $Object.hasOwnProperty.call(message, "flamebearerProfile") && message.flamebearerProfile !== "")
     writer.uint32(/* id 2, wireType 2 =*/18).string(message.flamebearerProfile);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   AdHocProfilesDiffResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.adhocprofiles.v1.AdHocProfilesDiffResponse();
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
       if (!(message.profileTypes && message.profileTypes.length))
        message.profileTypes = [];
       message.profileTypes.push(reader.stringVerify());
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       if ((value = reader.stringVerify()).length)
        message.flamebearerProfile = value;
       else
        delete message.flamebearerProfile;
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
   return AdHocProfilesDiffResponse;
  })();
  return v1;
 })();
 return adhocprofiles;
})();
export const vcs = $root.vcs = (() => {
 const vcs = {};
 vcs.v1 = (function() {
  const v1 = {};
  v1.GithubAppRequest = (function() {
   const GithubAppRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   GithubAppRequest.encode = function (message, writer, _depth) {
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
   GithubAppRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.vcs.v1.GithubAppRequest();
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
   return GithubAppRequest;
  })();
  v1.GithubAppResponse = (function() {
   const GithubAppResponse = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   GithubAppResponse.prototype.clientID = "";
   GithubAppResponse.prototype.callbackURL = "";
   GithubAppResponse.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.clientID != null && $Object.hasOwnProperty.call(message, "clientID") && message.clientID !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.clientID);
    if (message.callbackURL != null && $Object.hasOwnProperty.call(message, "callbackURL") && message.callbackURL !== "")
     writer.uint32(/* id 2, wireType 2 =*/18).string(message.callbackURL);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   GithubAppResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.vcs.v1.GithubAppResponse();
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
        message.clientID = value;
       else
        delete message.clientID;
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       if ((value = reader.stringVerify()).length)
        message.callbackURL = value;
       else
        delete message.callbackURL;
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
   return GithubAppResponse;
  })();
  v1.GithubLoginRequest = (function() {
   const GithubLoginRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   GithubLoginRequest.encode = function (message, writer, _depth) {
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
   GithubLoginRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.vcs.v1.GithubLoginRequest();
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
   return GithubLoginRequest;
  })();
  v1.GithubLoginResponse = (function() {
   const GithubLoginResponse = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   GithubLoginResponse.encode = function (message, writer, _depth) {
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
   GithubLoginResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.vcs.v1.GithubLoginResponse();
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
   return GithubLoginResponse;
  })();
  v1.GithubRefreshRequest = (function() {
   const GithubRefreshRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   GithubRefreshRequest.encode = function (message, writer, _depth) {
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
   GithubRefreshRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.vcs.v1.GithubRefreshRequest();
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
   return GithubRefreshRequest;
  })();
  v1.GithubRefreshResponse = (function() {
   const GithubRefreshResponse = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   GithubRefreshResponse.encode = function (message, writer, _depth) {
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
   GithubRefreshResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.vcs.v1.GithubRefreshResponse();
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
   return GithubRefreshResponse;
  })();
  v1.GetFileRequest = (function() {
   const GetFileRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   GetFileRequest.encode = function (message, writer, _depth) {
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
   GetFileRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.vcs.v1.GetFileRequest();
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
   return GetFileRequest;
  })();
  v1.GetFileResponse = (function() {
   const GetFileResponse = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   GetFileResponse.encode = function (message, writer, _depth) {
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
   GetFileResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.vcs.v1.GetFileResponse();
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
   return GetFileResponse;
  })();
  v1.GetCommitRequest = (function() {
   const GetCommitRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   GetCommitRequest.encode = function (message, writer, _depth) {
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
   GetCommitRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.vcs.v1.GetCommitRequest();
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
   return GetCommitRequest;
  })();
  v1.GetCommitResponse = (function() {
   const GetCommitResponse = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   GetCommitResponse.encode = function (message, writer, _depth) {
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
   GetCommitResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.vcs.v1.GetCommitResponse();
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
   return GetCommitResponse;
  })();
  v1.GetCommitsRequest = (function() {
   const GetCommitsRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   GetCommitsRequest.encode = function (message, writer, _depth) {
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
   GetCommitsRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.vcs.v1.GetCommitsRequest();
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
   return GetCommitsRequest;
  })();
  v1.GetCommitsResponse = (function() {
   const GetCommitsResponse = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   GetCommitsResponse.encode = function (message, writer, _depth) {
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
   GetCommitsResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.vcs.v1.GetCommitsResponse();
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
   return GetCommitsResponse;
  })();
  return v1;
 })();
 return vcs;
})();
export const capabilities = $root.capabilities = (() => {
 const capabilities = {};
 capabilities.v1 = (function() {
  const v1 = {};
  v1.GetFeatureFlagsRequest = (function() {
   const GetFeatureFlagsRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   GetFeatureFlagsRequest.encode = function (message, writer, _depth) {
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
   GetFeatureFlagsRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.capabilities.v1.GetFeatureFlagsRequest();
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
   return GetFeatureFlagsRequest;
  })();
  v1.GetFeatureFlagsResponse = (function() {
   const GetFeatureFlagsResponse = function (properties) {
    this.featureFlags = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   GetFeatureFlagsResponse.prototype.featureFlags = $util.emptyArray;
   GetFeatureFlagsResponse.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.featureFlags != null && message.featureFlags.length)
     for (let i = 0; i < message.featureFlags.length; ++i)
      $root.capabilities.v1.FeatureFlag.encode(message.featureFlags[i], writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   GetFeatureFlagsResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.capabilities.v1.GetFeatureFlagsResponse();
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
       if (!(message.featureFlags && message.featureFlags.length))
        message.featureFlags = [];
       message.featureFlags.push($root.capabilities.v1.FeatureFlag.decode(reader, reader.size(), $undefined, _depth + 1));
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
   return GetFeatureFlagsResponse;
  })();
  v1.FeatureFlag = (function() {
   const FeatureFlag = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   FeatureFlag.prototype.name = "";
   FeatureFlag.prototype.enabled = false;
   FeatureFlag.prototype.description = null;
   FeatureFlag.prototype.documentationUrl = null;
   // OneOf field names bound to virtual getters and setters
   let $oneOfFields;
   // Virtual OneOf for proto3 optional field
   $Object.defineProperty(FeatureFlag.prototype, "_description", {
    get: $util.oneOfGetter($oneOfFields = ["description"]),
    set: $util.oneOfSetter($oneOfFields)
   });
   // Virtual OneOf for proto3 optional field
   $Object.defineProperty(FeatureFlag.prototype, "_documentationUrl", {
    get: $util.oneOfGetter($oneOfFields = ["documentationUrl"]),
    set: $util.oneOfSetter($oneOfFields)
   });
   FeatureFlag.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.name);
    if (message.enabled != null && $Object.hasOwnProperty.call(message, "enabled") && message.enabled !== false)
     writer.uint32(/* id 2, wireType 0 =*/16).bool(message.enabled);
    if (message.description != null && $Object.hasOwnProperty.call(message, "description"))
     writer.uint32(/* id 3, wireType 2 =*/26).string(message.description);
    if (message.documentationUrl != null && $Object.hasOwnProperty.call(message, "documentationUrl"))
     writer.uint32(/* id 4, wireType 2 =*/34).string(message.documentationUrl);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   FeatureFlag.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.capabilities.v1.FeatureFlag();
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
       if (wireType !== 0)
        break;
       if (value = reader.bool())
        message.enabled = value;
       else
        delete message.enabled;
       continue;
      }
     case 3: {
       if (wireType !== 2)
        break;
       message.description = reader.stringVerify();
       message._description = "description";
       continue;
      }
     case 4: {
       if (wireType !== 2)
        break;
       message.documentationUrl = reader.stringVerify();
       message._documentationUrl = "documentationUrl";
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
   return FeatureFlag;
  })();
  return v1;
 })();
 return capabilities;
})();
export const version = $root.version = (() => {
 const version = {};
 version.v1 = (function() {
  const v1 = {};
  v1.VersionRequest = (function() {
   const VersionRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   VersionRequest.encode = function (message, writer, _depth) {
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
   VersionRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.version.v1.VersionRequest();
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
   return VersionRequest;
  })();
  v1.VersionResponse = (function() {
   const VersionResponse = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   VersionResponse.prototype.QuerierAPI = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   VersionResponse.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.QuerierAPI != null && $Object.hasOwnProperty.call(message, "QuerierAPI") && (typeof message.QuerierAPI === "object" ? message.QuerierAPI.low || message.QuerierAPI.high : message.QuerierAPI !== 0))
     writer.uint32(/* id 1, wireType 0 =*/8).uint64(message.QuerierAPI);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   VersionResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.version.v1.VersionResponse();
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
        message.QuerierAPI = value;
       else
        delete message.QuerierAPI;
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
   return VersionResponse;
  })();
  return v1;
 })();
 return version;
})();
export {
  $root as default
};
