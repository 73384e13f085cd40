// ProfileStoreService, which agents call, and AgentsService, which lists agents.
import { parca } from '../../../../proto/gen/profilestore.js';
import type { Clock } from '../../../base/clock.ts';
import { finishPausing, Pacer } from '../../../base/pacer.ts';
import { decodeRequest, toDuration, toTimestamp } from '../../transport/call/message.ts';
import type { Method } from '../../transport/call/method.ts';
import type { AgentTable } from '../agent-table.ts';
import { decodeWriteRaw } from './decode-write-raw.ts';
import type { ProfilePushes } from '../profile-pushes.ts';
import { writeArrow, writeInTwoSteps } from './write-arrow.ts';

const { AgentsRequest, AgentsResponse } = parca.profilestore.v1alpha1;
const profileStore = '/parca.profilestore.v1alpha1.ProfileStoreService';
const nothing = new Uint8Array(0);

/** Methods of both services. */
export function profileStoreMethods(
  pushes: ProfilePushes,
  agents: AgentTable,
  clock: Clock,
): Method[] {
  return [
    {
      path: `${profileStore}/WriteRaw`,
      kind: 'unary',
      dropsRequest: true,
      handle: async (request, context) => {
        const { uploads, bare } = await finishPausing(decodeWriteRaw(request), new Pacer(clock));
        await pushes.store(uploads, context, bare);
        return nothing;
      },
    },
    {
      path: `${profileStore}/WriteArrow`,
      kind: 'unary',
      dropsRequest: true,
      handle: (request, context) => writeArrow(pushes, request, context),
    },
    {
      path: `${profileStore}/Write`,
      kind: 'stream',
      keepsRequests: true,
      handle: (requests, context) => writeInTwoSteps(pushes, clock, requests, context),
    },
    {
      path: '/parca.profilestore.v1alpha1.AgentsService/Agents',
      kind: 'unary',
      handle: async (request) => {
        decodeRequest(AgentsRequest, request);
        return encodeAgents(agents);
      },
    },
  ];
}

function encodeAgents(agents: AgentTable): Uint8Array {
  return AgentsResponse.encode({
    agents: agents.list().map((agent) => ({
      id: agent.id,
      lastError: agent.lastError,
      lastPush: toTimestamp(agent.lastPushNanos),
      lastPushDuration: toDuration(agent.lastPushDurationNanos),
      node: agent.node,
      address: agent.address,
    })),
  }).finish();
}
