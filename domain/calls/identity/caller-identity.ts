import type { PhoneCallRow } from '../../../db/calls/phone-calls.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import type { IdentityQuestions } from '../../../db/identity/models/workspace.js';
import { voiceIdentityOf } from '../../../db/identity/workspaces.js';
import { isBarredIdentifier, isUnprovedIdentifier } from '../../../db/people/unproved-identifiers.js';
import type { Tx } from '../../../db/tx.js';
import { mayBeReadByAnother } from '../../kernel/who-else-reads.js';

/**
 * Who is on the phone, for all that is known. `open`: the workspace does not ask. `closed`: it has not said how callers prove who
 * they are, or does not ask although the number may be somebody else's, so that nobody can (docs/decisions/0158-callers-prove-who-they-are.md).
 */
export type CallerIdentity =
  | { kind: 'open' | 'closed' | 'proved' }
  | { kind: 'asked'; settings: IdentityQuestions };

export async function identityOfCaller(
  tx: Tx,
  { definitionId, memberId }: Pick<ChatRow, 'definitionId' | 'memberId'>,
  { identityProvedAt, remoteNumber }: Pick<PhoneCallRow, 'identityProvedAt' | 'remoteNumber'>,
): Promise<CallerIdentity> {
  if (identityProvedAt !== null) return { kind: 'proved' };
  const settings = await voiceIdentityOf(tx, definitionId);
  if (settings === undefined) return { kind: 'closed' };
  if (settings.method !== 'none') return { kind: 'asked', settings };
  const isBarred =
    remoteNumber !== null &&
    (await isBarredIdentifier(tx, { memberId, channel: 'phone', address: remoteNumber }));
  return { kind: isBarred ? 'closed' : 'open' };
}

/** Whether records may be read to this caller. */
export function mayHearRecords({ kind }: CallerIdentity): boolean {
  return kind === 'open' || kind === 'proved';
}

/**
 * Whether what the chat knows of its member is kept from a call, until the caller has proved who they are: anyone can show any
 * number. A number of the member that was proved, and that the service has called itself, may hear it.
 */
export async function isWithheldFrom(
  tx: Tx,
  { memberId }: Pick<ChatRow, 'memberId'>,
  { inbound, remoteNumber }: Pick<PhoneCallRow, 'inbound' | 'remoteNumber'>,
  identity: CallerIdentity,
): Promise<boolean> {
  if (mayHearRecords(identity)) return false;
  if (inbound || remoteNumber === null) return true;
  return isUnprovedIdentifier(tx, { memberId, channel: 'phone', address: remoteNumber });
}

/** Whether what is told in a chat, or in its call, may reach somebody else than the member. */
export async function mayReachAnother(
  tx: Tx,
  chat: ChatRow,
  call: PhoneCallRow | undefined,
): Promise<boolean> {
  if (call === undefined) return mayBeReadByAnother(tx, chat);
  return isWithheldFrom(tx, chat, call, await identityOfCaller(tx, chat, call));
}
