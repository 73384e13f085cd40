// All attacks.
import type { Attack } from './attack.ts';
import { addressAttacks } from './attacks/addresses.ts';
import { connectionAttacks } from './attacks/connections.ts';
import { labelAttacks } from './attacks/labels.ts';
import { messageAttacks } from './attacks/messages.ts';
import { operatorAttacks } from './attacks/operators.ts';
import { peerAttacks } from './attacks/peers.ts';
import { pushAttacks } from './attacks/pushes.ts';
import { queryAttacks } from './attacks/queries.ts';
import { textAttacks } from './attacks/texts.ts';
import { uploadAttacks } from './attacks/uploads.ts';

export const attacks: readonly Attack[] = [
  ...pushAttacks,
  ...textAttacks,
  ...messageAttacks,
  ...labelAttacks,
  ...queryAttacks,
  ...uploadAttacks,
  ...connectionAttacks,
  ...addressAttacks,
  ...operatorAttacks,
  ...peerAttacks,
];
