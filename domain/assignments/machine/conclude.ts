import { type AssignmentRow, patchAssignment } from '../../../db/assignments/assignments.js';
import { raiseChatVersion } from '../../../db/conversations/chats.js';
import { cancelFollowUps } from '../../../db/conversations/follow-ups.js';
import { lastSpeaker } from '../../../db/conversations/messages.js';
import { supersedeTurn } from '../../chat-state/supersede-turn.js';
import { assignmentConcludedEvent } from '../../kernel/events/assignment-events.js';
import { writeEvents } from '../../kernel/events/write-events.js';
import { pokeAssignmentRun, pokeChatRun } from '../../kernel/runs.js';
import { type Cause, causeOf, note, timerLeft } from '../timeline/note.js';
import { leaveTask } from './leave-task.js';
import { changeChat, type Machine } from './machine.js';

interface Conclusion {
  status: Exclude<AssignmentRow['status'], 'active'>;
  outcome?: string | undefined;
  outcomeReason?: string | undefined;
}

/** Outcomes that the service gives. All others are words of authors, people and the agent. */
export const outcomesOfService = [
  'loop_detected',
  'member_deleted',
  'run_terminated',
  'visitor_left',
] as const;

/**
 * Ends an assignment and cancels its follow-ups. Its run ends by the step that it takes, or is poked. Unanswered messages of the
 * member are left to the chat's own run.
 */
export async function conclude(
  machine: Machine,
  conclusion: Conclusion,
  how: Cause & { inTurn: boolean },
): Promise<void> {
  const { currentTaskId } = machine.assignment;
  const concluded = { ...conclusion, concludedAt: machine.now };
  machine.assignment = await patchAssignment(machine.tx, machine.assignment.id, concluded);
  await cancelFollowUps(machine.tx, machine.chat.id, machine.now);
  await note(machine, ...timerLeft(machine), {
    kind: 'concluded',
    code: conclusion.status,
    assignmentTaskId: currentTaskId,
    ...causeOf(how),
  });
  await writeEvents(machine.tx, [assignmentConcludedEvent(machine.assignment, how.by)], machine.now);
  await leaveTask(machine);
  if (!machine.ofRun) await pokeAssignmentRun(machine.tx, machine.assignment);
  if (!how.inTurn) await passOnUnanswered(machine);
}

/**
 * Drops a turn in progress before a person ends the assignment. An unanswered message of the member stays due for the
 * chat's own run; a turn that was due because a task was entered does not.
 */
export async function supersedeForEnd(machine: Machine): Promise<void> {
  const { tx, chat } = machine;
  const isOwed = chat.version > chat.handledVersion && (await lastSpeaker(tx, chat.id)) === 'user';
  await changeChat(machine, () =>
    isOwed ? supersedeTurn(tx, chat) : raiseChatVersion(tx, chat.id, { handledVersion: chat.version + 1 }),
  );
}

/** After the assignment has ended, pokes the chat's own run if a message is still unanswered. */
export async function passOnUnanswered(machine: Machine): Promise<void> {
  const { chat } = machine;
  if (chat.version > chat.handledVersion) await pokeChatRun(machine.tx, chat);
}
