// Messages of the list of agents.
//
// Generated from proto/ by tools/generate/page-messages.ts. Do not edit.
import {
 message,
 repeated,
 string,
 type ValueOf,
} from './protobuf.ts';
import { timestamp, duration } from './messages.gen.ts';

export const agent = message({
 id: [1, string],
 lastError: [2, string],
 lastPush: [3, timestamp],
 lastPushDuration: [4, duration],
 node: [100, string],
 address: [101, string],
});
export const agentsRequest = message({
});
export const agentsResponse = message({
 agents: [1, repeated(agent)],
});
export type AgentMessage = Exclude<ValueOf<typeof agent>, undefined>;
