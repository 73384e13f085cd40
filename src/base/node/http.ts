// Node's HTTP, without the cost of an ES import.
//
// An import reads every property of 'node:http', and the getters of its WebSocket load the copy of
// undici inside Node, which is a twentieth of the CPU time of a start. Types come from 'node:http'.
export const { createServer, request } = process.getBuiltinModule('node:http');
