import { insertHeldAssignment } from '../../../db/assignments/held-assignments.js';
import { patchChat } from '../../../db/conversations/chats.js';
import { effectiveHold, type HoldSource, shareWorkflowHold } from '../../../db/definitions/effective-hold.js';
import { shareWorkspaceHold } from '../../../db/definitions/workspace-holds.js';
import { leftForPerson } from '../../chat-state/left-for-person.js';
import { agentIsDue } from '../../kernel/agent-due.js';
import { alertColleague, isAlertedByHold } from '../../kernel/alert-colleague.js';
import { changeChat, type Machine } from './machine.js';

const reasons = { workflow: 'workflow_held', workspace: 'workspace_held' } as const;

/**
 * What holds an active assignment, which rests: a due turn remains pending, and a colleague is alerted. Notes
 * the assignment, so that its run is poked once the definition, or the workspace, is resumed.
 */
export async function restWhileHeld(machine: Machine): Promise<HoldSource | undefined> {
  if (!machine.isHeld) return undefined;
  const { tx, assignment, chat } = machine;
  // Resuming waits for this transaction and finds the note, or has been committed and is seen here.
  await shareWorkflowHold(tx, assignment.definitionId);
  await shareWorkspaceHold(tx);
  const heldBy = await effectiveHold(tx, assignment.definitionId);
  machine.isHeld = heldBy !== null;
  if (heldBy === null) return undefined;
  await insertHeldAssignment(tx, assignment);
  const reason = reasons[heldBy];
  if (agentIsDue(chat) && chat.needsResponseReason !== reason)
    await changeChat(machine, () => alertColleague(tx, chat, reason));
  return heldBy;
}

/** Dismisses the alert that `restWhileHeld` made, if the agent answers now. */
export async function dismissCallOfHold(machine: Machine): Promise<void> {
  const { tx, chat } = machine;
  if (isAlertedByHold(chat) && agentIsDue(chat)) {
    await changeChat(machine, async () => patchChat(tx, chat.id, await leftForPerson(tx, chat)));
  }
}
