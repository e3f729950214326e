import { patchPhoneCall } from '../../../db/calls/phone-calls.js';
import { finishCall } from '../../calls/finish-call.js';
import { lockCall } from '../../calls/lock-call.js';
import { endOurPart } from '../../calls/record-call-news.js';
import type { CommandContext } from '../../kernel/context.js';
import { pokeCallRun } from '../../kernel/runs.js';
import { NotFound } from '../../lib/errors.js';
import { type PhoneCallView, viewCalls } from './read-calls.js';

/**
 * Hangs up a call: its run ends it where it is. A call that was not dialled is over at once, and one that has ended, or that
 * somebody hangs up already, stays as it is. @throws Forbidden, NotFound
 */
export async function hangUpCall(context: CommandContext, callId: number): Promise<PhoneCallView> {
  const { actor, clock, db } = context;
  actor.require('chats:admin');
  const now = clock.now();
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const locked = await lockCall(tx, { callId });
    if (locked === undefined) throw new NotFound('Phone call');
    let { call } = locked;
    if (call.finishedAt === null && call.hungUpAt === null) {
      call = await patchPhoneCall(tx, call.id, {
        hungUpAt: now,
        hungUpByMemberId: actor.memberId,
        updatedAt: now,
      });
      const isAtCarrier = call.inbound || call.claimedAt !== null;
      call = isAtCarrier
        ? await endOurPart(tx, { call }, 'hung_up', now)
        : await finishCall(tx, { ...locked, call }, { endedBy: 'hung_up', learntBy: 'callback' }, now);
      if (locked.chat !== undefined) await pokeCallRun(tx, locked.chat, call);
    }
    const [view] = await viewCalls(tx, actor, [call]);
    if (view === undefined) throw new Error('a call that is locked has no view');
    return view;
  });
}
