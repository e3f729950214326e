import { randomUUID } from 'node:crypto';
import { findPhoneCall, type PhoneCallRow } from '../../../db/calls/phone-calls.js';
import { type ChatRow, findChat } from '../../../db/conversations/chats.js';
import type { Tx } from '../../../db/tx.js';
import { readSituation } from '../../agent/read-situation.js';
import { configOf } from '../../agent/tools/config-of.js';
import { lockCall } from '../../calls/lock-call.js';
import { defaultRingSeconds, requestTransfer } from '../../calls/transfers/request-transfer.js';
import type { CommandContext } from '../../kernel/context.js';
import { pokeCallRun } from '../../kernel/runs.js';
import { Conflict, InvalidInput, NotFound } from '../../lib/errors.js';
import { type PhoneCallView, viewCalls } from './read-calls.js';

/** To whom the agent may transfer the call at present, and so may a colleague. */
async function destinationsOf(tx: Tx, chat: ChatRow, now: Date) {
  const { targets = [], ringSeconds = defaultRingSeconds } =
    configOf(await readSituation(tx, chat, now), 'forward_call') ?? {};
  return { targets, ringSeconds };
}

/** Somebody speaks with the agent, which neither transfers nor ends the call. */
const isUp = ({ startedAt, finishedAt, endedBy }: PhoneCallRow) =>
  startedAt !== null && finishedAt === null && endedBy === null;

/** Lists to whom a call can be transferred now: nobody, unless it is up. @throws Forbidden, NotFound */
export async function listTransferTargets(
  { actor, clock, db }: CommandContext,
  callId: number,
): Promise<{ name: string; description?: string }[]> {
  actor.require('chats:admin');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const call = await findPhoneCall(tx, callId);
    if (call === undefined) throw new NotFound('Phone call');
    const chat = call.chatId === null || !isUp(call) ? undefined : await findChat(tx, call.chatId);
    return chat === undefined ? [] : (await destinationsOf(tx, chat, clock.now())).targets;
  });
}

/**
 * Transfers a call to a person that the workflow names, as the agent does: who holds the call tells the caller so and
 * closes the stream, and the carrier then asks what follows. A call that has ended stays as it is.
 * @throws Forbidden, NotFound, Conflict `call_not_up`, InvalidInput with the reason of the safety gate as its code
 */
export async function transferCall(
  context: CommandContext,
  callId: number,
  { target: wanted, facts = '' }: { target: string; facts?: string | undefined },
): Promise<PhoneCallView> {
  const { actor, clock, db } = context;
  actor.require('chats:admin');
  const now = clock.now();
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const locked = await lockCall(tx, { callId });
    if (locked === undefined) throw new NotFound('Phone call');
    const view = async (call: PhoneCallRow) => {
      const [found] = await viewCalls(tx, actor, [call]);
      if (found === undefined) throw new Error('a call that is locked has no view');
      return found;
    };
    const { call, chat } = locked;
    if (call.finishedAt !== null) return view(call);
    if (chat === undefined || !isUp(call)) throw notUp();
    const { targets, ringSeconds } = await destinationsOf(tx, chat, now);
    const target = targets.find(({ name }) => name === wanted);
    if (target === undefined)
      throw InvalidInput.field('/target', 'is nobody to whom the agent may transfer the call at present');
    const { name, phoneNumber } = target;
    const refused = await requestTransfer(
      tx,
      call,
      { toolCallId: `colleague_${randomUUID()}`, target: { name, phoneNumber, ringSeconds }, facts },
      now,
    );
    if (refused === 'under_way') throw notUp();
    if (refused !== undefined)
      throw new InvalidInput(refused, `The call may not be transferred to ${name} now: ${refused}.`);
    await pokeCallRun(tx, chat, call);
    return view((await findPhoneCall(tx, call.id)) ?? call);
  });
}

const notUp = () =>
  new Conflict('call_not_up', 'The call was not answered yet, or is being transferred or ended.');
