import { type AssignmentRow, updateAssignment } from '../../../db/assignments/assignments.js';
import { raiseChatVersion } from '../../../db/conversations/chats.js';
import { cancelFollowUps } from '../../../db/conversations/follow-ups.js';
import { lastSpeaker } from '../../../db/conversations/messages.js';
import { supersedeTurn } from '../../chat-state/supersede-turn.js';
import { pokeChatRun } from '../../kernel/runs.js';
import type { Machine } from './machine.js';

export interface Conclusion {
  status: Exclude<AssignmentRow['status'], 'active'>;
  outcome?: string;
  outcomeReason?: string;
}

/**
 * Ends an assignment. Follow-ups go with it. What the member wrote and nobody has answered yet is left to the
 * chat's own run.
 */
export async function conclude(
  machine: Machine,
  conclusion: Conclusion,
  how: { inTurn: boolean },
): Promise<void> {
  machine.assignment = await updateAssignment(machine.tx, machine.assignment.id, {
    status: conclusion.status,
    outcome: conclusion.outcome ?? machine.assignment.outcome,
    outcomeReason: conclusion.outcomeReason ?? machine.assignment.outcomeReason,
    concludedAt: machine.now,
  });
  await cancelFollowUps(machine.tx, machine.chat.id, machine.now);
  if (!how.inTurn) await passOnUnanswered(machine);
}

/**
 * Before a person ends an assignment: a turn in progress is overtaken. What the member wrote last and nobody has
 * answered stays owed, and is left to the chat's own run; a task that the agent was to open is not.
 */
export async function supersedeForEnd(machine: Machine): Promise<void> {
  const { tx, chat } = machine;
  const isOwed = chat.version > chat.handledVersion && (await lastSpeaker(tx, chat.id)) === 'user';
  if (isOwed) {
    machine.chat = await supersedeTurn(tx, chat);
    return;
  }
  machine.chat = await raiseChatVersion(tx, chat.id, { handledVersion: chat.version + 1 });
}

/** After a conclusion: is there a message that the assignment's agent did not get to? */
export async function passOnUnanswered(machine: Machine): Promise<void> {
  const { chat } = machine;
  if (chat.version > chat.handledVersion) await pokeChatRun(machine.tx, chat);
}
