// ProfileStoreService, which agents call, and AgentsService, which lists those agents.
import { parca } from '../../../proto/gen/profilestore.js';
import { AppError } from '../../base/errors.ts';
import type { Ingester } from '../../ingest/interface.ts';
import { toDuration, toTimestamp } from '../call/message.ts';
import type { CallContext, Method } from '../call/method.ts';
import type { AgentTable } from './agent-table.ts';
import { decodeWriteRaw } from './decode-write-raw.ts';

const { AgentsResponse } = parca.profilestore.v1alpha1;
const profileStore = '/parca.profilestore.v1alpha1.ProfileStoreService';
const nothing = new Uint8Array(0);

/** Methods of both services. */
export function profileStoreMethods(ingester: Ingester, agents: AgentTable): Method[] {
  return [
    {
      path: `${profileStore}/WriteRaw`,
      kind: 'unary',
      handle: (request, context) => writeRaw(ingester, agents, request, context),
    },
    {
      path: `${profileStore}/WriteArrow`,
      kind: 'unary',
      handle: async () => {
        throw new AppError('unimplemented', 'WriteArrow is not implemented yet: use WriteRaw');
      },
    },
    {
      path: '/parca.profilestore.v1alpha1.AgentsService/Agents',
      kind: 'unary',
      handle: async () => encodeAgents(agents),
    },
  ];
}

async function writeRaw(
  ingester: Ingester,
  agents: AgentTable,
  request: Uint8Array,
  context: CallContext,
): Promise<Uint8Array> {
  const { uploads, bare } = decodeWriteRaw(request);
  const pushed = agents.begin(uploads, context.peer);
  try {
    await ingester.write(uploads, bare);
    pushed();
  } catch (error) {
    pushed(error);
    throw error;
  }
  return nothing;
}

function encodeAgents(agents: AgentTable): Uint8Array {
  return AgentsResponse.encode({
    agents: agents.list().map((agent) => ({
      id: agent.id,
      lastError: agent.lastError,
      lastPush: toTimestamp(agent.lastPushNanos),
      lastPushDuration: toDuration(agent.lastPushDurationNanos),
    })),
  }).finish();
}
