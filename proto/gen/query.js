// Generated from parca/query/v1alpha1/query.proto by tools/generate/proto.mjs. Do not edit.
import $protobuf from "protobufjs/minimal.js";
// Common aliases
const $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
const $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError;
// Exported root namespace
const $root = $protobuf.roots["parca-query"] || ($protobuf.roots["parca-query"] = {});
export const parca = $root.parca = (() => {
 const parca = {};
 parca.query = (function() {
  const query = {};
  query.v1alpha1 = (function() {
   const v1alpha1 = {};
   v1alpha1.ProfileTypesRequest = (function() {
    const ProfileTypesRequest = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    ProfileTypesRequest.prototype.start = null;
    ProfileTypesRequest.prototype.end = null;
    // OneOf field names bound to virtual getters and setters
    let $oneOfFields;
    // Virtual OneOf for proto3 optional field
    $Object.defineProperty(ProfileTypesRequest.prototype, "_start", {
     get: $util.oneOfGetter($oneOfFields = ["start"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    // Virtual OneOf for proto3 optional field
    $Object.defineProperty(ProfileTypesRequest.prototype, "_end", {
     get: $util.oneOfGetter($oneOfFields = ["end"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    ProfileTypesRequest.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.start != null && $Object.hasOwnProperty.call(message, "start"))
      $root.google.protobuf.Timestamp.encode(message.start, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
     if (message.end != null && $Object.hasOwnProperty.call(message, "end"))
      $root.google.protobuf.Timestamp.encode(message.end, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
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
     message = _target || new $root.parca.query.v1alpha1.ProfileTypesRequest();
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
        message.start = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.start);
        message._start = "start";
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        message.end = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.end);
        message._end = "end";
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
   v1alpha1.ProfileTypesResponse = (function() {
    const ProfileTypesResponse = function (properties) {
     this.types = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    ProfileTypesResponse.prototype.types = $util.emptyArray;
    ProfileTypesResponse.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.types != null && message.types.length)
      for (let i = 0; i < message.types.length; ++i)
       $root.parca.query.v1alpha1.ProfileType.encode(message.types[i], writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
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
     message = _target || new $root.parca.query.v1alpha1.ProfileTypesResponse();
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
        if (!(message.types && message.types.length))
         message.types = [];
        message.types.push($root.parca.query.v1alpha1.ProfileType.decode(reader, reader.size(), $undefined, _depth + 1));
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
   v1alpha1.ProfileType = (function() {
    const ProfileType = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    ProfileType.prototype.name = "";
    ProfileType.prototype.sampleType = "";
    ProfileType.prototype.sampleUnit = "";
    ProfileType.prototype.periodType = "";
    ProfileType.prototype.periodUnit = "";
    ProfileType.prototype.delta = false;
    ProfileType.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.name);
     if (message.sampleType != null && $Object.hasOwnProperty.call(message, "sampleType") && message.sampleType !== "")
      writer.uint32(/* id 2, wireType 2 =*/18).string(message.sampleType);
     if (message.sampleUnit != null && $Object.hasOwnProperty.call(message, "sampleUnit") && message.sampleUnit !== "")
      writer.uint32(/* id 3, wireType 2 =*/26).string(message.sampleUnit);
     if (message.periodType != null && $Object.hasOwnProperty.call(message, "periodType") && message.periodType !== "")
      writer.uint32(/* id 4, wireType 2 =*/34).string(message.periodType);
     if (message.periodUnit != null && $Object.hasOwnProperty.call(message, "periodUnit") && message.periodUnit !== "")
      writer.uint32(/* id 5, wireType 2 =*/42).string(message.periodUnit);
     if (message.delta != null && $Object.hasOwnProperty.call(message, "delta") && message.delta !== false)
      writer.uint32(/* id 6, wireType 0 =*/48).bool(message.delta);
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
     message = _target || new $root.parca.query.v1alpha1.ProfileType();
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
         message.sampleType = value;
        else
         delete message.sampleType;
        continue;
       }
      case 3: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
         message.sampleUnit = value;
        else
         delete message.sampleUnit;
        continue;
       }
      case 4: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
         message.periodType = value;
        else
         delete message.periodType;
        continue;
       }
      case 5: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
         message.periodUnit = value;
        else
         delete message.periodUnit;
        continue;
       }
      case 6: {
        if (wireType !== 0)
         break;
        if (value = reader.bool())
         message.delta = value;
        else
         delete message.delta;
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
   v1alpha1.QueryRangeRequest = (function() {
    const QueryRangeRequest = function (properties) {
     this.sumBy = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    QueryRangeRequest.prototype.query = "";
    QueryRangeRequest.prototype.start = null;
    QueryRangeRequest.prototype.end = null;
    QueryRangeRequest.prototype.limit = 0;
    QueryRangeRequest.prototype.step = null;
    QueryRangeRequest.prototype.sumBy = $util.emptyArray;
    QueryRangeRequest.prototype.averages = false;
    QueryRangeRequest.prototype.byFirstLabel = false;
    QueryRangeRequest.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.query != null && $Object.hasOwnProperty.call(message, "query") && message.query !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.query);
     if (message.start != null && $Object.hasOwnProperty.call(message, "start"))
      $root.google.protobuf.Timestamp.encode(message.start, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
     if (message.end != null && $Object.hasOwnProperty.call(message, "end"))
      $root.google.protobuf.Timestamp.encode(message.end, writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
     if (message.limit != null && $Object.hasOwnProperty.call(message, "limit") && message.limit !== 0)
      writer.uint32(/* id 4, wireType 0 =*/32).uint32(message.limit);
     if (message.step != null && $Object.hasOwnProperty.call(message, "step"))
      $root.google.protobuf.Duration.encode(message.step, writer.uint32(/* id 5, wireType 2 =*/42).fork(), _depth + 1).ldelim();
     if (message.sumBy != null && message.sumBy.length)
      for (let i = 0; i < message.sumBy.length; ++i)
       writer.uint32(/* id 6, wireType 2 =*/50).string(message.sumBy[i]);
     if (message.averages != null && $Object.hasOwnProperty.call(message, "averages") && message.averages !== false)
      writer.uint32(/* id 100, wireType 0 =*/800).bool(message.averages);
     if (message.byFirstLabel != null && $Object.hasOwnProperty.call(message, "byFirstLabel") && message.byFirstLabel !== false)
      writer.uint32(/* id 101, wireType 0 =*/808).bool(message.byFirstLabel);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    QueryRangeRequest.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.QueryRangeRequest();
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
         message.query = value;
        else
         delete message.query;
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        message.start = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.start);
        continue;
       }
      case 3: {
        if (wireType !== 2)
         break;
        message.end = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.end);
        continue;
       }
      case 4: {
        if (wireType !== 0)
         break;
        if (value = reader.uint32())
         message.limit = value;
        else
         delete message.limit;
        continue;
       }
      case 5: {
        if (wireType !== 2)
         break;
        message.step = $root.google.protobuf.Duration.decode(reader, reader.size(), $undefined, _depth + 1, message.step);
        continue;
       }
      case 6: {
        if (wireType !== 2)
         break;
        if (!(message.sumBy && message.sumBy.length))
         message.sumBy = [];
        message.sumBy.push(reader.stringVerify());
        continue;
       }
      case 100: {
        if (wireType !== 0)
         break;
        if (value = reader.bool())
         message.averages = value;
        else
         delete message.averages;
        continue;
       }
      case 101: {
        if (wireType !== 0)
         break;
        if (value = reader.bool())
         message.byFirstLabel = value;
        else
         delete message.byFirstLabel;
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
    return QueryRangeRequest;
   })();
   v1alpha1.QueryRangeResponse = (function() {
    const QueryRangeResponse = function (properties) {
     this.series = [];
     this.warnings = [];
     this.profileTypes = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    QueryRangeResponse.prototype.series = $util.emptyArray;
    QueryRangeResponse.prototype.warnings = $util.emptyArray;
    QueryRangeResponse.prototype.profileTypes = $util.emptyArray;
    QueryRangeResponse.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.series != null && message.series.length)
      for (let i = 0; i < message.series.length; ++i)
       $root.parca.query.v1alpha1.MetricsSeries.encode(message.series[i], writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
     if (message.warnings != null && message.warnings.length)
      for (let i = 0; i < message.warnings.length; ++i)
       writer.uint32(/* id 100, wireType 2 =*/802).string(message.warnings[i]);
     if (message.profileTypes != null && message.profileTypes.length)
      for (let i = 0; i < message.profileTypes.length; ++i)
       writer.uint32(/* id 101, wireType 2 =*/810).string(message.profileTypes[i]);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    QueryRangeResponse.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.QueryRangeResponse();
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
        message.series.push($root.parca.query.v1alpha1.MetricsSeries.decode(reader, reader.size(), $undefined, _depth + 1));
        continue;
       }
      case 100: {
        if (wireType !== 2)
         break;
        if (!(message.warnings && message.warnings.length))
         message.warnings = [];
        message.warnings.push(reader.stringVerify());
        continue;
       }
      case 101: {
        if (wireType !== 2)
         break;
        if (!(message.profileTypes && message.profileTypes.length))
         message.profileTypes = [];
        message.profileTypes.push(reader.stringVerify());
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
    return QueryRangeResponse;
   })();
   v1alpha1.MetricsSeries = (function() {
    const MetricsSeries = function (properties) {
     this.samples = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    MetricsSeries.prototype.labelset = null;
    MetricsSeries.prototype.samples = $util.emptyArray;
    MetricsSeries.prototype.periodType = null;
    MetricsSeries.prototype.sampleType = null;
    MetricsSeries.prototype.total = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    MetricsSeries.prototype.average = 0;
    MetricsSeries.prototype.coveredNanos = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    MetricsSeries.prototype.snapshots = 0;
    MetricsSeries.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.labelset != null && $Object.hasOwnProperty.call(message, "labelset"))
      $root.parca.profilestore.v1alpha1.LabelSet.encode(message.labelset, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
     if (message.samples != null && message.samples.length)
      for (let i = 0; i < message.samples.length; ++i)
       $root.parca.query.v1alpha1.MetricsSample.encode(message.samples[i], writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
     if (message.periodType != null && $Object.hasOwnProperty.call(message, "periodType"))
      $root.parca.query.v1alpha1.ValueType.encode(message.periodType, writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
     if (message.sampleType != null && $Object.hasOwnProperty.call(message, "sampleType"))
      $root.parca.query.v1alpha1.ValueType.encode(message.sampleType, writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
     if (message.total != null && $Object.hasOwnProperty.call(message, "total") && (typeof message.total === "object" ? message.total.low || message.total.high : message.total !== 0))
      writer.uint32(/* id 100, wireType 0 =*/800).int64(message.total);
     if (message.average != null && $Object.hasOwnProperty.call(message, "average") && !$Object.is(message.average, 0))
      writer.uint32(/* id 101, wireType 1 =*/809).double(message.average);
     if (message.coveredNanos != null && $Object.hasOwnProperty.call(message, "coveredNanos") && (typeof message.coveredNanos === "object" ? message.coveredNanos.low || message.coveredNanos.high : message.coveredNanos !== 0))
      writer.uint32(/* id 102, wireType 0 =*/816).int64(message.coveredNanos);
     if (message.snapshots != null && $Object.hasOwnProperty.call(message, "snapshots") && !$Object.is(message.snapshots, 0))
      writer.uint32(/* id 103, wireType 1 =*/825).double(message.snapshots);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    MetricsSeries.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.MetricsSeries();
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
        message.labelset = $root.parca.profilestore.v1alpha1.LabelSet.decode(reader, reader.size(), $undefined, _depth + 1, message.labelset);
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        if (!(message.samples && message.samples.length))
         message.samples = [];
        message.samples.push($root.parca.query.v1alpha1.MetricsSample.decode(reader, reader.size(), $undefined, _depth + 1));
        continue;
       }
      case 3: {
        if (wireType !== 2)
         break;
        message.periodType = $root.parca.query.v1alpha1.ValueType.decode(reader, reader.size(), $undefined, _depth + 1, message.periodType);
        continue;
       }
      case 4: {
        if (wireType !== 2)
         break;
        message.sampleType = $root.parca.query.v1alpha1.ValueType.decode(reader, reader.size(), $undefined, _depth + 1, message.sampleType);
        continue;
       }
      case 100: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.total = value;
        else
         delete message.total;
        continue;
       }
      case 101: {
        if (wireType !== 1)
         break;
        if (!$Object.is(value = reader.double(), 0))
         message.average = value;
        else
         delete message.average;
        continue;
       }
      case 102: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.coveredNanos = value;
        else
         delete message.coveredNanos;
        continue;
       }
      case 103: {
        if (wireType !== 1)
         break;
        if (!$Object.is(value = reader.double(), 0))
         message.snapshots = value;
        else
         delete message.snapshots;
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
    return MetricsSeries;
   })();
   v1alpha1.MetricsSample = (function() {
    const MetricsSample = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    MetricsSample.prototype.timestamp = null;
    MetricsSample.prototype.value = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    MetricsSample.prototype.valuePerSecond = 0;
    MetricsSample.prototype.duration = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    MetricsSample.prototype.count = 0;
    MetricsSample.prototype.rate = 0;
    MetricsSample.prototype.coveredNanos = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    MetricsSample.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.timestamp != null && $Object.hasOwnProperty.call(message, "timestamp"))
      $root.google.protobuf.Timestamp.encode(message.timestamp, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
     if (message.value != null && $Object.hasOwnProperty.call(message, "value") && (typeof message.value === "object" ? message.value.low || message.value.high : message.value !== 0))
      writer.uint32(/* id 2, wireType 0 =*/16).int64(message.value);
     if (message.valuePerSecond != null && $Object.hasOwnProperty.call(message, "valuePerSecond") && !$Object.is(message.valuePerSecond, 0))
      writer.uint32(/* id 3, wireType 1 =*/25).double(message.valuePerSecond);
     if (message.duration != null && $Object.hasOwnProperty.call(message, "duration") && (typeof message.duration === "object" ? message.duration.low || message.duration.high : message.duration !== 0))
      writer.uint32(/* id 4, wireType 0 =*/32).int64(message.duration);
     if (message.count != null && $Object.hasOwnProperty.call(message, "count") && message.count !== 0)
      writer.uint32(/* id 5, wireType 0 =*/40).int32(message.count);
     if (message.rate != null && $Object.hasOwnProperty.call(message, "rate") && !$Object.is(message.rate, 0))
      writer.uint32(/* id 100, wireType 1 =*/801).double(message.rate);
     if (message.coveredNanos != null && $Object.hasOwnProperty.call(message, "coveredNanos") && (typeof message.coveredNanos === "object" ? message.coveredNanos.low || message.coveredNanos.high : message.coveredNanos !== 0))
      writer.uint32(/* id 101, wireType 0 =*/808).int64(message.coveredNanos);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    MetricsSample.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.MetricsSample();
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
        message.timestamp = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.timestamp);
        continue;
       }
      case 2: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.value = value;
        else
         delete message.value;
        continue;
       }
      case 3: {
        if (wireType !== 1)
         break;
        if (!$Object.is(value = reader.double(), 0))
         message.valuePerSecond = value;
        else
         delete message.valuePerSecond;
        continue;
       }
      case 4: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.duration = value;
        else
         delete message.duration;
        continue;
       }
      case 5: {
        if (wireType !== 0)
         break;
        if (value = reader.int32())
         message.count = value;
        else
         delete message.count;
        continue;
       }
      case 100: {
        if (wireType !== 1)
         break;
        if (!$Object.is(value = reader.double(), 0))
         message.rate = value;
        else
         delete message.rate;
        continue;
       }
      case 101: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.coveredNanos = value;
        else
         delete message.coveredNanos;
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
    return MetricsSample;
   })();
   v1alpha1.MergeProfile = (function() {
    const MergeProfile = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    MergeProfile.prototype.query = "";
    MergeProfile.prototype.start = null;
    MergeProfile.prototype.end = null;
    MergeProfile.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.query != null && $Object.hasOwnProperty.call(message, "query") && message.query !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.query);
     if (message.start != null && $Object.hasOwnProperty.call(message, "start"))
      $root.google.protobuf.Timestamp.encode(message.start, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
     if (message.end != null && $Object.hasOwnProperty.call(message, "end"))
      $root.google.protobuf.Timestamp.encode(message.end, writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    MergeProfile.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.MergeProfile();
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
         message.query = value;
        else
         delete message.query;
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        message.start = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.start);
        continue;
       }
      case 3: {
        if (wireType !== 2)
         break;
        message.end = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.end);
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
    return MergeProfile;
   })();
   v1alpha1.SingleProfile = (function() {
    const SingleProfile = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    SingleProfile.prototype.time = null;
    SingleProfile.prototype.query = "";
    SingleProfile.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.time != null && $Object.hasOwnProperty.call(message, "time"))
      $root.google.protobuf.Timestamp.encode(message.time, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
     if (message.query != null && $Object.hasOwnProperty.call(message, "query") && message.query !== "")
      writer.uint32(/* id 2, wireType 2 =*/18).string(message.query);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    SingleProfile.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.SingleProfile();
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
        message.time = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.time);
        continue;
       }
      case 2: {
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
    return SingleProfile;
   })();
   v1alpha1.DiffProfile = (function() {
    const DiffProfile = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    DiffProfile.prototype.a = null;
    DiffProfile.prototype.b = null;
    DiffProfile.prototype.absolute = null;
    // OneOf field names bound to virtual getters and setters
    let $oneOfFields;
    // Virtual OneOf for proto3 optional field
    $Object.defineProperty(DiffProfile.prototype, "_absolute", {
     get: $util.oneOfGetter($oneOfFields = ["absolute"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    DiffProfile.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.a != null && $Object.hasOwnProperty.call(message, "a"))
      $root.parca.query.v1alpha1.ProfileDiffSelection.encode(message.a, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
     if (message.b != null && $Object.hasOwnProperty.call(message, "b"))
      $root.parca.query.v1alpha1.ProfileDiffSelection.encode(message.b, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
     if (message.absolute != null && $Object.hasOwnProperty.call(message, "absolute"))
      writer.uint32(/* id 3, wireType 0 =*/24).bool(message.absolute);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    DiffProfile.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.DiffProfile();
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
        message.a = $root.parca.query.v1alpha1.ProfileDiffSelection.decode(reader, reader.size(), $undefined, _depth + 1, message.a);
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        message.b = $root.parca.query.v1alpha1.ProfileDiffSelection.decode(reader, reader.size(), $undefined, _depth + 1, message.b);
        continue;
       }
      case 3: {
        if (wireType !== 0)
         break;
        message.absolute = reader.bool();
        message._absolute = "absolute";
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
    return DiffProfile;
   })();
   v1alpha1.ProfileDiffSelection = (function() {
    const ProfileDiffSelection = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    ProfileDiffSelection.prototype.mode = 0;
    ProfileDiffSelection.prototype.merge = null;
    ProfileDiffSelection.prototype.single = null;
    // OneOf field names bound to virtual getters and setters
    let $oneOfFields;
    $Object.defineProperty(ProfileDiffSelection.prototype, "options", {
     get: $util.oneOfGetter($oneOfFields = ["merge", "single"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    ProfileDiffSelection.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.mode != null && $Object.hasOwnProperty.call(message, "mode") && message.mode !== 0)
      writer.uint32(/* id 1, wireType 0 =*/8).int32(message.mode);
     if (message.merge != null && $Object.hasOwnProperty.call(message, "merge"))
      $root.parca.query.v1alpha1.MergeProfile.encode(message.merge, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
     if (message.single != null && $Object.hasOwnProperty.call(message, "single"))
      $root.parca.query.v1alpha1.SingleProfile.encode(message.single, writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    ProfileDiffSelection.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.ProfileDiffSelection();
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
         message.mode = value;
        else
         delete message.mode;
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        message.merge = $root.parca.query.v1alpha1.MergeProfile.decode(reader, reader.size(), $undefined, _depth + 1, message.merge);
        message.options = "merge";
        continue;
       }
      case 3: {
        if (wireType !== 2)
         break;
        message.single = $root.parca.query.v1alpha1.SingleProfile.decode(reader, reader.size(), $undefined, _depth + 1, message.single);
        message.options = "single";
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
    ProfileDiffSelection.Mode = (function() {
     const valuesById = $Object.create(null), values = $Object.create(valuesById);
     values[valuesById[0] = "MODE_SINGLE_UNSPECIFIED"] = 0;
     values[valuesById[1] = "MODE_MERGE"] = 1;
     return values;
    })();
    return ProfileDiffSelection;
   })();
   v1alpha1.QueryRequest = (function() {
    const QueryRequest = function (properties) {
     this.filter = [];
     this.zoomPath = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    QueryRequest.prototype.mode = 0;
    QueryRequest.prototype.diff = null;
    QueryRequest.prototype.merge = null;
    QueryRequest.prototype.single = null;
    QueryRequest.prototype.reportType = 0;
    QueryRequest.prototype.filterQuery = null;
    QueryRequest.prototype.nodeTrimThreshold = null;
    QueryRequest.prototype.groupBy = null;
    QueryRequest.prototype.sourceReference = null;
    QueryRequest.prototype.runtimeFilter = null;
    QueryRequest.prototype.invertCallStack = null;
    QueryRequest.prototype.filter = $util.emptyArray;
    QueryRequest.prototype.sandwichByFunction = null;
    QueryRequest.prototype.rootTrimThreshold = null;
    QueryRequest.prototype.search = null;
    QueryRequest.prototype.zoomPath = $util.emptyArray;
    QueryRequest.prototype.topLimit = null;
    QueryRequest.prototype.topRecord = null;
    // OneOf field names bound to virtual getters and setters
    let $oneOfFields;
    $Object.defineProperty(QueryRequest.prototype, "options", {
     get: $util.oneOfGetter($oneOfFields = ["diff", "merge", "single"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    // Virtual OneOf for proto3 optional field
    $Object.defineProperty(QueryRequest.prototype, "_filterQuery", {
     get: $util.oneOfGetter($oneOfFields = ["filterQuery"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    // Virtual OneOf for proto3 optional field
    $Object.defineProperty(QueryRequest.prototype, "_nodeTrimThreshold", {
     get: $util.oneOfGetter($oneOfFields = ["nodeTrimThreshold"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    // Virtual OneOf for proto3 optional field
    $Object.defineProperty(QueryRequest.prototype, "_groupBy", {
     get: $util.oneOfGetter($oneOfFields = ["groupBy"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    // Virtual OneOf for proto3 optional field
    $Object.defineProperty(QueryRequest.prototype, "_sourceReference", {
     get: $util.oneOfGetter($oneOfFields = ["sourceReference"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    // Virtual OneOf for proto3 optional field
    $Object.defineProperty(QueryRequest.prototype, "_runtimeFilter", {
     get: $util.oneOfGetter($oneOfFields = ["runtimeFilter"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    // Virtual OneOf for proto3 optional field
    $Object.defineProperty(QueryRequest.prototype, "_invertCallStack", {
     get: $util.oneOfGetter($oneOfFields = ["invertCallStack"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    // Virtual OneOf for proto3 optional field
    $Object.defineProperty(QueryRequest.prototype, "_sandwichByFunction", {
     get: $util.oneOfGetter($oneOfFields = ["sandwichByFunction"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    // Virtual OneOf for proto3 optional field
    $Object.defineProperty(QueryRequest.prototype, "_rootTrimThreshold", {
     get: $util.oneOfGetter($oneOfFields = ["rootTrimThreshold"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    // Virtual OneOf for proto3 optional field
    $Object.defineProperty(QueryRequest.prototype, "_search", {
     get: $util.oneOfGetter($oneOfFields = ["search"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    // Virtual OneOf for proto3 optional field
    $Object.defineProperty(QueryRequest.prototype, "_topLimit", {
     get: $util.oneOfGetter($oneOfFields = ["topLimit"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    // Virtual OneOf for proto3 optional field
    $Object.defineProperty(QueryRequest.prototype, "_topRecord", {
     get: $util.oneOfGetter($oneOfFields = ["topRecord"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    QueryRequest.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.mode != null && $Object.hasOwnProperty.call(message, "mode") && message.mode !== 0)
      writer.uint32(/* id 1, wireType 0 =*/8).int32(message.mode);
     if (message.diff != null && $Object.hasOwnProperty.call(message, "diff"))
      $root.parca.query.v1alpha1.DiffProfile.encode(message.diff, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
     if (message.merge != null && $Object.hasOwnProperty.call(message, "merge"))
      $root.parca.query.v1alpha1.MergeProfile.encode(message.merge, writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
     if (message.single != null && $Object.hasOwnProperty.call(message, "single"))
      $root.parca.query.v1alpha1.SingleProfile.encode(message.single, writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
     if (message.reportType != null && $Object.hasOwnProperty.call(message, "reportType") && message.reportType !== 0)
      writer.uint32(/* id 5, wireType 0 =*/40).int32(message.reportType);
     if (message.filterQuery != null && $Object.hasOwnProperty.call(message, "filterQuery"))
      writer.uint32(/* id 6, wireType 2 =*/50).string(message.filterQuery);
     if (message.nodeTrimThreshold != null && $Object.hasOwnProperty.call(message, "nodeTrimThreshold"))
      writer.uint32(/* id 7, wireType 5 =*/61).float(message.nodeTrimThreshold);
     if (message.groupBy != null && $Object.hasOwnProperty.call(message, "groupBy"))
      $root.parca.query.v1alpha1.GroupBy.encode(message.groupBy, writer.uint32(/* id 8, wireType 2 =*/66).fork(), _depth + 1).ldelim();
     if (message.sourceReference != null && $Object.hasOwnProperty.call(message, "sourceReference"))
      $root.parca.query.v1alpha1.SourceReference.encode(message.sourceReference, writer.uint32(/* id 9, wireType 2 =*/74).fork(), _depth + 1).ldelim();
     if (message.runtimeFilter != null && $Object.hasOwnProperty.call(message, "runtimeFilter"))
      $root.parca.query.v1alpha1.RuntimeFilter.encode(message.runtimeFilter, writer.uint32(/* id 10, wireType 2 =*/82).fork(), _depth + 1).ldelim();
     if (message.invertCallStack != null && $Object.hasOwnProperty.call(message, "invertCallStack"))
      writer.uint32(/* id 11, wireType 0 =*/88).bool(message.invertCallStack);
     if (message.filter != null && message.filter.length)
      for (let i = 0; i < message.filter.length; ++i)
       $root.parca.query.v1alpha1.Filter.encode(message.filter[i], writer.uint32(/* id 12, wireType 2 =*/98).fork(), _depth + 1).ldelim();
     if (message.sandwichByFunction != null && $Object.hasOwnProperty.call(message, "sandwichByFunction"))
      writer.uint32(/* id 13, wireType 2 =*/106).string(message.sandwichByFunction);
     if (message.rootTrimThreshold != null && $Object.hasOwnProperty.call(message, "rootTrimThreshold"))
      writer.uint32(/* id 100, wireType 5 =*/805).float(message.rootTrimThreshold);
     if (message.search != null && $Object.hasOwnProperty.call(message, "search"))
      $root.parca.query.v1alpha1.NameSearch.encode(message.search, writer.uint32(/* id 110, wireType 2 =*/882).fork(), _depth + 1).ldelim();
     if (message.zoomPath != null && message.zoomPath.length)
      for (let i = 0; i < message.zoomPath.length; ++i)
       writer.uint32(/* id 111, wireType 2 =*/890).string(message.zoomPath[i]);
     if (message.topLimit != null && $Object.hasOwnProperty.call(message, "topLimit"))
      $root.parca.query.v1alpha1.TopLimit.encode(message.topLimit, writer.uint32(/* id 112, wireType 2 =*/898).fork(), _depth + 1).ldelim();
     if (message.topRecord != null && $Object.hasOwnProperty.call(message, "topRecord"))
      writer.uint32(/* id 113, wireType 0 =*/904).bool(message.topRecord);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    QueryRequest.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.QueryRequest();
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
         message.mode = value;
        else
         delete message.mode;
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        message.diff = $root.parca.query.v1alpha1.DiffProfile.decode(reader, reader.size(), $undefined, _depth + 1, message.diff);
        message.options = "diff";
        continue;
       }
      case 3: {
        if (wireType !== 2)
         break;
        message.merge = $root.parca.query.v1alpha1.MergeProfile.decode(reader, reader.size(), $undefined, _depth + 1, message.merge);
        message.options = "merge";
        continue;
       }
      case 4: {
        if (wireType !== 2)
         break;
        message.single = $root.parca.query.v1alpha1.SingleProfile.decode(reader, reader.size(), $undefined, _depth + 1, message.single);
        message.options = "single";
        continue;
       }
      case 5: {
        if (wireType !== 0)
         break;
        if (value = reader.int32())
         message.reportType = value;
        else
         delete message.reportType;
        continue;
       }
      case 6: {
        if (wireType !== 2)
         break;
        message.filterQuery = reader.stringVerify();
        message._filterQuery = "filterQuery";
        continue;
       }
      case 7: {
        if (wireType !== 5)
         break;
        message.nodeTrimThreshold = reader.float();
        message._nodeTrimThreshold = "nodeTrimThreshold";
        continue;
       }
      case 8: {
        if (wireType !== 2)
         break;
        message.groupBy = $root.parca.query.v1alpha1.GroupBy.decode(reader, reader.size(), $undefined, _depth + 1, message.groupBy);
        message._groupBy = "groupBy";
        continue;
       }
      case 9: {
        if (wireType !== 2)
         break;
        message.sourceReference = $root.parca.query.v1alpha1.SourceReference.decode(reader, reader.size(), $undefined, _depth + 1, message.sourceReference);
        message._sourceReference = "sourceReference";
        continue;
       }
      case 10: {
        if (wireType !== 2)
         break;
        message.runtimeFilter = $root.parca.query.v1alpha1.RuntimeFilter.decode(reader, reader.size(), $undefined, _depth + 1, message.runtimeFilter);
        message._runtimeFilter = "runtimeFilter";
        continue;
       }
      case 11: {
        if (wireType !== 0)
         break;
        message.invertCallStack = reader.bool();
        message._invertCallStack = "invertCallStack";
        continue;
       }
      case 12: {
        if (wireType !== 2)
         break;
        if (!(message.filter && message.filter.length))
         message.filter = [];
        message.filter.push($root.parca.query.v1alpha1.Filter.decode(reader, reader.size(), $undefined, _depth + 1));
        continue;
       }
      case 13: {
        if (wireType !== 2)
         break;
        message.sandwichByFunction = reader.stringVerify();
        message._sandwichByFunction = "sandwichByFunction";
        continue;
       }
      case 100: {
        if (wireType !== 5)
         break;
        message.rootTrimThreshold = reader.float();
        message._rootTrimThreshold = "rootTrimThreshold";
        continue;
       }
      case 110: {
        if (wireType !== 2)
         break;
        message.search = $root.parca.query.v1alpha1.NameSearch.decode(reader, reader.size(), $undefined, _depth + 1, message.search);
        message._search = "search";
        continue;
       }
      case 111: {
        if (wireType !== 2)
         break;
        if (!(message.zoomPath && message.zoomPath.length))
         message.zoomPath = [];
        message.zoomPath.push(reader.stringVerify());
        continue;
       }
      case 112: {
        if (wireType !== 2)
         break;
        message.topLimit = $root.parca.query.v1alpha1.TopLimit.decode(reader, reader.size(), $undefined, _depth + 1, message.topLimit);
        message._topLimit = "topLimit";
        continue;
       }
      case 113: {
        if (wireType !== 0)
         break;
        message.topRecord = reader.bool();
        message._topRecord = "topRecord";
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
    QueryRequest.Mode = (function() {
     const valuesById = $Object.create(null), values = $Object.create(valuesById);
     values[valuesById[0] = "MODE_SINGLE_UNSPECIFIED"] = 0;
     values[valuesById[1] = "MODE_DIFF"] = 1;
     values[valuesById[2] = "MODE_MERGE"] = 2;
     return values;
    })();
    QueryRequest.ReportType = (function() {
     const valuesById = $Object.create(null), values = $Object.create(valuesById);
     values[valuesById[0] = "REPORT_TYPE_FLAMEGRAPH_UNSPECIFIED"] = 0;
     values[valuesById[1] = "REPORT_TYPE_PPROF"] = 1;
     values[valuesById[2] = "REPORT_TYPE_TOP"] = 2;
     values[valuesById[3] = "REPORT_TYPE_CALLGRAPH"] = 3;
     values[valuesById[4] = "REPORT_TYPE_FLAMEGRAPH_TABLE"] = 4;
     values[valuesById[5] = "REPORT_TYPE_FLAMEGRAPH_ARROW"] = 5;
     values[valuesById[6] = "REPORT_TYPE_SOURCE"] = 6;
     values[valuesById[7] = "REPORT_TYPE_TABLE_ARROW"] = 7;
     values[valuesById[8] = "REPORT_TYPE_PROFILE_METADATA"] = 8;
     values[valuesById[9] = "REPORT_TYPE_FLAMECHART"] = 9;
     return values;
    })();
    return QueryRequest;
   })();
   v1alpha1.TopLimit = (function() {
    const TopLimit = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    TopLimit.prototype.count = 0;
    TopLimit.prototype.cumulative = false;
    TopLimit.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.count != null && $Object.hasOwnProperty.call(message, "count") && message.count !== 0)
      writer.uint32(/* id 1, wireType 0 =*/8).uint32(message.count);
     if (message.cumulative != null && $Object.hasOwnProperty.call(message, "cumulative") && message.cumulative !== false)
      writer.uint32(/* id 2, wireType 0 =*/16).bool(message.cumulative);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    TopLimit.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.TopLimit();
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
         message.count = value;
        else
         delete message.count;
        continue;
       }
      case 2: {
        if (wireType !== 0)
         break;
        if (value = reader.bool())
         message.cumulative = value;
        else
         delete message.cumulative;
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
    return TopLimit;
   })();
   v1alpha1.NameSearch = (function() {
    const NameSearch = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    NameSearch.prototype.text = "";
    NameSearch.prototype.mode = 0;
    NameSearch.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.text != null && $Object.hasOwnProperty.call(message, "text") && message.text !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.text);
     if (message.mode != null && $Object.hasOwnProperty.call(message, "mode") && message.mode !== 0)
      writer.uint32(/* id 2, wireType 0 =*/16).int32(message.mode);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    NameSearch.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.NameSearch();
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
         message.text = value;
        else
         delete message.text;
        continue;
       }
      case 2: {
        if (wireType !== 0)
         break;
        if (value = reader.int32())
         message.mode = value;
        else
         delete message.mode;
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
    NameSearch.Mode = (function() {
     const valuesById = $Object.create(null), values = $Object.create(valuesById);
     values[valuesById[0] = "MODE_TEXT_UNSPECIFIED"] = 0;
     values[valuesById[1] = "MODE_REGEX"] = 1;
     values[valuesById[2] = "MODE_CASE"] = 2;
     return values;
    })();
    return NameSearch;
   })();
   v1alpha1.FilterCriteria = (function() {
    const FilterCriteria = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    FilterCriteria.prototype.functionName = null;
    FilterCriteria.prototype.systemName = null;
    FilterCriteria.prototype.binary = null;
    FilterCriteria.prototype.filename = null;
    FilterCriteria.prototype.address = null;
    FilterCriteria.prototype.lineNumber = null;
    FilterCriteria.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.functionName != null && $Object.hasOwnProperty.call(message, "functionName"))
      $root.parca.query.v1alpha1.StringCondition.encode(message.functionName, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
     if (message.systemName != null && $Object.hasOwnProperty.call(message, "systemName"))
      $root.parca.query.v1alpha1.StringCondition.encode(message.systemName, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
     if (message.binary != null && $Object.hasOwnProperty.call(message, "binary"))
      $root.parca.query.v1alpha1.StringCondition.encode(message.binary, writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
     if (message.filename != null && $Object.hasOwnProperty.call(message, "filename"))
      $root.parca.query.v1alpha1.StringCondition.encode(message.filename, writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
     if (message.address != null && $Object.hasOwnProperty.call(message, "address"))
      $root.parca.query.v1alpha1.NumberCondition.encode(message.address, writer.uint32(/* id 5, wireType 2 =*/42).fork(), _depth + 1).ldelim();
     if (message.lineNumber != null && $Object.hasOwnProperty.call(message, "lineNumber"))
      $root.parca.query.v1alpha1.NumberCondition.encode(message.lineNumber, writer.uint32(/* id 6, wireType 2 =*/50).fork(), _depth + 1).ldelim();
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    FilterCriteria.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.FilterCriteria();
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
        message.functionName = $root.parca.query.v1alpha1.StringCondition.decode(reader, reader.size(), $undefined, _depth + 1, message.functionName);
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        message.systemName = $root.parca.query.v1alpha1.StringCondition.decode(reader, reader.size(), $undefined, _depth + 1, message.systemName);
        continue;
       }
      case 3: {
        if (wireType !== 2)
         break;
        message.binary = $root.parca.query.v1alpha1.StringCondition.decode(reader, reader.size(), $undefined, _depth + 1, message.binary);
        continue;
       }
      case 4: {
        if (wireType !== 2)
         break;
        message.filename = $root.parca.query.v1alpha1.StringCondition.decode(reader, reader.size(), $undefined, _depth + 1, message.filename);
        continue;
       }
      case 5: {
        if (wireType !== 2)
         break;
        message.address = $root.parca.query.v1alpha1.NumberCondition.decode(reader, reader.size(), $undefined, _depth + 1, message.address);
        continue;
       }
      case 6: {
        if (wireType !== 2)
         break;
        message.lineNumber = $root.parca.query.v1alpha1.NumberCondition.decode(reader, reader.size(), $undefined, _depth + 1, message.lineNumber);
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
    return FilterCriteria;
   })();
   v1alpha1.StringCondition = (function() {
    const StringCondition = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    StringCondition.prototype.equal = null;
    StringCondition.prototype.notEqual = null;
    StringCondition.prototype.contains = null;
    StringCondition.prototype.notContains = null;
    StringCondition.prototype.startsWith = null;
    StringCondition.prototype.notStartsWith = null;
    // OneOf field names bound to virtual getters and setters
    let $oneOfFields;
    $Object.defineProperty(StringCondition.prototype, "condition", {
     get: $util.oneOfGetter($oneOfFields = ["equal", "notEqual", "contains", "notContains", "startsWith", "notStartsWith"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    StringCondition.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.equal != null && $Object.hasOwnProperty.call(message, "equal"))
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.equal);
     if (message.notEqual != null && $Object.hasOwnProperty.call(message, "notEqual"))
      writer.uint32(/* id 2, wireType 2 =*/18).string(message.notEqual);
     if (message.contains != null && $Object.hasOwnProperty.call(message, "contains"))
      writer.uint32(/* id 3, wireType 2 =*/26).string(message.contains);
     if (message.notContains != null && $Object.hasOwnProperty.call(message, "notContains"))
      writer.uint32(/* id 4, wireType 2 =*/34).string(message.notContains);
     if (message.startsWith != null && $Object.hasOwnProperty.call(message, "startsWith"))
      writer.uint32(/* id 5, wireType 2 =*/42).string(message.startsWith);
     if (message.notStartsWith != null && $Object.hasOwnProperty.call(message, "notStartsWith"))
      writer.uint32(/* id 6, wireType 2 =*/50).string(message.notStartsWith);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    StringCondition.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.StringCondition();
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
        message.equal = reader.stringVerify();
        message.condition = "equal";
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        message.notEqual = reader.stringVerify();
        message.condition = "notEqual";
        continue;
       }
      case 3: {
        if (wireType !== 2)
         break;
        message.contains = reader.stringVerify();
        message.condition = "contains";
        continue;
       }
      case 4: {
        if (wireType !== 2)
         break;
        message.notContains = reader.stringVerify();
        message.condition = "notContains";
        continue;
       }
      case 5: {
        if (wireType !== 2)
         break;
        message.startsWith = reader.stringVerify();
        message.condition = "startsWith";
        continue;
       }
      case 6: {
        if (wireType !== 2)
         break;
        message.notStartsWith = reader.stringVerify();
        message.condition = "notStartsWith";
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
    return StringCondition;
   })();
   v1alpha1.NumberCondition = (function() {
    const NumberCondition = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    NumberCondition.prototype.equal = null;
    NumberCondition.prototype.notEqual = null;
    // OneOf field names bound to virtual getters and setters
    let $oneOfFields;
    $Object.defineProperty(NumberCondition.prototype, "condition", {
     get: $util.oneOfGetter($oneOfFields = ["equal", "notEqual"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    NumberCondition.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.equal != null && $Object.hasOwnProperty.call(message, "equal"))
      writer.uint32(/* id 1, wireType 0 =*/8).uint64(message.equal);
     if (message.notEqual != null && $Object.hasOwnProperty.call(message, "notEqual"))
      writer.uint32(/* id 2, wireType 0 =*/16).uint64(message.notEqual);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    NumberCondition.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.NumberCondition();
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
        message.equal = reader.uint64();
        message.condition = "equal";
        continue;
       }
      case 2: {
        if (wireType !== 0)
         break;
        message.notEqual = reader.uint64();
        message.condition = "notEqual";
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
    return NumberCondition;
   })();
   v1alpha1.Filter = (function() {
    const Filter = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    Filter.prototype.stackFilter = null;
    Filter.prototype.frameFilter = null;
    // OneOf field names bound to virtual getters and setters
    let $oneOfFields;
    $Object.defineProperty(Filter.prototype, "filter", {
     get: $util.oneOfGetter($oneOfFields = ["stackFilter", "frameFilter"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    Filter.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.stackFilter != null && $Object.hasOwnProperty.call(message, "stackFilter"))
      $root.parca.query.v1alpha1.StackFilter.encode(message.stackFilter, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
     if (message.frameFilter != null && $Object.hasOwnProperty.call(message, "frameFilter"))
      $root.parca.query.v1alpha1.FrameFilter.encode(message.frameFilter, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    Filter.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.Filter();
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
        message.stackFilter = $root.parca.query.v1alpha1.StackFilter.decode(reader, reader.size(), $undefined, _depth + 1, message.stackFilter);
        message.filter = "stackFilter";
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        message.frameFilter = $root.parca.query.v1alpha1.FrameFilter.decode(reader, reader.size(), $undefined, _depth + 1, message.frameFilter);
        message.filter = "frameFilter";
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
    return Filter;
   })();
   v1alpha1.StackFilter = (function() {
    const StackFilter = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    StackFilter.prototype.functionNameStackFilter = null;
    StackFilter.prototype.criteria = null;
    // OneOf field names bound to virtual getters and setters
    let $oneOfFields;
    $Object.defineProperty(StackFilter.prototype, "filter", {
     get: $util.oneOfGetter($oneOfFields = ["functionNameStackFilter", "criteria"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    StackFilter.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.functionNameStackFilter != null && $Object.hasOwnProperty.call(message, "functionNameStackFilter"))
      $root.parca.query.v1alpha1.FunctionNameStackFilter.encode(message.functionNameStackFilter, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
     if (message.criteria != null && $Object.hasOwnProperty.call(message, "criteria"))
      $root.parca.query.v1alpha1.FilterCriteria.encode(message.criteria, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    StackFilter.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.StackFilter();
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
        message.functionNameStackFilter = $root.parca.query.v1alpha1.FunctionNameStackFilter.decode(reader, reader.size(), $undefined, _depth + 1, message.functionNameStackFilter);
        message.filter = "functionNameStackFilter";
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        message.criteria = $root.parca.query.v1alpha1.FilterCriteria.decode(reader, reader.size(), $undefined, _depth + 1, message.criteria);
        message.filter = "criteria";
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
    return StackFilter;
   })();
   v1alpha1.FunctionNameStackFilter = (function() {
    const FunctionNameStackFilter = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    FunctionNameStackFilter.prototype.functionToFilter = "";
    FunctionNameStackFilter.prototype.exclude = false;
    FunctionNameStackFilter.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.functionToFilter != null && $Object.hasOwnProperty.call(message, "functionToFilter") && message.functionToFilter !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.functionToFilter);
     if (message.exclude != null && $Object.hasOwnProperty.call(message, "exclude") && message.exclude !== false)
      writer.uint32(/* id 2, wireType 0 =*/16).bool(message.exclude);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    FunctionNameStackFilter.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.FunctionNameStackFilter();
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
         message.functionToFilter = value;
        else
         delete message.functionToFilter;
        continue;
       }
      case 2: {
        if (wireType !== 0)
         break;
        if (value = reader.bool())
         message.exclude = value;
        else
         delete message.exclude;
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
    return FunctionNameStackFilter;
   })();
   v1alpha1.FrameFilter = (function() {
    const FrameFilter = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    FrameFilter.prototype.binaryFrameFilter = null;
    FrameFilter.prototype.criteria = null;
    // OneOf field names bound to virtual getters and setters
    let $oneOfFields;
    $Object.defineProperty(FrameFilter.prototype, "filter", {
     get: $util.oneOfGetter($oneOfFields = ["binaryFrameFilter", "criteria"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    FrameFilter.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.binaryFrameFilter != null && $Object.hasOwnProperty.call(message, "binaryFrameFilter"))
      $root.parca.query.v1alpha1.BinaryFrameFilter.encode(message.binaryFrameFilter, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
     if (message.criteria != null && $Object.hasOwnProperty.call(message, "criteria"))
      $root.parca.query.v1alpha1.FilterCriteria.encode(message.criteria, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    FrameFilter.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.FrameFilter();
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
        message.binaryFrameFilter = $root.parca.query.v1alpha1.BinaryFrameFilter.decode(reader, reader.size(), $undefined, _depth + 1, message.binaryFrameFilter);
        message.filter = "binaryFrameFilter";
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        message.criteria = $root.parca.query.v1alpha1.FilterCriteria.decode(reader, reader.size(), $undefined, _depth + 1, message.criteria);
        message.filter = "criteria";
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
    return FrameFilter;
   })();
   v1alpha1.BinaryFrameFilter = (function() {
    const BinaryFrameFilter = function (properties) {
     this.includeBinaries = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    BinaryFrameFilter.prototype.includeBinaries = $util.emptyArray;
    BinaryFrameFilter.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.includeBinaries != null && message.includeBinaries.length)
      for (let i = 0; i < message.includeBinaries.length; ++i)
       writer.uint32(/* id 1, wireType 2 =*/10).string(message.includeBinaries[i]);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    BinaryFrameFilter.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.BinaryFrameFilter();
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
        if (!(message.includeBinaries && message.includeBinaries.length))
         message.includeBinaries = [];
        message.includeBinaries.push(reader.stringVerify());
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
    return BinaryFrameFilter;
   })();
   v1alpha1.RuntimeFilter = (function() {
    const RuntimeFilter = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    RuntimeFilter.prototype.showPython = false;
    RuntimeFilter.prototype.showRuby = false;
    RuntimeFilter.prototype.showInterpretedOnly = false;
    RuntimeFilter.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.showPython != null && $Object.hasOwnProperty.call(message, "showPython") && message.showPython !== false)
      writer.uint32(/* id 1, wireType 0 =*/8).bool(message.showPython);
     if (message.showRuby != null && $Object.hasOwnProperty.call(message, "showRuby") && message.showRuby !== false)
      writer.uint32(/* id 2, wireType 0 =*/16).bool(message.showRuby);
     if (message.showInterpretedOnly != null && $Object.hasOwnProperty.call(message, "showInterpretedOnly") && message.showInterpretedOnly !== false)
      writer.uint32(/* id 3, wireType 0 =*/24).bool(message.showInterpretedOnly);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    RuntimeFilter.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.RuntimeFilter();
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
         message.showPython = value;
        else
         delete message.showPython;
        continue;
       }
      case 2: {
        if (wireType !== 0)
         break;
        if (value = reader.bool())
         message.showRuby = value;
        else
         delete message.showRuby;
        continue;
       }
      case 3: {
        if (wireType !== 0)
         break;
        if (value = reader.bool())
         message.showInterpretedOnly = value;
        else
         delete message.showInterpretedOnly;
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
    return RuntimeFilter;
   })();
   v1alpha1.SourceReference = (function() {
    const SourceReference = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    SourceReference.prototype.buildId = "";
    SourceReference.prototype.filename = "";
    SourceReference.prototype.sourceOnly = false;
    SourceReference.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.buildId != null && $Object.hasOwnProperty.call(message, "buildId") && message.buildId !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.buildId);
     if (message.filename != null && $Object.hasOwnProperty.call(message, "filename") && message.filename !== "")
      writer.uint32(/* id 2, wireType 2 =*/18).string(message.filename);
     if (message.sourceOnly != null && $Object.hasOwnProperty.call(message, "sourceOnly") && message.sourceOnly !== false)
      writer.uint32(/* id 3, wireType 0 =*/24).bool(message.sourceOnly);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    SourceReference.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.SourceReference();
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
         message.filename = value;
        else
         delete message.filename;
        continue;
       }
      case 3: {
        if (wireType !== 0)
         break;
        if (value = reader.bool())
         message.sourceOnly = value;
        else
         delete message.sourceOnly;
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
    return SourceReference;
   })();
   v1alpha1.GroupBy = (function() {
    const GroupBy = function (properties) {
     this.fields = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    GroupBy.prototype.fields = $util.emptyArray;
    GroupBy.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.fields != null && message.fields.length)
      for (let i = 0; i < message.fields.length; ++i)
       writer.uint32(/* id 1, wireType 2 =*/10).string(message.fields[i]);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    GroupBy.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.GroupBy();
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
        if (!(message.fields && message.fields.length))
         message.fields = [];
        message.fields.push(reader.stringVerify());
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
    return GroupBy;
   })();
   v1alpha1.Top = (function() {
    const Top = function (properties) {
     this.list = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    Top.prototype.list = $util.emptyArray;
    Top.prototype.reported = 0;
    Top.prototype.total = 0;
    Top.prototype.unit = "";
    Top.prototype.functions = 0;
    Top.prototype.record = $util.newBuffer([]);
    Top.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.list != null && message.list.length)
      for (let i = 0; i < message.list.length; ++i)
       $root.parca.query.v1alpha1.TopNode.encode(message.list[i], writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
     if (message.reported != null && $Object.hasOwnProperty.call(message, "reported") && message.reported !== 0)
      writer.uint32(/* id 2, wireType 0 =*/16).int32(message.reported);
     if (message.total != null && $Object.hasOwnProperty.call(message, "total") && message.total !== 0)
      writer.uint32(/* id 3, wireType 0 =*/24).int32(message.total);
     if (message.unit != null && $Object.hasOwnProperty.call(message, "unit") && message.unit !== "")
      writer.uint32(/* id 4, wireType 2 =*/34).string(message.unit);
     if (message.functions != null && $Object.hasOwnProperty.call(message, "functions") && message.functions !== 0)
      writer.uint32(/* id 100, wireType 0 =*/800).int32(message.functions);
     if (message.record != null && $Object.hasOwnProperty.call(message, "record") && message.record.length)
      writer.uint32(/* id 101, wireType 2 =*/810).bytes(message.record);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    Top.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.Top();
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
        if (!(message.list && message.list.length))
         message.list = [];
        message.list.push($root.parca.query.v1alpha1.TopNode.decode(reader, reader.size(), $undefined, _depth + 1));
        continue;
       }
      case 2: {
        if (wireType !== 0)
         break;
        if (value = reader.int32())
         message.reported = value;
        else
         delete message.reported;
        continue;
       }
      case 3: {
        if (wireType !== 0)
         break;
        if (value = reader.int32())
         message.total = value;
        else
         delete message.total;
        continue;
       }
      case 4: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
         message.unit = value;
        else
         delete message.unit;
        continue;
       }
      case 100: {
        if (wireType !== 0)
         break;
        if (value = reader.int32())
         message.functions = value;
        else
         delete message.functions;
        continue;
       }
      case 101: {
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
    return Top;
   })();
   v1alpha1.TopNode = (function() {
    const TopNode = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    TopNode.prototype.meta = null;
    TopNode.prototype.cumulative = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    TopNode.prototype.flat = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    TopNode.prototype.diff = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    TopNode.prototype.flatDiff = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    TopNode.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.meta != null && $Object.hasOwnProperty.call(message, "meta"))
      $root.parca.query.v1alpha1.TopNodeMeta.encode(message.meta, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
     if (message.cumulative != null && $Object.hasOwnProperty.call(message, "cumulative") && (typeof message.cumulative === "object" ? message.cumulative.low || message.cumulative.high : message.cumulative !== 0))
      writer.uint32(/* id 2, wireType 0 =*/16).int64(message.cumulative);
     if (message.flat != null && $Object.hasOwnProperty.call(message, "flat") && (typeof message.flat === "object" ? message.flat.low || message.flat.high : message.flat !== 0))
      writer.uint32(/* id 3, wireType 0 =*/24).int64(message.flat);
     if (message.diff != null && $Object.hasOwnProperty.call(message, "diff") && (typeof message.diff === "object" ? message.diff.low || message.diff.high : message.diff !== 0))
      writer.uint32(/* id 4, wireType 0 =*/32).int64(message.diff);
     if (message.flatDiff != null && $Object.hasOwnProperty.call(message, "flatDiff") && (typeof message.flatDiff === "object" ? message.flatDiff.low || message.flatDiff.high : message.flatDiff !== 0))
      writer.uint32(/* id 100, wireType 0 =*/800).int64(message.flatDiff);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    TopNode.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.TopNode();
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
        message.meta = $root.parca.query.v1alpha1.TopNodeMeta.decode(reader, reader.size(), $undefined, _depth + 1, message.meta);
        continue;
       }
      case 2: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.cumulative = value;
        else
         delete message.cumulative;
        continue;
       }
      case 3: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.flat = value;
        else
         delete message.flat;
        continue;
       }
      case 4: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.diff = value;
        else
         delete message.diff;
        continue;
       }
      case 100: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.flatDiff = value;
        else
         delete message.flatDiff;
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
    return TopNode;
   })();
   v1alpha1.TopNodeMeta = (function() {
    const TopNodeMeta = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    TopNodeMeta.prototype.location = null;
    TopNodeMeta.prototype.mapping = null;
    TopNodeMeta.prototype["function"] = null;
    TopNodeMeta.prototype.line = null;
    TopNodeMeta.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.location != null && $Object.hasOwnProperty.call(message, "location"))
      $root.parca.metastore.v1alpha1.Location.encode(message.location, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
     if (message.mapping != null && $Object.hasOwnProperty.call(message, "mapping"))
      $root.parca.metastore.v1alpha1.Mapping.encode(message.mapping, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
     if (message["function"] != null && $Object.hasOwnProperty.call(message, "function"))
      $root.parca.metastore.v1alpha1.Function.encode(message["function"], writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
     if (message.line != null && $Object.hasOwnProperty.call(message, "line"))
      $root.parca.metastore.v1alpha1.Line.encode(message.line, writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    TopNodeMeta.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.TopNodeMeta();
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
        message.location = $root.parca.metastore.v1alpha1.Location.decode(reader, reader.size(), $undefined, _depth + 1, message.location);
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        message.mapping = $root.parca.metastore.v1alpha1.Mapping.decode(reader, reader.size(), $undefined, _depth + 1, message.mapping);
        continue;
       }
      case 3: {
        if (wireType !== 2)
         break;
        message["function"] = $root.parca.metastore.v1alpha1.Function.decode(reader, reader.size(), $undefined, _depth + 1, message["function"]);
        continue;
       }
      case 4: {
        if (wireType !== 2)
         break;
        message.line = $root.parca.metastore.v1alpha1.Line.decode(reader, reader.size(), $undefined, _depth + 1, message.line);
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
    return TopNodeMeta;
   })();
   v1alpha1.Flamegraph = (function() {
    const Flamegraph = function (properties) {
     this.stringTable = [];
     this.locations = [];
     this.mapping = [];
     this["function"] = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    Flamegraph.prototype.root = null;
    Flamegraph.prototype.total = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    Flamegraph.prototype.unit = "";
    Flamegraph.prototype.height = 0;
    Flamegraph.prototype.stringTable = $util.emptyArray;
    Flamegraph.prototype.locations = $util.emptyArray;
    Flamegraph.prototype.mapping = $util.emptyArray;
    Flamegraph.prototype["function"] = $util.emptyArray;
    Flamegraph.prototype.untrimmedTotal = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    Flamegraph.prototype.trimmed = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    Flamegraph.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.root != null && $Object.hasOwnProperty.call(message, "root"))
      $root.parca.query.v1alpha1.FlamegraphRootNode.encode(message.root, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
     if (message.total != null && $Object.hasOwnProperty.call(message, "total") && (typeof message.total === "object" ? message.total.low || message.total.high : message.total !== 0))
      writer.uint32(/* id 2, wireType 0 =*/16).int64(message.total);
     if (message.unit != null && $Object.hasOwnProperty.call(message, "unit") && message.unit !== "")
      writer.uint32(/* id 3, wireType 2 =*/26).string(message.unit);
     if (message.height != null && $Object.hasOwnProperty.call(message, "height") && message.height !== 0)
      writer.uint32(/* id 4, wireType 0 =*/32).int32(message.height);
     if (message.stringTable != null && message.stringTable.length)
      for (let i = 0; i < message.stringTable.length; ++i)
       writer.uint32(/* id 5, wireType 2 =*/42).string(message.stringTable[i]);
     if (message.locations != null && message.locations.length)
      for (let i = 0; i < message.locations.length; ++i)
       $root.parca.metastore.v1alpha1.Location.encode(message.locations[i], writer.uint32(/* id 6, wireType 2 =*/50).fork(), _depth + 1).ldelim();
     if (message.mapping != null && message.mapping.length)
      for (let i = 0; i < message.mapping.length; ++i)
       $root.parca.metastore.v1alpha1.Mapping.encode(message.mapping[i], writer.uint32(/* id 7, wireType 2 =*/58).fork(), _depth + 1).ldelim();
     if (message["function"] != null && message["function"].length)
      for (let i = 0; i < message["function"].length; ++i)
       $root.parca.metastore.v1alpha1.Function.encode(message["function"][i], writer.uint32(/* id 8, wireType 2 =*/66).fork(), _depth + 1).ldelim();
     if (message.untrimmedTotal != null && $Object.hasOwnProperty.call(message, "untrimmedTotal") && (typeof message.untrimmedTotal === "object" ? message.untrimmedTotal.low || message.untrimmedTotal.high : message.untrimmedTotal !== 0))
      writer.uint32(/* id 9, wireType 0 =*/72).int64(message.untrimmedTotal);
     if (message.trimmed != null && $Object.hasOwnProperty.call(message, "trimmed") && (typeof message.trimmed === "object" ? message.trimmed.low || message.trimmed.high : message.trimmed !== 0))
      writer.uint32(/* id 10, wireType 0 =*/80).int64(message.trimmed);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    Flamegraph.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.Flamegraph();
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
        message.root = $root.parca.query.v1alpha1.FlamegraphRootNode.decode(reader, reader.size(), $undefined, _depth + 1, message.root);
        continue;
       }
      case 2: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.total = value;
        else
         delete message.total;
        continue;
       }
      case 3: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
         message.unit = value;
        else
         delete message.unit;
        continue;
       }
      case 4: {
        if (wireType !== 0)
         break;
        if (value = reader.int32())
         message.height = value;
        else
         delete message.height;
        continue;
       }
      case 5: {
        if (wireType !== 2)
         break;
        if (!(message.stringTable && message.stringTable.length))
         message.stringTable = [];
        message.stringTable.push(reader.stringVerify());
        continue;
       }
      case 6: {
        if (wireType !== 2)
         break;
        if (!(message.locations && message.locations.length))
         message.locations = [];
        message.locations.push($root.parca.metastore.v1alpha1.Location.decode(reader, reader.size(), $undefined, _depth + 1));
        continue;
       }
      case 7: {
        if (wireType !== 2)
         break;
        if (!(message.mapping && message.mapping.length))
         message.mapping = [];
        message.mapping.push($root.parca.metastore.v1alpha1.Mapping.decode(reader, reader.size(), $undefined, _depth + 1));
        continue;
       }
      case 8: {
        if (wireType !== 2)
         break;
        if (!(message["function"] && message["function"].length))
         message["function"] = [];
        message["function"].push($root.parca.metastore.v1alpha1.Function.decode(reader, reader.size(), $undefined, _depth + 1));
        continue;
       }
      case 9: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.untrimmedTotal = value;
        else
         delete message.untrimmedTotal;
        continue;
       }
      case 10: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.trimmed = value;
        else
         delete message.trimmed;
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
    return Flamegraph;
   })();
   v1alpha1.FlamegraphArrow = (function() {
    const FlamegraphArrow = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    FlamegraphArrow.prototype.record = $util.newBuffer([]);
    FlamegraphArrow.prototype.unit = "";
    FlamegraphArrow.prototype.height = 0;
    FlamegraphArrow.prototype.trimmed = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    FlamegraphArrow.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.record != null && $Object.hasOwnProperty.call(message, "record") && message.record.length)
      writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.record);
     if (message.unit != null && $Object.hasOwnProperty.call(message, "unit") && message.unit !== "")
      writer.uint32(/* id 2, wireType 2 =*/18).string(message.unit);
     if (message.height != null && $Object.hasOwnProperty.call(message, "height") && message.height !== 0)
      writer.uint32(/* id 3, wireType 0 =*/24).int32(message.height);
     if (message.trimmed != null && $Object.hasOwnProperty.call(message, "trimmed") && (typeof message.trimmed === "object" ? message.trimmed.low || message.trimmed.high : message.trimmed !== 0))
      writer.uint32(/* id 4, wireType 0 =*/32).int64(message.trimmed);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    FlamegraphArrow.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.FlamegraphArrow();
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
      case 2: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
         message.unit = value;
        else
         delete message.unit;
        continue;
       }
      case 3: {
        if (wireType !== 0)
         break;
        if (value = reader.int32())
         message.height = value;
        else
         delete message.height;
        continue;
       }
      case 4: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.trimmed = value;
        else
         delete message.trimmed;
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
    return FlamegraphArrow;
   })();
   v1alpha1.Source = (function() {
    const Source = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    Source.prototype.record = $util.newBuffer([]);
    Source.prototype.source = "";
    Source.prototype.unit = "";
    Source.prototype.whyEmpty = "";
    Source.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.record != null && $Object.hasOwnProperty.call(message, "record") && message.record.length)
      writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.record);
     if (message.source != null && $Object.hasOwnProperty.call(message, "source") && message.source !== "")
      writer.uint32(/* id 2, wireType 2 =*/18).string(message.source);
     if (message.unit != null && $Object.hasOwnProperty.call(message, "unit") && message.unit !== "")
      writer.uint32(/* id 3, wireType 2 =*/26).string(message.unit);
     if (message.whyEmpty != null && $Object.hasOwnProperty.call(message, "whyEmpty") && message.whyEmpty !== "")
      writer.uint32(/* id 100, wireType 2 =*/802).string(message.whyEmpty);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    Source.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.Source();
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
      case 2: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
         message.source = value;
        else
         delete message.source;
        continue;
       }
      case 3: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
         message.unit = value;
        else
         delete message.unit;
        continue;
       }
      case 100: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
         message.whyEmpty = value;
        else
         delete message.whyEmpty;
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
    return Source;
   })();
   v1alpha1.FlamegraphRootNode = (function() {
    const FlamegraphRootNode = function (properties) {
     this.children = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    FlamegraphRootNode.prototype.cumulative = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    FlamegraphRootNode.prototype.diff = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    FlamegraphRootNode.prototype.children = $util.emptyArray;
    FlamegraphRootNode.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.cumulative != null && $Object.hasOwnProperty.call(message, "cumulative") && (typeof message.cumulative === "object" ? message.cumulative.low || message.cumulative.high : message.cumulative !== 0))
      writer.uint32(/* id 1, wireType 0 =*/8).int64(message.cumulative);
     if (message.diff != null && $Object.hasOwnProperty.call(message, "diff") && (typeof message.diff === "object" ? message.diff.low || message.diff.high : message.diff !== 0))
      writer.uint32(/* id 2, wireType 0 =*/16).int64(message.diff);
     if (message.children != null && message.children.length)
      for (let i = 0; i < message.children.length; ++i)
       $root.parca.query.v1alpha1.FlamegraphNode.encode(message.children[i], writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    FlamegraphRootNode.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.FlamegraphRootNode();
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
         message.cumulative = value;
        else
         delete message.cumulative;
        continue;
       }
      case 2: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.diff = value;
        else
         delete message.diff;
        continue;
       }
      case 3: {
        if (wireType !== 2)
         break;
        if (!(message.children && message.children.length))
         message.children = [];
        message.children.push($root.parca.query.v1alpha1.FlamegraphNode.decode(reader, reader.size(), $undefined, _depth + 1));
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
    return FlamegraphRootNode;
   })();
   v1alpha1.FlamegraphNode = (function() {
    const FlamegraphNode = function (properties) {
     this.children = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    FlamegraphNode.prototype.meta = null;
    FlamegraphNode.prototype.cumulative = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    FlamegraphNode.prototype.diff = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    FlamegraphNode.prototype.children = $util.emptyArray;
    FlamegraphNode.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.meta != null && $Object.hasOwnProperty.call(message, "meta"))
      $root.parca.query.v1alpha1.FlamegraphNodeMeta.encode(message.meta, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
     if (message.cumulative != null && $Object.hasOwnProperty.call(message, "cumulative") && (typeof message.cumulative === "object" ? message.cumulative.low || message.cumulative.high : message.cumulative !== 0))
      writer.uint32(/* id 2, wireType 0 =*/16).int64(message.cumulative);
     if (message.diff != null && $Object.hasOwnProperty.call(message, "diff") && (typeof message.diff === "object" ? message.diff.low || message.diff.high : message.diff !== 0))
      writer.uint32(/* id 3, wireType 0 =*/24).int64(message.diff);
     if (message.children != null && message.children.length)
      for (let i = 0; i < message.children.length; ++i)
       $root.parca.query.v1alpha1.FlamegraphNode.encode(message.children[i], writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    FlamegraphNode.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.FlamegraphNode();
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
        message.meta = $root.parca.query.v1alpha1.FlamegraphNodeMeta.decode(reader, reader.size(), $undefined, _depth + 1, message.meta);
        continue;
       }
      case 2: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.cumulative = value;
        else
         delete message.cumulative;
        continue;
       }
      case 3: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.diff = value;
        else
         delete message.diff;
        continue;
       }
      case 4: {
        if (wireType !== 2)
         break;
        if (!(message.children && message.children.length))
         message.children = [];
        message.children.push($root.parca.query.v1alpha1.FlamegraphNode.decode(reader, reader.size(), $undefined, _depth + 1));
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
    return FlamegraphNode;
   })();
   v1alpha1.FlamegraphNodeMeta = (function() {
    const FlamegraphNodeMeta = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    FlamegraphNodeMeta.prototype.location = null;
    FlamegraphNodeMeta.prototype.mapping = null;
    FlamegraphNodeMeta.prototype["function"] = null;
    FlamegraphNodeMeta.prototype.line = null;
    FlamegraphNodeMeta.prototype.locationIndex = 0;
    FlamegraphNodeMeta.prototype.lineIndex = 0;
    FlamegraphNodeMeta.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.location != null && $Object.hasOwnProperty.call(message, "location"))
      $root.parca.metastore.v1alpha1.Location.encode(message.location, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
     if (message.mapping != null && $Object.hasOwnProperty.call(message, "mapping"))
      $root.parca.metastore.v1alpha1.Mapping.encode(message.mapping, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
     if (message["function"] != null && $Object.hasOwnProperty.call(message, "function"))
      $root.parca.metastore.v1alpha1.Function.encode(message["function"], writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
     if (message.line != null && $Object.hasOwnProperty.call(message, "line"))
      $root.parca.metastore.v1alpha1.Line.encode(message.line, writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
     if (message.locationIndex != null && $Object.hasOwnProperty.call(message, "locationIndex") && message.locationIndex !== 0)
      writer.uint32(/* id 5, wireType 0 =*/40).uint32(message.locationIndex);
     if (message.lineIndex != null && $Object.hasOwnProperty.call(message, "lineIndex") && message.lineIndex !== 0)
      writer.uint32(/* id 6, wireType 0 =*/48).uint32(message.lineIndex);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    FlamegraphNodeMeta.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.FlamegraphNodeMeta();
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
        message.location = $root.parca.metastore.v1alpha1.Location.decode(reader, reader.size(), $undefined, _depth + 1, message.location);
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        message.mapping = $root.parca.metastore.v1alpha1.Mapping.decode(reader, reader.size(), $undefined, _depth + 1, message.mapping);
        continue;
       }
      case 3: {
        if (wireType !== 2)
         break;
        message["function"] = $root.parca.metastore.v1alpha1.Function.decode(reader, reader.size(), $undefined, _depth + 1, message["function"]);
        continue;
       }
      case 4: {
        if (wireType !== 2)
         break;
        message.line = $root.parca.metastore.v1alpha1.Line.decode(reader, reader.size(), $undefined, _depth + 1, message.line);
        continue;
       }
      case 5: {
        if (wireType !== 0)
         break;
        if (value = reader.uint32())
         message.locationIndex = value;
        else
         delete message.locationIndex;
        continue;
       }
      case 6: {
        if (wireType !== 0)
         break;
        if (value = reader.uint32())
         message.lineIndex = value;
        else
         delete message.lineIndex;
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
    return FlamegraphNodeMeta;
   })();
   v1alpha1.CallgraphNode = (function() {
    const CallgraphNode = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    CallgraphNode.prototype.id = "";
    CallgraphNode.prototype.meta = null;
    CallgraphNode.prototype.cumulative = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    CallgraphNode.prototype.flat = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    CallgraphNode.prototype.diff = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    CallgraphNode.prototype.flatDiff = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    CallgraphNode.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.id != null && $Object.hasOwnProperty.call(message, "id") && message.id !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.id);
     if (message.meta != null && $Object.hasOwnProperty.call(message, "meta"))
      $root.parca.query.v1alpha1.CallgraphNodeMeta.encode(message.meta, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
     if (message.cumulative != null && $Object.hasOwnProperty.call(message, "cumulative") && (typeof message.cumulative === "object" ? message.cumulative.low || message.cumulative.high : message.cumulative !== 0))
      writer.uint32(/* id 3, wireType 0 =*/24).int64(message.cumulative);
     if (message.flat != null && $Object.hasOwnProperty.call(message, "flat") && (typeof message.flat === "object" ? message.flat.low || message.flat.high : message.flat !== 0))
      writer.uint32(/* id 4, wireType 0 =*/32).int64(message.flat);
     if (message.diff != null && $Object.hasOwnProperty.call(message, "diff") && (typeof message.diff === "object" ? message.diff.low || message.diff.high : message.diff !== 0))
      writer.uint32(/* id 100, wireType 0 =*/800).int64(message.diff);
     if (message.flatDiff != null && $Object.hasOwnProperty.call(message, "flatDiff") && (typeof message.flatDiff === "object" ? message.flatDiff.low || message.flatDiff.high : message.flatDiff !== 0))
      writer.uint32(/* id 101, wireType 0 =*/808).int64(message.flatDiff);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    CallgraphNode.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.CallgraphNode();
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
        message.meta = $root.parca.query.v1alpha1.CallgraphNodeMeta.decode(reader, reader.size(), $undefined, _depth + 1, message.meta);
        continue;
       }
      case 3: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.cumulative = value;
        else
         delete message.cumulative;
        continue;
       }
      case 4: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.flat = value;
        else
         delete message.flat;
        continue;
       }
      case 100: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.diff = value;
        else
         delete message.diff;
        continue;
       }
      case 101: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.flatDiff = value;
        else
         delete message.flatDiff;
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
    return CallgraphNode;
   })();
   v1alpha1.CallgraphNodeMeta = (function() {
    const CallgraphNodeMeta = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    CallgraphNodeMeta.prototype.location = null;
    CallgraphNodeMeta.prototype.mapping = null;
    CallgraphNodeMeta.prototype["function"] = null;
    CallgraphNodeMeta.prototype.line = null;
    CallgraphNodeMeta.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.location != null && $Object.hasOwnProperty.call(message, "location"))
      $root.parca.metastore.v1alpha1.Location.encode(message.location, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
     if (message.mapping != null && $Object.hasOwnProperty.call(message, "mapping"))
      $root.parca.metastore.v1alpha1.Mapping.encode(message.mapping, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
     if (message["function"] != null && $Object.hasOwnProperty.call(message, "function"))
      $root.parca.metastore.v1alpha1.Function.encode(message["function"], writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
     if (message.line != null && $Object.hasOwnProperty.call(message, "line"))
      $root.parca.metastore.v1alpha1.Line.encode(message.line, writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    CallgraphNodeMeta.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.CallgraphNodeMeta();
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
        message.location = $root.parca.metastore.v1alpha1.Location.decode(reader, reader.size(), $undefined, _depth + 1, message.location);
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        message.mapping = $root.parca.metastore.v1alpha1.Mapping.decode(reader, reader.size(), $undefined, _depth + 1, message.mapping);
        continue;
       }
      case 3: {
        if (wireType !== 2)
         break;
        message["function"] = $root.parca.metastore.v1alpha1.Function.decode(reader, reader.size(), $undefined, _depth + 1, message["function"]);
        continue;
       }
      case 4: {
        if (wireType !== 2)
         break;
        message.line = $root.parca.metastore.v1alpha1.Line.decode(reader, reader.size(), $undefined, _depth + 1, message.line);
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
    return CallgraphNodeMeta;
   })();
   v1alpha1.CallgraphEdge = (function() {
    const CallgraphEdge = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    CallgraphEdge.prototype.id = "";
    CallgraphEdge.prototype.source = "";
    CallgraphEdge.prototype.target = "";
    CallgraphEdge.prototype.cumulative = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    CallgraphEdge.prototype.isCollapsed = false;
    CallgraphEdge.prototype.diff = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    CallgraphEdge.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.id != null && $Object.hasOwnProperty.call(message, "id") && message.id !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.id);
     if (message.source != null && $Object.hasOwnProperty.call(message, "source") && message.source !== "")
      writer.uint32(/* id 2, wireType 2 =*/18).string(message.source);
     if (message.target != null && $Object.hasOwnProperty.call(message, "target") && message.target !== "")
      writer.uint32(/* id 3, wireType 2 =*/26).string(message.target);
     if (message.cumulative != null && $Object.hasOwnProperty.call(message, "cumulative") && (typeof message.cumulative === "object" ? message.cumulative.low || message.cumulative.high : message.cumulative !== 0))
      writer.uint32(/* id 4, wireType 0 =*/32).int64(message.cumulative);
     if (message.isCollapsed != null && $Object.hasOwnProperty.call(message, "isCollapsed") && message.isCollapsed !== false)
      writer.uint32(/* id 5, wireType 0 =*/40).bool(message.isCollapsed);
     if (message.diff != null && $Object.hasOwnProperty.call(message, "diff") && (typeof message.diff === "object" ? message.diff.low || message.diff.high : message.diff !== 0))
      writer.uint32(/* id 100, wireType 0 =*/800).int64(message.diff);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    CallgraphEdge.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.CallgraphEdge();
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
         message.source = value;
        else
         delete message.source;
        continue;
       }
      case 3: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
         message.target = value;
        else
         delete message.target;
        continue;
       }
      case 4: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.cumulative = value;
        else
         delete message.cumulative;
        continue;
       }
      case 5: {
        if (wireType !== 0)
         break;
        if (value = reader.bool())
         message.isCollapsed = value;
        else
         delete message.isCollapsed;
        continue;
       }
      case 100: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.diff = value;
        else
         delete message.diff;
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
    return CallgraphEdge;
   })();
   v1alpha1.Callgraph = (function() {
    const Callgraph = function (properties) {
     this.nodes = [];
     this.edges = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    Callgraph.prototype.nodes = $util.emptyArray;
    Callgraph.prototype.edges = $util.emptyArray;
    Callgraph.prototype.cumulative = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    Callgraph.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.nodes != null && message.nodes.length)
      for (let i = 0; i < message.nodes.length; ++i)
       $root.parca.query.v1alpha1.CallgraphNode.encode(message.nodes[i], writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
     if (message.edges != null && message.edges.length)
      for (let i = 0; i < message.edges.length; ++i)
       $root.parca.query.v1alpha1.CallgraphEdge.encode(message.edges[i], writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
     if (message.cumulative != null && $Object.hasOwnProperty.call(message, "cumulative") && (typeof message.cumulative === "object" ? message.cumulative.low || message.cumulative.high : message.cumulative !== 0))
      writer.uint32(/* id 3, wireType 0 =*/24).int64(message.cumulative);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    Callgraph.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.Callgraph();
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
        if (!(message.nodes && message.nodes.length))
         message.nodes = [];
        message.nodes.push($root.parca.query.v1alpha1.CallgraphNode.decode(reader, reader.size(), $undefined, _depth + 1));
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        if (!(message.edges && message.edges.length))
         message.edges = [];
        message.edges.push($root.parca.query.v1alpha1.CallgraphEdge.decode(reader, reader.size(), $undefined, _depth + 1));
        continue;
       }
      case 3: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.cumulative = value;
        else
         delete message.cumulative;
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
    return Callgraph;
   })();
   v1alpha1.QueryResponse = (function() {
    const QueryResponse = function (properties) {
     this.warnings = [];
     this.profileTypes = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    QueryResponse.prototype.flamegraph = null;
    QueryResponse.prototype.pprof = null;
    QueryResponse.prototype.top = null;
    QueryResponse.prototype.callgraph = null;
    QueryResponse.prototype.flamegraphArrow = null;
    QueryResponse.prototype.source = null;
    QueryResponse.prototype.tableArrow = null;
    QueryResponse.prototype.profileMetadata = null;
    QueryResponse.prototype.total = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    QueryResponse.prototype.filtered = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    QueryResponse.prototype.profileCount = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    QueryResponse.prototype.sampleCount = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    QueryResponse.prototype.coveredNanos = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    QueryResponse.prototype.period = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    QueryResponse.prototype.snapshots = 0;
    QueryResponse.prototype.warnings = $util.emptyArray;
    QueryResponse.prototype.trimmed = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    QueryResponse.prototype.base = null;
    QueryResponse.prototype.search = null;
    QueryResponse.prototype.zoomedFrames = 0;
    QueryResponse.prototype.profileTypes = $util.emptyArray;
    QueryResponse.prototype.load = null;
    // OneOf field names bound to virtual getters and setters
    let $oneOfFields;
    $Object.defineProperty(QueryResponse.prototype, "report", {
     get: $util.oneOfGetter($oneOfFields = ["flamegraph", "pprof", "top", "callgraph", "flamegraphArrow", "source", "tableArrow", "profileMetadata"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    QueryResponse.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.flamegraph != null && $Object.hasOwnProperty.call(message, "flamegraph"))
      $root.parca.query.v1alpha1.Flamegraph.encode(message.flamegraph, writer.uint32(/* id 5, wireType 2 =*/42).fork(), _depth + 1).ldelim();
     if (message.pprof != null && $Object.hasOwnProperty.call(message, "pprof"))
      writer.uint32(/* id 6, wireType 2 =*/50).bytes(message.pprof);
     if (message.top != null && $Object.hasOwnProperty.call(message, "top"))
      $root.parca.query.v1alpha1.Top.encode(message.top, writer.uint32(/* id 7, wireType 2 =*/58).fork(), _depth + 1).ldelim();
     if (message.callgraph != null && $Object.hasOwnProperty.call(message, "callgraph"))
      $root.parca.query.v1alpha1.Callgraph.encode(message.callgraph, writer.uint32(/* id 8, wireType 2 =*/66).fork(), _depth + 1).ldelim();
     if (message.total != null && $Object.hasOwnProperty.call(message, "total") && (typeof message.total === "object" ? message.total.low || message.total.high : message.total !== 0))
      writer.uint32(/* id 9, wireType 0 =*/72).int64(message.total);
     if (message.filtered != null && $Object.hasOwnProperty.call(message, "filtered") && (typeof message.filtered === "object" ? message.filtered.low || message.filtered.high : message.filtered !== 0))
      writer.uint32(/* id 10, wireType 0 =*/80).int64(message.filtered);
     if (message.flamegraphArrow != null && $Object.hasOwnProperty.call(message, "flamegraphArrow"))
      $root.parca.query.v1alpha1.FlamegraphArrow.encode(message.flamegraphArrow, writer.uint32(/* id 11, wireType 2 =*/90).fork(), _depth + 1).ldelim();
     if (message.source != null && $Object.hasOwnProperty.call(message, "source"))
      $root.parca.query.v1alpha1.Source.encode(message.source, writer.uint32(/* id 12, wireType 2 =*/98).fork(), _depth + 1).ldelim();
     if (message.tableArrow != null && $Object.hasOwnProperty.call(message, "tableArrow"))
      $root.parca.query.v1alpha1.TableArrow.encode(message.tableArrow, writer.uint32(/* id 13, wireType 2 =*/106).fork(), _depth + 1).ldelim();
     if (message.profileMetadata != null && $Object.hasOwnProperty.call(message, "profileMetadata"))
      $root.parca.query.v1alpha1.ProfileMetadata.encode(message.profileMetadata, writer.uint32(/* id 14, wireType 2 =*/114).fork(), _depth + 1).ldelim();
     if (message.profileCount != null && $Object.hasOwnProperty.call(message, "profileCount") && (typeof message.profileCount === "object" ? message.profileCount.low || message.profileCount.high : message.profileCount !== 0))
      writer.uint32(/* id 100, wireType 0 =*/800).int64(message.profileCount);
     if (message.sampleCount != null && $Object.hasOwnProperty.call(message, "sampleCount") && (typeof message.sampleCount === "object" ? message.sampleCount.low || message.sampleCount.high : message.sampleCount !== 0))
      writer.uint32(/* id 101, wireType 0 =*/808).int64(message.sampleCount);
     if (message.coveredNanos != null && $Object.hasOwnProperty.call(message, "coveredNanos") && (typeof message.coveredNanos === "object" ? message.coveredNanos.low || message.coveredNanos.high : message.coveredNanos !== 0))
      writer.uint32(/* id 102, wireType 0 =*/816).int64(message.coveredNanos);
     if (message.period != null && $Object.hasOwnProperty.call(message, "period") && (typeof message.period === "object" ? message.period.low || message.period.high : message.period !== 0))
      writer.uint32(/* id 103, wireType 0 =*/824).int64(message.period);
     if (message.snapshots != null && $Object.hasOwnProperty.call(message, "snapshots") && !$Object.is(message.snapshots, 0))
      writer.uint32(/* id 104, wireType 1 =*/833).double(message.snapshots);
     if (message.warnings != null && message.warnings.length)
      for (let i = 0; i < message.warnings.length; ++i)
       writer.uint32(/* id 105, wireType 2 =*/842).string(message.warnings[i]);
     if (message.trimmed != null && $Object.hasOwnProperty.call(message, "trimmed") && (typeof message.trimmed === "object" ? message.trimmed.low || message.trimmed.high : message.trimmed !== 0))
      writer.uint32(/* id 110, wireType 0 =*/880).int64(message.trimmed);
     if (message.base != null && $Object.hasOwnProperty.call(message, "base"))
      $root.parca.query.v1alpha1.AnswerFacts.encode(message.base, writer.uint32(/* id 111, wireType 2 =*/890).fork(), _depth + 1).ldelim();
     if (message.search != null && $Object.hasOwnProperty.call(message, "search"))
      $root.parca.query.v1alpha1.SearchTotals.encode(message.search, writer.uint32(/* id 112, wireType 2 =*/898).fork(), _depth + 1).ldelim();
     if (message.zoomedFrames != null && $Object.hasOwnProperty.call(message, "zoomedFrames") && message.zoomedFrames !== 0)
      writer.uint32(/* id 113, wireType 0 =*/904).int32(message.zoomedFrames);
     if (message.profileTypes != null && message.profileTypes.length)
      for (let i = 0; i < message.profileTypes.length; ++i)
       writer.uint32(/* id 114, wireType 2 =*/914).string(message.profileTypes[i]);
     if (message.load != null && $Object.hasOwnProperty.call(message, "load"))
      $root.parca.query.v1alpha1.LoadRatio.encode(message.load, writer.uint32(/* id 115, wireType 2 =*/922).fork(), _depth + 1).ldelim();
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    QueryResponse.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.QueryResponse();
     while (reader.pos < end) {
      let start = reader.pos;
      let tag = reader.tag();
      if (tag === _end) {
       _end = $undefined;
       break;
      }
      let wireType = tag & 7;
      switch (tag >>>= 3) {
      case 5: {
        if (wireType !== 2)
         break;
        message.flamegraph = $root.parca.query.v1alpha1.Flamegraph.decode(reader, reader.size(), $undefined, _depth + 1, message.flamegraph);
        message.report = "flamegraph";
        continue;
       }
      case 6: {
        if (wireType !== 2)
         break;
        message.pprof = reader.bytes();
        message.report = "pprof";
        continue;
       }
      case 7: {
        if (wireType !== 2)
         break;
        message.top = $root.parca.query.v1alpha1.Top.decode(reader, reader.size(), $undefined, _depth + 1, message.top);
        message.report = "top";
        continue;
       }
      case 8: {
        if (wireType !== 2)
         break;
        message.callgraph = $root.parca.query.v1alpha1.Callgraph.decode(reader, reader.size(), $undefined, _depth + 1, message.callgraph);
        message.report = "callgraph";
        continue;
       }
      case 11: {
        if (wireType !== 2)
         break;
        message.flamegraphArrow = $root.parca.query.v1alpha1.FlamegraphArrow.decode(reader, reader.size(), $undefined, _depth + 1, message.flamegraphArrow);
        message.report = "flamegraphArrow";
        continue;
       }
      case 12: {
        if (wireType !== 2)
         break;
        message.source = $root.parca.query.v1alpha1.Source.decode(reader, reader.size(), $undefined, _depth + 1, message.source);
        message.report = "source";
        continue;
       }
      case 13: {
        if (wireType !== 2)
         break;
        message.tableArrow = $root.parca.query.v1alpha1.TableArrow.decode(reader, reader.size(), $undefined, _depth + 1, message.tableArrow);
        message.report = "tableArrow";
        continue;
       }
      case 14: {
        if (wireType !== 2)
         break;
        message.profileMetadata = $root.parca.query.v1alpha1.ProfileMetadata.decode(reader, reader.size(), $undefined, _depth + 1, message.profileMetadata);
        message.report = "profileMetadata";
        continue;
       }
      case 9: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.total = value;
        else
         delete message.total;
        continue;
       }
      case 10: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.filtered = value;
        else
         delete message.filtered;
        continue;
       }
      case 100: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.profileCount = value;
        else
         delete message.profileCount;
        continue;
       }
      case 101: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.sampleCount = value;
        else
         delete message.sampleCount;
        continue;
       }
      case 102: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.coveredNanos = value;
        else
         delete message.coveredNanos;
        continue;
       }
      case 103: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.period = value;
        else
         delete message.period;
        continue;
       }
      case 104: {
        if (wireType !== 1)
         break;
        if (!$Object.is(value = reader.double(), 0))
         message.snapshots = value;
        else
         delete message.snapshots;
        continue;
       }
      case 105: {
        if (wireType !== 2)
         break;
        if (!(message.warnings && message.warnings.length))
         message.warnings = [];
        message.warnings.push(reader.stringVerify());
        continue;
       }
      case 110: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.trimmed = value;
        else
         delete message.trimmed;
        continue;
       }
      case 111: {
        if (wireType !== 2)
         break;
        message.base = $root.parca.query.v1alpha1.AnswerFacts.decode(reader, reader.size(), $undefined, _depth + 1, message.base);
        continue;
       }
      case 112: {
        if (wireType !== 2)
         break;
        message.search = $root.parca.query.v1alpha1.SearchTotals.decode(reader, reader.size(), $undefined, _depth + 1, message.search);
        continue;
       }
      case 113: {
        if (wireType !== 0)
         break;
        if (value = reader.int32())
         message.zoomedFrames = value;
        else
         delete message.zoomedFrames;
        continue;
       }
      case 114: {
        if (wireType !== 2)
         break;
        if (!(message.profileTypes && message.profileTypes.length))
         message.profileTypes = [];
        message.profileTypes.push(reader.stringVerify());
        continue;
       }
      case 115: {
        if (wireType !== 2)
         break;
        message.load = $root.parca.query.v1alpha1.LoadRatio.decode(reader, reader.size(), $undefined, _depth + 1, message.load);
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
    return QueryResponse;
   })();
   v1alpha1.LoadRatio = (function() {
    const LoadRatio = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    LoadRatio.prototype.ratio = 0;
    LoadRatio.prototype.relativeError = 0;
    LoadRatio.prototype.functionCount = 0;
    LoadRatio.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.ratio != null && $Object.hasOwnProperty.call(message, "ratio") && !$Object.is(message.ratio, 0))
      writer.uint32(/* id 1, wireType 1 =*/9).double(message.ratio);
     if (message.relativeError != null && $Object.hasOwnProperty.call(message, "relativeError") && !$Object.is(message.relativeError, 0))
      writer.uint32(/* id 2, wireType 1 =*/17).double(message.relativeError);
     if (message.functionCount != null && $Object.hasOwnProperty.call(message, "functionCount") && message.functionCount !== 0)
      writer.uint32(/* id 3, wireType 0 =*/24).int32(message.functionCount);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    LoadRatio.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.LoadRatio();
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
         message.ratio = value;
        else
         delete message.ratio;
        continue;
       }
      case 2: {
        if (wireType !== 1)
         break;
        if (!$Object.is(value = reader.double(), 0))
         message.relativeError = value;
        else
         delete message.relativeError;
        continue;
       }
      case 3: {
        if (wireType !== 0)
         break;
        if (value = reader.int32())
         message.functionCount = value;
        else
         delete message.functionCount;
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
    return LoadRatio;
   })();
   v1alpha1.SearchTotals = (function() {
    const SearchTotals = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    SearchTotals.prototype.cumulative = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    SearchTotals.prototype.flat = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    SearchTotals.prototype.cumulativeDiff = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    SearchTotals.prototype.flatDiff = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    SearchTotals.prototype.names = 0;
    SearchTotals.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.cumulative != null && $Object.hasOwnProperty.call(message, "cumulative") && (typeof message.cumulative === "object" ? message.cumulative.low || message.cumulative.high : message.cumulative !== 0))
      writer.uint32(/* id 1, wireType 0 =*/8).int64(message.cumulative);
     if (message.flat != null && $Object.hasOwnProperty.call(message, "flat") && (typeof message.flat === "object" ? message.flat.low || message.flat.high : message.flat !== 0))
      writer.uint32(/* id 2, wireType 0 =*/16).int64(message.flat);
     if (message.cumulativeDiff != null && $Object.hasOwnProperty.call(message, "cumulativeDiff") && (typeof message.cumulativeDiff === "object" ? message.cumulativeDiff.low || message.cumulativeDiff.high : message.cumulativeDiff !== 0))
      writer.uint32(/* id 3, wireType 0 =*/24).int64(message.cumulativeDiff);
     if (message.flatDiff != null && $Object.hasOwnProperty.call(message, "flatDiff") && (typeof message.flatDiff === "object" ? message.flatDiff.low || message.flatDiff.high : message.flatDiff !== 0))
      writer.uint32(/* id 4, wireType 0 =*/32).int64(message.flatDiff);
     if (message.names != null && $Object.hasOwnProperty.call(message, "names") && message.names !== 0)
      writer.uint32(/* id 5, wireType 0 =*/40).int32(message.names);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    SearchTotals.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.SearchTotals();
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
         message.cumulative = value;
        else
         delete message.cumulative;
        continue;
       }
      case 2: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.flat = value;
        else
         delete message.flat;
        continue;
       }
      case 3: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.cumulativeDiff = value;
        else
         delete message.cumulativeDiff;
        continue;
       }
      case 4: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.flatDiff = value;
        else
         delete message.flatDiff;
        continue;
       }
      case 5: {
        if (wireType !== 0)
         break;
        if (value = reader.int32())
         message.names = value;
        else
         delete message.names;
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
    return SearchTotals;
   })();
   v1alpha1.AnswerFacts = (function() {
    const AnswerFacts = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    AnswerFacts.prototype.total = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    AnswerFacts.prototype.filtered = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    AnswerFacts.prototype.profileCount = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    AnswerFacts.prototype.sampleCount = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    AnswerFacts.prototype.coveredNanos = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    AnswerFacts.prototype.period = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    AnswerFacts.prototype.snapshots = 0;
    AnswerFacts.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.total != null && $Object.hasOwnProperty.call(message, "total") && (typeof message.total === "object" ? message.total.low || message.total.high : message.total !== 0))
      writer.uint32(/* id 1, wireType 0 =*/8).int64(message.total);
     if (message.filtered != null && $Object.hasOwnProperty.call(message, "filtered") && (typeof message.filtered === "object" ? message.filtered.low || message.filtered.high : message.filtered !== 0))
      writer.uint32(/* id 2, wireType 0 =*/16).int64(message.filtered);
     if (message.profileCount != null && $Object.hasOwnProperty.call(message, "profileCount") && (typeof message.profileCount === "object" ? message.profileCount.low || message.profileCount.high : message.profileCount !== 0))
      writer.uint32(/* id 3, wireType 0 =*/24).int64(message.profileCount);
     if (message.sampleCount != null && $Object.hasOwnProperty.call(message, "sampleCount") && (typeof message.sampleCount === "object" ? message.sampleCount.low || message.sampleCount.high : message.sampleCount !== 0))
      writer.uint32(/* id 4, wireType 0 =*/32).int64(message.sampleCount);
     if (message.coveredNanos != null && $Object.hasOwnProperty.call(message, "coveredNanos") && (typeof message.coveredNanos === "object" ? message.coveredNanos.low || message.coveredNanos.high : message.coveredNanos !== 0))
      writer.uint32(/* id 5, wireType 0 =*/40).int64(message.coveredNanos);
     if (message.period != null && $Object.hasOwnProperty.call(message, "period") && (typeof message.period === "object" ? message.period.low || message.period.high : message.period !== 0))
      writer.uint32(/* id 6, wireType 0 =*/48).int64(message.period);
     if (message.snapshots != null && $Object.hasOwnProperty.call(message, "snapshots") && !$Object.is(message.snapshots, 0))
      writer.uint32(/* id 7, wireType 1 =*/57).double(message.snapshots);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    AnswerFacts.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.AnswerFacts();
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
         message.total = value;
        else
         delete message.total;
        continue;
       }
      case 2: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.filtered = value;
        else
         delete message.filtered;
        continue;
       }
      case 3: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.profileCount = value;
        else
         delete message.profileCount;
        continue;
       }
      case 4: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.sampleCount = value;
        else
         delete message.sampleCount;
        continue;
       }
      case 5: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.coveredNanos = value;
        else
         delete message.coveredNanos;
        continue;
       }
      case 6: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.period = value;
        else
         delete message.period;
        continue;
       }
      case 7: {
        if (wireType !== 1)
         break;
        if (!$Object.is(value = reader.double(), 0))
         message.snapshots = value;
        else
         delete message.snapshots;
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
    return AnswerFacts;
   })();
   v1alpha1.SeriesRequest = (function() {
    const SeriesRequest = function (properties) {
     this.match = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    SeriesRequest.prototype.match = $util.emptyArray;
    SeriesRequest.prototype.start = null;
    SeriesRequest.prototype.end = null;
    SeriesRequest.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.match != null && message.match.length)
      for (let i = 0; i < message.match.length; ++i)
       writer.uint32(/* id 1, wireType 2 =*/10).string(message.match[i]);
     if (message.start != null && $Object.hasOwnProperty.call(message, "start"))
      $root.google.protobuf.Timestamp.encode(message.start, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
     if (message.end != null && $Object.hasOwnProperty.call(message, "end"))
      $root.google.protobuf.Timestamp.encode(message.end, writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
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
     message = _target || new $root.parca.query.v1alpha1.SeriesRequest();
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
        if (!(message.match && message.match.length))
         message.match = [];
        message.match.push(reader.stringVerify());
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        message.start = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.start);
        continue;
       }
      case 3: {
        if (wireType !== 2)
         break;
        message.end = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.end);
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
   v1alpha1.SeriesResponse = (function() {
    const SeriesResponse = function (properties) {
     this.series = [];
     this.warnings = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    SeriesResponse.prototype.series = $util.emptyArray;
    SeriesResponse.prototype.warnings = $util.emptyArray;
    SeriesResponse.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.series != null && message.series.length)
      for (let i = 0; i < message.series.length; ++i)
       $root.parca.profilestore.v1alpha1.LabelSet.encode(message.series[i], writer.uint32(/* id 100, wireType 2 =*/802).fork(), _depth + 1).ldelim();
     if (message.warnings != null && message.warnings.length)
      for (let i = 0; i < message.warnings.length; ++i)
       writer.uint32(/* id 101, wireType 2 =*/810).string(message.warnings[i]);
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
     message = _target || new $root.parca.query.v1alpha1.SeriesResponse();
     while (reader.pos < end) {
      let start = reader.pos;
      let tag = reader.tag();
      if (tag === _end) {
       _end = $undefined;
       break;
      }
      let wireType = tag & 7;
      switch (tag >>>= 3) {
      case 100: {
        if (wireType !== 2)
         break;
        if (!(message.series && message.series.length))
         message.series = [];
        message.series.push($root.parca.profilestore.v1alpha1.LabelSet.decode(reader, reader.size(), $undefined, _depth + 1));
        continue;
       }
      case 101: {
        if (wireType !== 2)
         break;
        if (!(message.warnings && message.warnings.length))
         message.warnings = [];
        message.warnings.push(reader.stringVerify());
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
   v1alpha1.LabelsRequest = (function() {
    const LabelsRequest = function (properties) {
     this.match = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    LabelsRequest.prototype.match = $util.emptyArray;
    LabelsRequest.prototype.start = null;
    LabelsRequest.prototype.end = null;
    LabelsRequest.prototype.profileType = null;
    // OneOf field names bound to virtual getters and setters
    let $oneOfFields;
    // Virtual OneOf for proto3 optional field
    $Object.defineProperty(LabelsRequest.prototype, "_profileType", {
     get: $util.oneOfGetter($oneOfFields = ["profileType"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    LabelsRequest.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.match != null && message.match.length)
      for (let i = 0; i < message.match.length; ++i)
       writer.uint32(/* id 1, wireType 2 =*/10).string(message.match[i]);
     if (message.start != null && $Object.hasOwnProperty.call(message, "start"))
      $root.google.protobuf.Timestamp.encode(message.start, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
     if (message.end != null && $Object.hasOwnProperty.call(message, "end"))
      $root.google.protobuf.Timestamp.encode(message.end, writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
     if (message.profileType != null && $Object.hasOwnProperty.call(message, "profileType"))
      writer.uint32(/* id 4, wireType 2 =*/34).string(message.profileType);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    LabelsRequest.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.LabelsRequest();
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
        if (!(message.match && message.match.length))
         message.match = [];
        message.match.push(reader.stringVerify());
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        message.start = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.start);
        continue;
       }
      case 3: {
        if (wireType !== 2)
         break;
        message.end = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.end);
        continue;
       }
      case 4: {
        if (wireType !== 2)
         break;
        message.profileType = reader.stringVerify();
        message._profileType = "profileType";
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
    return LabelsRequest;
   })();
   v1alpha1.LabelsResponse = (function() {
    const LabelsResponse = function (properties) {
     this.labelNames = [];
     this.warnings = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    LabelsResponse.prototype.labelNames = $util.emptyArray;
    LabelsResponse.prototype.warnings = $util.emptyArray;
    LabelsResponse.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.labelNames != null && message.labelNames.length)
      for (let i = 0; i < message.labelNames.length; ++i)
       writer.uint32(/* id 1, wireType 2 =*/10).string(message.labelNames[i]);
     if (message.warnings != null && message.warnings.length)
      for (let i = 0; i < message.warnings.length; ++i)
       writer.uint32(/* id 2, wireType 2 =*/18).string(message.warnings[i]);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    LabelsResponse.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.LabelsResponse();
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
        if (!(message.labelNames && message.labelNames.length))
         message.labelNames = [];
        message.labelNames.push(reader.stringVerify());
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        if (!(message.warnings && message.warnings.length))
         message.warnings = [];
        message.warnings.push(reader.stringVerify());
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
    return LabelsResponse;
   })();
   v1alpha1.ValuesRequest = (function() {
    const ValuesRequest = function (properties) {
     this.match = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    ValuesRequest.prototype.labelName = "";
    ValuesRequest.prototype.match = $util.emptyArray;
    ValuesRequest.prototype.start = null;
    ValuesRequest.prototype.end = null;
    ValuesRequest.prototype.profileType = null;
    // OneOf field names bound to virtual getters and setters
    let $oneOfFields;
    // Virtual OneOf for proto3 optional field
    $Object.defineProperty(ValuesRequest.prototype, "_profileType", {
     get: $util.oneOfGetter($oneOfFields = ["profileType"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    ValuesRequest.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.labelName != null && $Object.hasOwnProperty.call(message, "labelName") && message.labelName !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.labelName);
     if (message.match != null && message.match.length)
      for (let i = 0; i < message.match.length; ++i)
       writer.uint32(/* id 2, wireType 2 =*/18).string(message.match[i]);
     if (message.start != null && $Object.hasOwnProperty.call(message, "start"))
      $root.google.protobuf.Timestamp.encode(message.start, writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
     if (message.end != null && $Object.hasOwnProperty.call(message, "end"))
      $root.google.protobuf.Timestamp.encode(message.end, writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
     if (message.profileType != null && $Object.hasOwnProperty.call(message, "profileType"))
      writer.uint32(/* id 5, wireType 2 =*/42).string(message.profileType);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    ValuesRequest.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.ValuesRequest();
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
         message.labelName = value;
        else
         delete message.labelName;
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        if (!(message.match && message.match.length))
         message.match = [];
        message.match.push(reader.stringVerify());
        continue;
       }
      case 3: {
        if (wireType !== 2)
         break;
        message.start = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.start);
        continue;
       }
      case 4: {
        if (wireType !== 2)
         break;
        message.end = $root.google.protobuf.Timestamp.decode(reader, reader.size(), $undefined, _depth + 1, message.end);
        continue;
       }
      case 5: {
        if (wireType !== 2)
         break;
        message.profileType = reader.stringVerify();
        message._profileType = "profileType";
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
    return ValuesRequest;
   })();
   v1alpha1.ValuesResponse = (function() {
    const ValuesResponse = function (properties) {
     this.labelValues = [];
     this.warnings = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    ValuesResponse.prototype.labelValues = $util.emptyArray;
    ValuesResponse.prototype.warnings = $util.emptyArray;
    ValuesResponse.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.labelValues != null && message.labelValues.length)
      for (let i = 0; i < message.labelValues.length; ++i)
       writer.uint32(/* id 1, wireType 2 =*/10).string(message.labelValues[i]);
     if (message.warnings != null && message.warnings.length)
      for (let i = 0; i < message.warnings.length; ++i)
       writer.uint32(/* id 2, wireType 2 =*/18).string(message.warnings[i]);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    ValuesResponse.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.ValuesResponse();
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
        if (!(message.labelValues && message.labelValues.length))
         message.labelValues = [];
        message.labelValues.push(reader.stringVerify());
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        if (!(message.warnings && message.warnings.length))
         message.warnings = [];
        message.warnings.push(reader.stringVerify());
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
    return ValuesResponse;
   })();
   v1alpha1.ValueType = (function() {
    const ValueType = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    ValueType.prototype.type = "";
    ValueType.prototype.unit = "";
    ValueType.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.type != null && $Object.hasOwnProperty.call(message, "type") && message.type !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.type);
     if (message.unit != null && $Object.hasOwnProperty.call(message, "unit") && message.unit !== "")
      writer.uint32(/* id 2, wireType 2 =*/18).string(message.unit);
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
     message = _target || new $root.parca.query.v1alpha1.ValueType();
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
         message.type = value;
        else
         delete message.type;
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
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
   v1alpha1.ShareProfileRequest = (function() {
    const ShareProfileRequest = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    ShareProfileRequest.prototype.queryRequest = null;
    ShareProfileRequest.prototype.description = null;
    // OneOf field names bound to virtual getters and setters
    let $oneOfFields;
    // Virtual OneOf for proto3 optional field
    $Object.defineProperty(ShareProfileRequest.prototype, "_description", {
     get: $util.oneOfGetter($oneOfFields = ["description"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    ShareProfileRequest.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.queryRequest != null && $Object.hasOwnProperty.call(message, "queryRequest"))
      $root.parca.query.v1alpha1.QueryRequest.encode(message.queryRequest, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
     if (message.description != null && $Object.hasOwnProperty.call(message, "description"))
      writer.uint32(/* id 2, wireType 2 =*/18).string(message.description);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    ShareProfileRequest.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.ShareProfileRequest();
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
        message.queryRequest = $root.parca.query.v1alpha1.QueryRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.queryRequest);
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        message.description = reader.stringVerify();
        message._description = "description";
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
    return ShareProfileRequest;
   })();
   v1alpha1.ShareProfileResponse = (function() {
    const ShareProfileResponse = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    ShareProfileResponse.prototype.link = "";
    ShareProfileResponse.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.link != null && $Object.hasOwnProperty.call(message, "link") && message.link !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.link);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    ShareProfileResponse.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.ShareProfileResponse();
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
         message.link = value;
        else
         delete message.link;
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
    return ShareProfileResponse;
   })();
   v1alpha1.TableArrow = (function() {
    const TableArrow = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    TableArrow.prototype.record = $util.newBuffer([]);
    TableArrow.prototype.unit = "";
    TableArrow.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.record != null && $Object.hasOwnProperty.call(message, "record") && message.record.length)
      writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.record);
     if (message.unit != null && $Object.hasOwnProperty.call(message, "unit") && message.unit !== "")
      writer.uint32(/* id 2, wireType 2 =*/18).string(message.unit);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    TableArrow.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.TableArrow();
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
      case 2: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
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
    return TableArrow;
   })();
   v1alpha1.ProfileMetadata = (function() {
    const ProfileMetadata = function (properties) {
     this.mappingFiles = [];
     this.labels = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    ProfileMetadata.prototype.mappingFiles = $util.emptyArray;
    ProfileMetadata.prototype.labels = $util.emptyArray;
    ProfileMetadata.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.mappingFiles != null && message.mappingFiles.length)
      for (let i = 0; i < message.mappingFiles.length; ++i)
       writer.uint32(/* id 1, wireType 2 =*/10).string(message.mappingFiles[i]);
     if (message.labels != null && message.labels.length)
      for (let i = 0; i < message.labels.length; ++i)
       writer.uint32(/* id 2, wireType 2 =*/18).string(message.labels[i]);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    ProfileMetadata.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.ProfileMetadata();
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
        if (!(message.mappingFiles && message.mappingFiles.length))
         message.mappingFiles = [];
        message.mappingFiles.push(reader.stringVerify());
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        if (!(message.labels && message.labels.length))
         message.labels = [];
        message.labels.push(reader.stringVerify());
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
    return ProfileMetadata;
   })();
   v1alpha1.HasProfileDataRequest = (function() {
    const HasProfileDataRequest = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    HasProfileDataRequest.encode = function (message, writer, _depth) {
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
    HasProfileDataRequest.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.HasProfileDataRequest();
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
    return HasProfileDataRequest;
   })();
   v1alpha1.HasProfileDataResponse = (function() {
    const HasProfileDataResponse = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    HasProfileDataResponse.prototype.hasData = false;
    HasProfileDataResponse.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.hasData != null && $Object.hasOwnProperty.call(message, "hasData") && message.hasData !== false)
      writer.uint32(/* id 1, wireType 0 =*/8).bool(message.hasData);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    HasProfileDataResponse.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.parca.query.v1alpha1.HasProfileDataResponse();
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
         message.hasData = value;
        else
         delete message.hasData;
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
    return HasProfileDataResponse;
   })();
   return v1alpha1;
  })();
  return query;
 })();
 parca.metastore = (function() {
  const metastore = {};
  metastore.v1alpha1 = (function() {
   const v1alpha1 = {};
   v1alpha1.Location = (function() {
    const Location = function (properties) {
     this.lines = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    Location.prototype.id = "";
    Location.prototype.address = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
    Location.prototype.mappingId = "";
    Location.prototype.isFolded = false;
    Location.prototype.lines = $util.emptyArray;
    Location.prototype.mappingIndex = 0;
    Location.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.id != null && $Object.hasOwnProperty.call(message, "id") && message.id !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.id);
     if (message.address != null && $Object.hasOwnProperty.call(message, "address") && (typeof message.address === "object" ? message.address.low || message.address.high : message.address !== 0))
      writer.uint32(/* id 2, wireType 0 =*/16).uint64(message.address);
     if (message.mappingId != null && $Object.hasOwnProperty.call(message, "mappingId") && message.mappingId !== "")
      writer.uint32(/* id 4, wireType 2 =*/34).string(message.mappingId);
     if (message.isFolded != null && $Object.hasOwnProperty.call(message, "isFolded") && message.isFolded !== false)
      writer.uint32(/* id 5, wireType 0 =*/40).bool(message.isFolded);
     if (message.lines != null && message.lines.length)
      for (let i = 0; i < message.lines.length; ++i)
       $root.parca.metastore.v1alpha1.Line.encode(message.lines[i], writer.uint32(/* id 6, wireType 2 =*/50).fork(), _depth + 1).ldelim();
     if (message.mappingIndex != null && $Object.hasOwnProperty.call(message, "mappingIndex") && message.mappingIndex !== 0)
      writer.uint32(/* id 7, wireType 0 =*/56).uint32(message.mappingIndex);
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
     message = _target || new $root.parca.metastore.v1alpha1.Location();
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
        if ((value = reader.stringVerify()).length)
         message.mappingId = value;
        else
         delete message.mappingId;
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
      case 6: {
        if (wireType !== 2)
         break;
        if (!(message.lines && message.lines.length))
         message.lines = [];
        message.lines.push($root.parca.metastore.v1alpha1.Line.decode(reader, reader.size(), $undefined, _depth + 1));
        continue;
       }
      case 7: {
        if (wireType !== 0)
         break;
        if (value = reader.uint32())
         message.mappingIndex = value;
        else
         delete message.mappingIndex;
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
   v1alpha1.Line = (function() {
    const Line = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    Line.prototype.functionId = "";
    Line.prototype.line = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    Line.prototype.functionIndex = 0;
    Line.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.functionId != null && $Object.hasOwnProperty.call(message, "functionId") && message.functionId !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.functionId);
     if (message.line != null && $Object.hasOwnProperty.call(message, "line") && (typeof message.line === "object" ? message.line.low || message.line.high : message.line !== 0))
      writer.uint32(/* id 2, wireType 0 =*/16).int64(message.line);
     if (message.functionIndex != null && $Object.hasOwnProperty.call(message, "functionIndex") && message.functionIndex !== 0)
      writer.uint32(/* id 3, wireType 0 =*/24).uint32(message.functionIndex);
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
     message = _target || new $root.parca.metastore.v1alpha1.Line();
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
      case 3: {
        if (wireType !== 0)
         break;
        if (value = reader.uint32())
         message.functionIndex = value;
        else
         delete message.functionIndex;
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
   v1alpha1.Function = (function() {
    const Function = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    Function.prototype.id = "";
    Function.prototype.startLine = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
    Function.prototype.name = "";
    Function.prototype.systemName = "";
    Function.prototype.filename = "";
    Function.prototype.nameStringIndex = 0;
    Function.prototype.systemNameStringIndex = 0;
    Function.prototype.filenameStringIndex = 0;
    Function.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.id != null && $Object.hasOwnProperty.call(message, "id") && message.id !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.id);
     if (message.startLine != null && $Object.hasOwnProperty.call(message, "startLine") && (typeof message.startLine === "object" ? message.startLine.low || message.startLine.high : message.startLine !== 0))
      writer.uint32(/* id 2, wireType 0 =*/16).int64(message.startLine);
     if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
      writer.uint32(/* id 3, wireType 2 =*/26).string(message.name);
     if (message.systemName != null && $Object.hasOwnProperty.call(message, "systemName") && message.systemName !== "")
      writer.uint32(/* id 4, wireType 2 =*/34).string(message.systemName);
     if (message.filename != null && $Object.hasOwnProperty.call(message, "filename") && message.filename !== "")
      writer.uint32(/* id 5, wireType 2 =*/42).string(message.filename);
     if (message.nameStringIndex != null && $Object.hasOwnProperty.call(message, "nameStringIndex") && message.nameStringIndex !== 0)
      writer.uint32(/* id 6, wireType 0 =*/48).uint32(message.nameStringIndex);
     if (message.systemNameStringIndex != null && $Object.hasOwnProperty.call(message, "systemNameStringIndex") && message.systemNameStringIndex !== 0)
      writer.uint32(/* id 7, wireType 0 =*/56).uint32(message.systemNameStringIndex);
     if (message.filenameStringIndex != null && $Object.hasOwnProperty.call(message, "filenameStringIndex") && message.filenameStringIndex !== 0)
      writer.uint32(/* id 8, wireType 0 =*/64).uint32(message.filenameStringIndex);
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
     message = _target || new $root.parca.metastore.v1alpha1.Function();
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
        if (wireType !== 0)
         break;
        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
         message.startLine = value;
        else
         delete message.startLine;
        continue;
       }
      case 3: {
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
         message.systemName = value;
        else
         delete message.systemName;
        continue;
       }
      case 5: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
         message.filename = value;
        else
         delete message.filename;
        continue;
       }
      case 6: {
        if (wireType !== 0)
         break;
        if (value = reader.uint32())
         message.nameStringIndex = value;
        else
         delete message.nameStringIndex;
        continue;
       }
      case 7: {
        if (wireType !== 0)
         break;
        if (value = reader.uint32())
         message.systemNameStringIndex = value;
        else
         delete message.systemNameStringIndex;
        continue;
       }
      case 8: {
        if (wireType !== 0)
         break;
        if (value = reader.uint32())
         message.filenameStringIndex = value;
        else
         delete message.filenameStringIndex;
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
   v1alpha1.Mapping = (function() {
    const Mapping = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    Mapping.prototype.id = "";
    Mapping.prototype.start = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
    Mapping.prototype.limit = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
    Mapping.prototype.offset = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
    Mapping.prototype.file = "";
    Mapping.prototype.buildId = "";
    Mapping.prototype.hasFunctions = false;
    Mapping.prototype.hasFilenames = false;
    Mapping.prototype.hasLineNumbers = false;
    Mapping.prototype.hasInlineFrames = false;
    Mapping.prototype.fileStringIndex = 0;
    Mapping.prototype.buildIdStringIndex = 0;
    Mapping.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.id != null && $Object.hasOwnProperty.call(message, "id") && message.id !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.id);
     if (message.start != null && $Object.hasOwnProperty.call(message, "start") && (typeof message.start === "object" ? message.start.low || message.start.high : message.start !== 0))
      writer.uint32(/* id 2, wireType 0 =*/16).uint64(message.start);
     if (message.limit != null && $Object.hasOwnProperty.call(message, "limit") && (typeof message.limit === "object" ? message.limit.low || message.limit.high : message.limit !== 0))
      writer.uint32(/* id 3, wireType 0 =*/24).uint64(message.limit);
     if (message.offset != null && $Object.hasOwnProperty.call(message, "offset") && (typeof message.offset === "object" ? message.offset.low || message.offset.high : message.offset !== 0))
      writer.uint32(/* id 4, wireType 0 =*/32).uint64(message.offset);
     if (message.file != null && $Object.hasOwnProperty.call(message, "file") && message.file !== "")
      writer.uint32(/* id 5, wireType 2 =*/42).string(message.file);
     if (message.buildId != null && $Object.hasOwnProperty.call(message, "buildId") && message.buildId !== "")
      writer.uint32(/* id 6, wireType 2 =*/50).string(message.buildId);
     if (message.hasFunctions != null && $Object.hasOwnProperty.call(message, "hasFunctions") && message.hasFunctions !== false)
      writer.uint32(/* id 7, wireType 0 =*/56).bool(message.hasFunctions);
     if (message.hasFilenames != null && $Object.hasOwnProperty.call(message, "hasFilenames") && message.hasFilenames !== false)
      writer.uint32(/* id 8, wireType 0 =*/64).bool(message.hasFilenames);
     if (message.hasLineNumbers != null && $Object.hasOwnProperty.call(message, "hasLineNumbers") && message.hasLineNumbers !== false)
      writer.uint32(/* id 9, wireType 0 =*/72).bool(message.hasLineNumbers);
     if (message.hasInlineFrames != null && $Object.hasOwnProperty.call(message, "hasInlineFrames") && message.hasInlineFrames !== false)
      writer.uint32(/* id 10, wireType 0 =*/80).bool(message.hasInlineFrames);
     if (message.fileStringIndex != null && $Object.hasOwnProperty.call(message, "fileStringIndex") && message.fileStringIndex !== 0)
      writer.uint32(/* id 11, wireType 0 =*/88).uint32(message.fileStringIndex);
     if (message.buildIdStringIndex != null && $Object.hasOwnProperty.call(message, "buildIdStringIndex") && message.buildIdStringIndex !== 0)
      writer.uint32(/* id 12, wireType 0 =*/96).uint32(message.buildIdStringIndex);
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
     message = _target || new $root.parca.metastore.v1alpha1.Mapping();
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
        if (wireType !== 0)
         break;
        if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
         message.start = value;
        else
         delete message.start;
        continue;
       }
      case 3: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
         message.limit = value;
        else
         delete message.limit;
        continue;
       }
      case 4: {
        if (wireType !== 0)
         break;
        if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
         message.offset = value;
        else
         delete message.offset;
        continue;
       }
      case 5: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
         message.file = value;
        else
         delete message.file;
        continue;
       }
      case 6: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
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
      case 11: {
        if (wireType !== 0)
         break;
        if (value = reader.uint32())
         message.fileStringIndex = value;
        else
         delete message.fileStringIndex;
        continue;
       }
      case 12: {
        if (wireType !== 0)
         break;
        if (value = reader.uint32())
         message.buildIdStringIndex = value;
        else
         delete message.buildIdStringIndex;
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
   return v1alpha1;
  })();
  return metastore;
 })();
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
