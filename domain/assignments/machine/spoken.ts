import { findOpenCall } from '../../../db/calls/phone-calls.js';
import { findMessage, type MessageRow } from '../../../db/conversations/messages.js';
import { afterCallOf } from '../../definitions/task-tree/after-call.js';
import { currentTask, type EnteringMachine, type Machine } from './machine.js';

/**
 * Whether the text of a task that was to be spoken in a call was heard, or begun to be. What the call has not come to before it
 * ended is sent as text. The task stands where the workflow says so, and in a chat by phone, which has no other channel.
 */
export async function isSpoken(machine: EnteringMachine, messageId: number): Promise<boolean> {
  const { tx, chat, now, outreach } = machine;
  const message = await findMessage(tx, messageId);
  if (message === undefined || message.callId === null) return false;
  if (message.audioMetadata !== null) return true;
  if (message.smsDeliveryStatus !== null || (await isToBeSpoken(machine, message))) return false;
  if (!outreach.delivers(chat.channel)) return chat.channel === 'web-chat';
  if (afterCallOf(machine.tree, currentTask(machine)) === 'stand') return false;
  await outreach.deliver(tx, chat, message, now, { forTask: true });
  return false;
}

/** Whether the call in which a text is to be spoken is up. */
export async function isToBeSpoken(
  { tx, chat }: Machine,
  { callId, audioMetadata }: MessageRow,
): Promise<boolean> {
  if (callId === null || audioMetadata !== null) return false;
  return (await findOpenCall(tx, chat.id))?.id === callId;
}
