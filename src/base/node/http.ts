// Node's HTTP, without the cost of an ES import.
//
// An import reads every property of 'node:http'. Its getters for WebSocket load the copy of undici
// inside Node, which takes a twentieth of the CPU time of a start. Types come from 'node:http'.
export const { createServer, request } = process.getBuiltinModule('node:http');
