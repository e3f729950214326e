import type { ChatRow } from '../../../db/conversations/chats.js';
import type { LoginChannel } from '../../../db/identity/models/login-code.js';
import { findMember } from '../../../db/people/members.js';
import { isUnprovedIdentifier } from '../../../db/people/unproved-identifiers.js';
import type { Tx } from '../../../db/tx.js';
import type { ToolResult } from './tool-result.js';

export const unproved: ToolResult = { ok: false, error: 'unproved_address' };

/**
 * Whether the member's address came from a sign-up form and is unproved: anyone may have typed it in, and then have the agent
 * write to it (docs/decisions/0060-identifiers-are-bound-by-proof.md).
 */
export async function isUnproved(tx: Tx, { memberId }: ChatRow, channel: LoginChannel): Promise<boolean> {
  const address = (await findMember(tx, memberId))?.[channel] ?? null;
  return address !== null && isUnprovedIdentifier(tx, { memberId, channel, address });
}
