import { insertHeldAssignment } from '../../../db/assignments/held-assignments.js';
import { patchChat } from '../../../db/conversations/chats.js';
import { isDefinitionHeld, shareHold } from '../../../db/definitions/workflow-holds.js';
import { leftForPerson } from '../../chat-state/left-for-person.js';
import { agentIsDue } from '../../kernel/agent-due.js';
import { callPerson } from '../../kernel/call-person.js';
import type { Machine } from './machine.js';

/**
 * Whether an active assignment rests because its definition is held: a due turn remains pending, and a person is
 * called. Notes the assignment, so that its run is poked once the definition is resumed.
 */
export async function restWhileHeld(machine: Machine): Promise<boolean> {
  if (!machine.isHeld) return false;
  const { tx, assignment, chat } = machine;
  // Resuming waits for this transaction and finds the note, or has been committed and is seen here.
  await shareHold(tx, assignment.definitionId);
  machine.isHeld = await isDefinitionHeld(tx, assignment.definitionId);
  if (!machine.isHeld) return false;
  await insertHeldAssignment(tx, assignment);
  const isTold = chat.needsResponseReason === 'workflow_held';
  if (agentIsDue(chat) && !isTold) machine.chat = await callPerson(tx, chat, 'workflow_held');
  return true;
}

/** Dismisses the call that `restWhileHeld` made, if the agent answers now. */
export async function dismissCallOfHold(machine: Machine): Promise<void> {
  const { tx, chat } = machine;
  if (chat.needsResponseReason !== 'workflow_held' || !agentIsDue(chat)) return;
  machine.chat = await patchChat(tx, chat.id, await leftForPerson(tx, chat));
}
