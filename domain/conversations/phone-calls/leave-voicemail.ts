import { findAssignmentOfChat } from '../../../db/assignments/assignments.js';
import { findCallMessage, insertMessage } from '../../../db/conversations/messages.js';
import { workspaceLocaleOf } from '../../../db/identity/workspaces.js';
import type { Tx } from '../../../db/tx.js';
import { celContextOf, withoutPerson } from '../../assignments/machine/cel-context.js';
import { lockMachine, rowOf } from '../../assignments/machine/machine.js';
import type { CallInstruction } from '../../calls/call-instructions.js';
import { mayReachAnother } from '../../calls/identity/caller-identity.js';
import type { LockedCall } from '../../calls/lock-call.js';
import { textInLocale } from '../../channels/business-hours/closed-texts.js';
import { renderTemplate } from '../../lib/template.js';

/** The item id of a message to a machine: there is one in a call. */
const itemId = 'voicemail';

/**
 * What is said to the machine that has answered, after its greeting: the message of the `call` task that has placed the call, or
 * nothing. It is stored as a message of the chat, once.
 */
export async function leaveVoicemail(
  tx: Tx,
  { call, chat }: LockedCall,
  now: Date,
): Promise<CallInstruction[]> {
  if (chat === undefined || call.assignmentTaskId === null || call.inbound) return [];
  const assignment = await findAssignmentOfChat(tx, chat.id);
  const machine = assignment === undefined ? undefined : await lockMachine(tx, assignment.id, now);
  if (machine === undefined) return [];
  const task = [...machine.tree.byId.values()].find(
    (one) => rowOf(machine, one).id === call.assignmentTaskId,
  );
  const { voicemail } = (task?.configuration ?? {}) as { voicemail?: string };
  if (task === undefined || voicemail === undefined) return [];
  const context = await celContextOf(machine);
  const told = (await mayReachAnother(tx, chat, call)) ? withoutPerson(context) : context;
  const text = renderTemplate(voicemail, told, 'phone-voice').text.trim();
  if (text === '') return [];
  if ((await findCallMessage(tx, call.id, itemId)) === undefined) {
    const ofCall = { callId: call.id, callItemId: itemId, taskId: task.id };
    await insertMessage(tx, {
      chatId: chat.id,
      role: 'assistant',
      author: 'workflow',
      content: text,
      ...ofCall,
    });
  }
  return [{ do: 'say', ...textInLocale(text, await workspaceLocaleOf(tx)) }];
}
