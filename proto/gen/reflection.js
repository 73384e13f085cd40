// Generated from grpc/reflection/v1/reflection.proto by tools/generate/proto.mjs. Do not edit.
import $protobuf from "protobufjs/minimal.js";
// Common aliases
const $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
const $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError;
// Exported root namespace
const $root = $protobuf.roots["parca-reflection"] || ($protobuf.roots["parca-reflection"] = {});
export const grpc = $root.grpc = (() => {
 const grpc = {};
 grpc.reflection = (function() {
  const reflection = {};
  reflection.v1 = (function() {
   const v1 = {};
   v1.ServerReflectionRequest = (function() {
    const ServerReflectionRequest = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    ServerReflectionRequest.prototype.host = "";
    ServerReflectionRequest.prototype.fileByFilename = null;
    ServerReflectionRequest.prototype.fileContainingSymbol = null;
    ServerReflectionRequest.prototype.fileContainingExtension = null;
    ServerReflectionRequest.prototype.allExtensionNumbersOfType = null;
    ServerReflectionRequest.prototype.listServices = null;
    // OneOf field names bound to virtual getters and setters
    let $oneOfFields;
    $Object.defineProperty(ServerReflectionRequest.prototype, "messageRequest", {
     get: $util.oneOfGetter($oneOfFields = ["fileByFilename", "fileContainingSymbol", "fileContainingExtension", "allExtensionNumbersOfType", "listServices"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    ServerReflectionRequest.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.host != null && $Object.hasOwnProperty.call(message, "host") && message.host !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.host);
     if (message.fileByFilename != null && $Object.hasOwnProperty.call(message, "fileByFilename"))
      writer.uint32(/* id 3, wireType 2 =*/26).string(message.fileByFilename);
     if (message.fileContainingSymbol != null && $Object.hasOwnProperty.call(message, "fileContainingSymbol"))
      writer.uint32(/* id 4, wireType 2 =*/34).string(message.fileContainingSymbol);
     if (message.fileContainingExtension != null && $Object.hasOwnProperty.call(message, "fileContainingExtension"))
      $root.grpc.reflection.v1.ExtensionRequest.encode(message.fileContainingExtension, writer.uint32(/* id 5, wireType 2 =*/42).fork(), _depth + 1).ldelim();
     if (message.allExtensionNumbersOfType != null && $Object.hasOwnProperty.call(message, "allExtensionNumbersOfType"))
      writer.uint32(/* id 6, wireType 2 =*/50).string(message.allExtensionNumbersOfType);
     if (message.listServices != null && $Object.hasOwnProperty.call(message, "listServices"))
      writer.uint32(/* id 7, wireType 2 =*/58).string(message.listServices);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    ServerReflectionRequest.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.grpc.reflection.v1.ServerReflectionRequest();
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
         message.host = value;
        else
         delete message.host;
        continue;
       }
      case 3: {
        if (wireType !== 2)
         break;
        message.fileByFilename = reader.stringVerify();
        message.messageRequest = "fileByFilename";
        continue;
       }
      case 4: {
        if (wireType !== 2)
         break;
        message.fileContainingSymbol = reader.stringVerify();
        message.messageRequest = "fileContainingSymbol";
        continue;
       }
      case 5: {
        if (wireType !== 2)
         break;
        message.fileContainingExtension = $root.grpc.reflection.v1.ExtensionRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.fileContainingExtension);
        message.messageRequest = "fileContainingExtension";
        continue;
       }
      case 6: {
        if (wireType !== 2)
         break;
        message.allExtensionNumbersOfType = reader.stringVerify();
        message.messageRequest = "allExtensionNumbersOfType";
        continue;
       }
      case 7: {
        if (wireType !== 2)
         break;
        message.listServices = reader.stringVerify();
        message.messageRequest = "listServices";
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
    return ServerReflectionRequest;
   })();
   v1.ExtensionRequest = (function() {
    const ExtensionRequest = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    ExtensionRequest.prototype.containingType = "";
    ExtensionRequest.prototype.extensionNumber = 0;
    ExtensionRequest.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.containingType != null && $Object.hasOwnProperty.call(message, "containingType") && message.containingType !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.containingType);
     if (message.extensionNumber != null && $Object.hasOwnProperty.call(message, "extensionNumber") && message.extensionNumber !== 0)
      writer.uint32(/* id 2, wireType 0 =*/16).int32(message.extensionNumber);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    ExtensionRequest.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.grpc.reflection.v1.ExtensionRequest();
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
         message.containingType = value;
        else
         delete message.containingType;
        continue;
       }
      case 2: {
        if (wireType !== 0)
         break;
        if (value = reader.int32())
         message.extensionNumber = value;
        else
         delete message.extensionNumber;
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
    return ExtensionRequest;
   })();
   v1.ServerReflectionResponse = (function() {
    const ServerReflectionResponse = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    ServerReflectionResponse.prototype.validHost = "";
    ServerReflectionResponse.prototype.originalRequest = null;
    ServerReflectionResponse.prototype.fileDescriptorResponse = null;
    ServerReflectionResponse.prototype.allExtensionNumbersResponse = null;
    ServerReflectionResponse.prototype.listServicesResponse = null;
    ServerReflectionResponse.prototype.errorResponse = null;
    // OneOf field names bound to virtual getters and setters
    let $oneOfFields;
    $Object.defineProperty(ServerReflectionResponse.prototype, "messageResponse", {
     get: $util.oneOfGetter($oneOfFields = ["fileDescriptorResponse", "allExtensionNumbersResponse", "listServicesResponse", "errorResponse"]),
     set: $util.oneOfSetter($oneOfFields)
    });
    ServerReflectionResponse.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.validHost != null && $Object.hasOwnProperty.call(message, "validHost") && message.validHost !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.validHost);
     if (message.originalRequest != null && $Object.hasOwnProperty.call(message, "originalRequest"))
      $root.grpc.reflection.v1.ServerReflectionRequest.encode(message.originalRequest, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
     if (message.fileDescriptorResponse != null && $Object.hasOwnProperty.call(message, "fileDescriptorResponse"))
      $root.grpc.reflection.v1.FileDescriptorResponse.encode(message.fileDescriptorResponse, writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
     if (message.allExtensionNumbersResponse != null && $Object.hasOwnProperty.call(message, "allExtensionNumbersResponse"))
      $root.grpc.reflection.v1.ExtensionNumberResponse.encode(message.allExtensionNumbersResponse, writer.uint32(/* id 5, wireType 2 =*/42).fork(), _depth + 1).ldelim();
     if (message.listServicesResponse != null && $Object.hasOwnProperty.call(message, "listServicesResponse"))
      $root.grpc.reflection.v1.ListServiceResponse.encode(message.listServicesResponse, writer.uint32(/* id 6, wireType 2 =*/50).fork(), _depth + 1).ldelim();
     if (message.errorResponse != null && $Object.hasOwnProperty.call(message, "errorResponse"))
      $root.grpc.reflection.v1.ErrorResponse.encode(message.errorResponse, writer.uint32(/* id 7, wireType 2 =*/58).fork(), _depth + 1).ldelim();
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    ServerReflectionResponse.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.grpc.reflection.v1.ServerReflectionResponse();
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
         message.validHost = value;
        else
         delete message.validHost;
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        message.originalRequest = $root.grpc.reflection.v1.ServerReflectionRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.originalRequest);
        continue;
       }
      case 4: {
        if (wireType !== 2)
         break;
        message.fileDescriptorResponse = $root.grpc.reflection.v1.FileDescriptorResponse.decode(reader, reader.size(), $undefined, _depth + 1, message.fileDescriptorResponse);
        message.messageResponse = "fileDescriptorResponse";
        continue;
       }
      case 5: {
        if (wireType !== 2)
         break;
        message.allExtensionNumbersResponse = $root.grpc.reflection.v1.ExtensionNumberResponse.decode(reader, reader.size(), $undefined, _depth + 1, message.allExtensionNumbersResponse);
        message.messageResponse = "allExtensionNumbersResponse";
        continue;
       }
      case 6: {
        if (wireType !== 2)
         break;
        message.listServicesResponse = $root.grpc.reflection.v1.ListServiceResponse.decode(reader, reader.size(), $undefined, _depth + 1, message.listServicesResponse);
        message.messageResponse = "listServicesResponse";
        continue;
       }
      case 7: {
        if (wireType !== 2)
         break;
        message.errorResponse = $root.grpc.reflection.v1.ErrorResponse.decode(reader, reader.size(), $undefined, _depth + 1, message.errorResponse);
        message.messageResponse = "errorResponse";
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
    return ServerReflectionResponse;
   })();
   v1.FileDescriptorResponse = (function() {
    const FileDescriptorResponse = function (properties) {
     this.fileDescriptorProto = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    FileDescriptorResponse.prototype.fileDescriptorProto = $util.emptyArray;
    FileDescriptorResponse.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.fileDescriptorProto != null && message.fileDescriptorProto.length)
      for (let i = 0; i < message.fileDescriptorProto.length; ++i)
       writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.fileDescriptorProto[i]);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    FileDescriptorResponse.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.grpc.reflection.v1.FileDescriptorResponse();
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
        if (!(message.fileDescriptorProto && message.fileDescriptorProto.length))
         message.fileDescriptorProto = [];
        message.fileDescriptorProto.push(reader.bytes());
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
    return FileDescriptorResponse;
   })();
   v1.ExtensionNumberResponse = (function() {
    const ExtensionNumberResponse = function (properties) {
     this.extensionNumber = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    ExtensionNumberResponse.prototype.baseTypeName = "";
    ExtensionNumberResponse.prototype.extensionNumber = $util.emptyArray;
    ExtensionNumberResponse.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.baseTypeName != null && $Object.hasOwnProperty.call(message, "baseTypeName") && message.baseTypeName !== "")
      writer.uint32(/* id 1, wireType 2 =*/10).string(message.baseTypeName);
     if (message.extensionNumber != null && message.extensionNumber.length)
      writer.uint32(/* id 2, wireType 2 =*/18).int32s(message.extensionNumber);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    ExtensionNumberResponse.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.grpc.reflection.v1.ExtensionNumberResponse();
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
         message.baseTypeName = value;
        else
         delete message.baseTypeName;
        continue;
       }
      case 2: {
        if (wireType === 2) {
         if (!(message.extensionNumber && message.extensionNumber.length))
          message.extensionNumber = [];
         reader.int32s(message.extensionNumber);
         continue;
        }
        if (wireType !== 0)
         break;
        if (!(message.extensionNumber && message.extensionNumber.length))
         message.extensionNumber = [];
        message.extensionNumber.push(reader.int32());
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
    return ExtensionNumberResponse;
   })();
   v1.ListServiceResponse = (function() {
    const ListServiceResponse = function (properties) {
     this.service = [];
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    ListServiceResponse.prototype.service = $util.emptyArray;
    ListServiceResponse.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.service != null && message.service.length)
      for (let i = 0; i < message.service.length; ++i)
       $root.grpc.reflection.v1.ServiceResponse.encode(message.service[i], writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    ListServiceResponse.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.grpc.reflection.v1.ListServiceResponse();
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
        if (!(message.service && message.service.length))
         message.service = [];
        message.service.push($root.grpc.reflection.v1.ServiceResponse.decode(reader, reader.size(), $undefined, _depth + 1));
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
    return ListServiceResponse;
   })();
   v1.ServiceResponse = (function() {
    const ServiceResponse = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    ServiceResponse.prototype.name = "";
    ServiceResponse.encode = function (message, writer, _depth) {
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
    ServiceResponse.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.grpc.reflection.v1.ServiceResponse();
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
    return ServiceResponse;
   })();
   v1.ErrorResponse = (function() {
    const ErrorResponse = function (properties) {
     if (properties)
      for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
       if (properties[keys[i]] != null && keys[i] !== "__proto__")
        this[keys[i]] = properties[keys[i]];
    };
    ErrorResponse.prototype.errorCode = 0;
    ErrorResponse.prototype.errorMessage = "";
    ErrorResponse.encode = function (message, writer, _depth) {
     if (!writer)
      writer = $Writer.create();
     if (_depth === $undefined)
      _depth = 0;
     if (_depth > $util.recursionLimit)
      throw $Error("max depth exceeded");
     if (message.errorCode != null && $Object.hasOwnProperty.call(message, "errorCode") && message.errorCode !== 0)
      writer.uint32(/* id 1, wireType 0 =*/8).int32(message.errorCode);
     if (message.errorMessage != null && $Object.hasOwnProperty.call(message, "errorMessage") && message.errorMessage !== "")
      writer.uint32(/* id 2, wireType 2 =*/18).string(message.errorMessage);
     if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
      for (let i = 0; i < message.$unknowns.length; ++i)
       writer.raw(message.$unknowns[i]);
     return writer;
    };
    ErrorResponse.decode = function (reader, length, _end, _depth, _target) {
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
     message = _target || new $root.grpc.reflection.v1.ErrorResponse();
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
         message.errorCode = value;
        else
         delete message.errorCode;
        continue;
       }
      case 2: {
        if (wireType !== 2)
         break;
        if ((value = reader.stringVerify()).length)
         message.errorMessage = value;
        else
         delete message.errorMessage;
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
    return ErrorResponse;
   })();
   return v1;
  })();
  return reflection;
 })();
 return grpc;
})();
export {
  $root as default
};
