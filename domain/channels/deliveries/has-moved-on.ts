import { selectAssignmentTasks } from '../../../db/assignments/assignment-tasks.js';
import { findAssignmentOfChat } from '../../../db/assignments/assignments.js';
import type { DeliveryRow } from '../../../db/channels/deliveries.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import { findMessage, hasPersonWrittenAfter } from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/tx.js';

/**
 * Whether the reason for a message that has waited is gone: the chat is archived, the assignment has ended or left the task of
 * the message or, for a message of the agent, the member or a colleague has written since, a colleague has the chat, or the
 * task is complete. A task still wants its message said then, and its assignment stands until it is. An email beside a chat on
 * another channel is what the member should keep, and the agent has said that it is sent: no word in the chat overtakes it.
 */
export async function hasMovedOn(
  tx: Tx,
  chat: ChatRow,
  { messageId, begunBy, channel }: Pick<DeliveryRow, 'messageId' | 'begunBy' | 'channel'>,
): Promise<boolean> {
  if (chat.archived) return true;
  const isBeside = channel === 'email' && chat.channel !== 'email';
  const isOfAgent = begunBy === 'agent' && !isBeside;
  const isTaken = chat.paused && chat.pausedByMemberId !== null;
  if (isOfAgent && (isTaken || (await hasPersonWrittenAfter(tx, chat.id, messageId)))) return true;
  const message = await findMessage(tx, messageId);
  const assignment = await findAssignmentOfChat(tx, chat.id);
  if (message === undefined || assignment === undefined || message.taskId === null) return false;
  if (assignment.status === 'cancelled' || assignment.status === 'failed') return true;
  if (isBeside) return false;
  const task = (await selectAssignmentTasks(tx, assignment.id)).find(
    ({ taskId }) => taskId === message.taskId,
  );
  if (task === undefined || (task.enteredAfterMessageId ?? 0) >= message.id) return true;
  // The agent may complete its task, and the assignment, in the turn in which it says this.
  const isAfter = (at: Date | null) => at !== null && at > message.createdAt;
  if (isOfAgent && (isAfter(task.completedAt) || isAfter(assignment.concludedAt))) return true;
  // A task that was complete at once has led on; one that was left incomplete was left by a select.
  return task.completedAt === null && task.id !== assignment.currentTaskId;
}
