import type { PhoneCallRow } from '../../../db/calls/phone-calls.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import type { Tx } from '../../../db/tx.js';
import { identityOfCaller, isWithheldFrom } from '../../calls/identity/caller-identity.js';
import { mayBeReadByAnother } from '../../kernel/who-else-reads.js';
import type { CelContext } from '../../lib/cel.js';

/** A context without what identifies the member or is stored about it, for texts that a stranger may hear. */
export function withoutPerson(context: CelContext): CelContext {
  const { member } = context;
  return {
    ...context,
    member: { ...member, name: null, labels: [], form_data: {}, data: {}, partial_data: [] },
  };
}

/** The context of texts that are told in a chat, which a stranger may read, or in whose call one may be on the phone. */
export async function toldContext(
  tx: Tx,
  chat: ChatRow,
  call: PhoneCallRow | undefined,
  context: CelContext,
): Promise<CelContext> {
  if (call === undefined) return (await mayBeReadByAnother(tx, chat)) ? withoutPerson(context) : context;
  const identity = await identityOfCaller(tx, chat, call);
  return (await isWithheldFrom(tx, chat, call, identity)) ? withoutPerson(context) : context;
}
