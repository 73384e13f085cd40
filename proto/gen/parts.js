// Generated from parts/v1/parts.proto by tools/generate/proto.mjs. Do not edit.
import $protobuf from "protobufjs/minimal.js";
// Common aliases
const $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
const $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError;
// Exported root namespace
const $root = $protobuf.roots["parca-parts"] || ($protobuf.roots["parca-parts"] = {});
export const parts = $root.parts = (() => {
 const parts = {};
 parts.v1 = (function() {
  const v1 = {};
  v1.LookRequest = (function() {
   const LookRequest = function (properties) {
    this.places = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   LookRequest.prototype.instance = "";
   LookRequest.prototype.version = "";
   LookRequest.prototype.places = $util.emptyArray;
   LookRequest.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.instance != null && $Object.hasOwnProperty.call(message, "instance") && message.instance !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.instance);
    if (message.version != null && $Object.hasOwnProperty.call(message, "version") && message.version !== "")
     writer.uint32(/* id 2, wireType 2 =*/18).string(message.version);
    if (message.places != null && message.places.length)
     for (let i = 0; i < message.places.length; ++i)
      $root.parts.v1.LogPlace.encode(message.places[i], writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   LookRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.parts.v1.LookRequest();
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
        message.instance = value;
       else
        delete message.instance;
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       if ((value = reader.stringVerify()).length)
        message.version = value;
       else
        delete message.version;
       continue;
      }
     case 3: {
       if (wireType !== 2)
        break;
       if (!(message.places && message.places.length))
        message.places = [];
       message.places.push($root.parts.v1.LogPlace.decode(reader, reader.size(), $undefined, _depth + 1));
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
   return LookRequest;
  })();
  v1.LogPlace = (function() {
   const LogPlace = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   LogPlace.prototype.epoch = 0;
   LogPlace.prototype.sequence = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   LogPlace.prototype.offset = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   LogPlace.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.epoch != null && $Object.hasOwnProperty.call(message, "epoch") && message.epoch !== 0)
     writer.uint32(/* id 1, wireType 0 =*/8).uint32(message.epoch);
    if (message.sequence != null && $Object.hasOwnProperty.call(message, "sequence") && (typeof message.sequence === "object" ? message.sequence.low || message.sequence.high : message.sequence !== 0))
     writer.uint32(/* id 2, wireType 0 =*/16).uint64(message.sequence);
    if (message.offset != null && $Object.hasOwnProperty.call(message, "offset") && (typeof message.offset === "object" ? message.offset.low || message.offset.high : message.offset !== 0))
     writer.uint32(/* id 3, wireType 0 =*/24).uint64(message.offset);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   LogPlace.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.parts.v1.LogPlace();
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
        message.epoch = value;
       else
        delete message.epoch;
       continue;
      }
     case 2: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
        message.sequence = value;
       else
        delete message.sequence;
       continue;
      }
     case 3: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
        message.offset = value;
       else
        delete message.offset;
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
   return LogPlace;
  })();
  v1.LookResponse = (function() {
   const LookResponse = function (properties) {
    this.blocks = [];
    this.heads = [];
    this.stretches = [];
    this.losses = [];
    this.gone = [];
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   LookResponse.prototype.instance = "";
   LookResponse.prototype.version = "";
   LookResponse.prototype.hasBlocks = false;
   LookResponse.prototype.blocks = $util.emptyArray;
   LookResponse.prototype.heads = $util.emptyArray;
   LookResponse.prototype.stretches = $util.emptyArray;
   LookResponse.prototype.isWhole = false;
   LookResponse.prototype.losses = $util.emptyArray;
   LookResponse.prototype.gone = $util.emptyArray;
   LookResponse.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.instance != null && $Object.hasOwnProperty.call(message, "instance") && message.instance !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.instance);
    if (message.version != null && $Object.hasOwnProperty.call(message, "version") && message.version !== "")
     writer.uint32(/* id 2, wireType 2 =*/18).string(message.version);
    if (message.hasBlocks != null && $Object.hasOwnProperty.call(message, "hasBlocks") && message.hasBlocks !== false)
     writer.uint32(/* id 3, wireType 0 =*/24).bool(message.hasBlocks);
    if (message.blocks != null && message.blocks.length)
     for (let i = 0; i < message.blocks.length; ++i)
      $root.parts.v1.ListedBlock.encode(message.blocks[i], writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
    if (message.heads != null && message.heads.length)
     writer.uint32(/* id 5, wireType 2 =*/42).uint32s(message.heads);
    if (message.stretches != null && message.stretches.length)
     for (let i = 0; i < message.stretches.length; ++i)
      $root.parts.v1.LogStretch.encode(message.stretches[i], writer.uint32(/* id 6, wireType 2 =*/50).fork(), _depth + 1).ldelim();
    if (message.isWhole != null && $Object.hasOwnProperty.call(message, "isWhole") && message.isWhole !== false)
     writer.uint32(/* id 7, wireType 0 =*/56).bool(message.isWhole);
    if (message.losses != null && message.losses.length)
     for (let i = 0; i < message.losses.length; ++i)
      $root.parts.v1.Loss.encode(message.losses[i], writer.uint32(/* id 8, wireType 2 =*/66).fork(), _depth + 1).ldelim();
    if (message.gone != null && message.gone.length)
     for (let i = 0; i < message.gone.length; ++i)
      writer.uint32(/* id 9, wireType 2 =*/74).string(message.gone[i]);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   LookResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.parts.v1.LookResponse();
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
        message.instance = value;
       else
        delete message.instance;
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       if ((value = reader.stringVerify()).length)
        message.version = value;
       else
        delete message.version;
       continue;
      }
     case 3: {
       if (wireType !== 0)
        break;
       if (value = reader.bool())
        message.hasBlocks = value;
       else
        delete message.hasBlocks;
       continue;
      }
     case 4: {
       if (wireType !== 2)
        break;
       if (!(message.blocks && message.blocks.length))
        message.blocks = [];
       message.blocks.push($root.parts.v1.ListedBlock.decode(reader, reader.size(), $undefined, _depth + 1));
       continue;
      }
     case 5: {
       if (wireType === 2) {
        if (!(message.heads && message.heads.length))
         message.heads = [];
        reader.uint32s(message.heads);
        continue;
       }
       if (wireType !== 0)
        break;
       if (!(message.heads && message.heads.length))
        message.heads = [];
       message.heads.push(reader.uint32());
       continue;
      }
     case 6: {
       if (wireType !== 2)
        break;
       if (!(message.stretches && message.stretches.length))
        message.stretches = [];
       message.stretches.push($root.parts.v1.LogStretch.decode(reader, reader.size(), $undefined, _depth + 1));
       continue;
      }
     case 7: {
       if (wireType !== 0)
        break;
       if (value = reader.bool())
        message.isWhole = value;
       else
        delete message.isWhole;
       continue;
      }
     case 8: {
       if (wireType !== 2)
        break;
       if (!(message.losses && message.losses.length))
        message.losses = [];
       message.losses.push($root.parts.v1.Loss.decode(reader, reader.size(), $undefined, _depth + 1));
       continue;
      }
     case 9: {
       if (wireType !== 2)
        break;
       if (!(message.gone && message.gone.length))
        message.gone = [];
       message.gone.push(reader.stringVerify());
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
   return LookResponse;
  })();
  v1.ListedBlock = (function() {
   const ListedBlock = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   ListedBlock.prototype.id = "";
   ListedBlock.prototype.fileBytes = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   ListedBlock.prototype.deletions = $util.newBuffer([]);
   ListedBlock.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.id != null && $Object.hasOwnProperty.call(message, "id") && message.id !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.id);
    if (message.fileBytes != null && $Object.hasOwnProperty.call(message, "fileBytes") && (typeof message.fileBytes === "object" ? message.fileBytes.low || message.fileBytes.high : message.fileBytes !== 0))
     writer.uint32(/* id 2, wireType 0 =*/16).uint64(message.fileBytes);
    if (message.deletions != null && $Object.hasOwnProperty.call(message, "deletions") && message.deletions.length)
     writer.uint32(/* id 3, wireType 2 =*/26).bytes(message.deletions);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   ListedBlock.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.parts.v1.ListedBlock();
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
        message.fileBytes = value;
       else
        delete message.fileBytes;
       continue;
      }
     case 3: {
       if (wireType !== 2)
        break;
       if ((value = reader.bytes()).length)
        message.deletions = value;
       else
        delete message.deletions;
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
   return ListedBlock;
  })();
  v1.LogStretch = (function() {
   const LogStretch = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   LogStretch.prototype.epoch = 0;
   LogStretch.prototype.sequence = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   LogStretch.prototype.salt = 0;
   LogStretch.prototype.offset = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   LogStretch.prototype.content = $util.newBuffer([]);
   LogStretch.prototype.end = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   LogStretch.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.epoch != null && $Object.hasOwnProperty.call(message, "epoch") && message.epoch !== 0)
     writer.uint32(/* id 1, wireType 0 =*/8).uint32(message.epoch);
    if (message.sequence != null && $Object.hasOwnProperty.call(message, "sequence") && (typeof message.sequence === "object" ? message.sequence.low || message.sequence.high : message.sequence !== 0))
     writer.uint32(/* id 2, wireType 0 =*/16).uint64(message.sequence);
    if (message.salt != null && $Object.hasOwnProperty.call(message, "salt") && message.salt !== 0)
     writer.uint32(/* id 3, wireType 0 =*/24).uint32(message.salt);
    if (message.offset != null && $Object.hasOwnProperty.call(message, "offset") && (typeof message.offset === "object" ? message.offset.low || message.offset.high : message.offset !== 0))
     writer.uint32(/* id 4, wireType 0 =*/32).uint64(message.offset);
    if (message.content != null && $Object.hasOwnProperty.call(message, "content") && message.content.length)
     writer.uint32(/* id 5, wireType 2 =*/42).bytes(message.content);
    if (message.end != null && $Object.hasOwnProperty.call(message, "end") && (typeof message.end === "object" ? message.end.low || message.end.high : message.end !== 0))
     writer.uint32(/* id 6, wireType 0 =*/48).uint64(message.end);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   LogStretch.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.parts.v1.LogStretch();
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
        message.epoch = value;
       else
        delete message.epoch;
       continue;
      }
     case 2: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
        message.sequence = value;
       else
        delete message.sequence;
       continue;
      }
     case 3: {
       if (wireType !== 0)
        break;
       if (value = reader.uint32())
        message.salt = value;
       else
        delete message.salt;
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
       if ((value = reader.bytes()).length)
        message.content = value;
       else
        delete message.content;
       continue;
      }
     case 6: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
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
   return LogStretch;
  })();
  v1.Loss = (function() {
   const Loss = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   Loss.prototype.lastNanos = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
   Loss.prototype.sentence = "";
   Loss.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.lastNanos != null && $Object.hasOwnProperty.call(message, "lastNanos") && (typeof message.lastNanos === "object" ? message.lastNanos.low || message.lastNanos.high : message.lastNanos !== 0))
     writer.uint32(/* id 1, wireType 0 =*/8).int64(message.lastNanos);
    if (message.sentence != null && $Object.hasOwnProperty.call(message, "sentence") && message.sentence !== "")
     writer.uint32(/* id 2, wireType 2 =*/18).string(message.sentence);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   Loss.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.parts.v1.Loss();
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
        message.lastNanos = value;
       else
        delete message.lastNanos;
       continue;
      }
     case 2: {
       if (wireType !== 2)
        break;
       if ((value = reader.stringVerify()).length)
        message.sentence = value;
       else
        delete message.sentence;
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
   return Loss;
  })();
  v1.ReadBlockRequest = (function() {
   const ReadBlockRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   ReadBlockRequest.prototype.id = "";
   ReadBlockRequest.prototype.offset = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   ReadBlockRequest.prototype.length = 0;
   ReadBlockRequest.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.id != null && $Object.hasOwnProperty.call(message, "id") && message.id !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.id);
    if (message.offset != null && $Object.hasOwnProperty.call(message, "offset") && (typeof message.offset === "object" ? message.offset.low || message.offset.high : message.offset !== 0))
     writer.uint32(/* id 2, wireType 0 =*/16).uint64(message.offset);
    if (message.length != null && $Object.hasOwnProperty.call(message, "length") && message.length !== 0)
     writer.uint32(/* id 3, wireType 0 =*/24).uint32(message.length);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   ReadBlockRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.parts.v1.ReadBlockRequest();
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
        message.offset = value;
       else
        delete message.offset;
       continue;
      }
     case 3: {
       if (wireType !== 0)
        break;
       if (value = reader.uint32())
        message.length = value;
       else
        delete message.length;
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
   return ReadBlockRequest;
  })();
  v1.ReadBlockResponse = (function() {
   const ReadBlockResponse = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   ReadBlockResponse.prototype.content = $util.newBuffer([]);
   ReadBlockResponse.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.content != null && $Object.hasOwnProperty.call(message, "content") && message.content.length)
     writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.content);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   ReadBlockResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.parts.v1.ReadBlockResponse();
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
        message.content = value;
       else
        delete message.content;
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
   return ReadBlockResponse;
  })();
  v1.ReadDebuginfoRequest = (function() {
   const ReadDebuginfoRequest = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   ReadDebuginfoRequest.prototype.buildId = "";
   ReadDebuginfoRequest.prototype.offset = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   ReadDebuginfoRequest.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.buildId != null && $Object.hasOwnProperty.call(message, "buildId") && message.buildId !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.buildId);
    if (message.offset != null && $Object.hasOwnProperty.call(message, "offset") && (typeof message.offset === "object" ? message.offset.low || message.offset.high : message.offset !== 0))
     writer.uint32(/* id 2, wireType 0 =*/16).uint64(message.offset);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   ReadDebuginfoRequest.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.parts.v1.ReadDebuginfoRequest();
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
        message.offset = value;
       else
        delete message.offset;
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
   return ReadDebuginfoRequest;
  })();
  v1.ReadDebuginfoResponse = (function() {
   const ReadDebuginfoResponse = function (properties) {
    if (properties)
     for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
      if (properties[keys[i]] != null && keys[i] !== "__proto__")
       this[keys[i]] = properties[keys[i]];
   };
   ReadDebuginfoResponse.prototype.file = "";
   ReadDebuginfoResponse.prototype.fileBytes = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
   ReadDebuginfoResponse.prototype.content = $util.newBuffer([]);
   ReadDebuginfoResponse.encode = function (message, writer, _depth) {
    if (!writer)
     writer = $Writer.create();
    if (_depth === $undefined)
     _depth = 0;
    if (_depth > $util.recursionLimit)
     throw $Error("max depth exceeded");
    if (message.file != null && $Object.hasOwnProperty.call(message, "file") && message.file !== "")
     writer.uint32(/* id 1, wireType 2 =*/10).string(message.file);
    if (message.fileBytes != null && $Object.hasOwnProperty.call(message, "fileBytes") && (typeof message.fileBytes === "object" ? message.fileBytes.low || message.fileBytes.high : message.fileBytes !== 0))
     writer.uint32(/* id 2, wireType 0 =*/16).uint64(message.fileBytes);
    if (message.content != null && $Object.hasOwnProperty.call(message, "content") && message.content.length)
     writer.uint32(/* id 3, wireType 2 =*/26).bytes(message.content);
    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
     for (let i = 0; i < message.$unknowns.length; ++i)
      writer.raw(message.$unknowns[i]);
    return writer;
   };
   ReadDebuginfoResponse.decode = function (reader, length, _end, _depth, _target) {
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
    message = _target || new $root.parts.v1.ReadDebuginfoResponse();
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
        message.file = value;
       else
        delete message.file;
       continue;
      }
     case 2: {
       if (wireType !== 0)
        break;
       if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
        message.fileBytes = value;
       else
        delete message.fileBytes;
       continue;
      }
     case 3: {
       if (wireType !== 2)
        break;
       if ((value = reader.bytes()).length)
        message.content = value;
       else
        delete message.content;
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
   return ReadDebuginfoResponse;
  })();
  return v1;
 })();
 return parts;
})();
export {
  $root as default
};
