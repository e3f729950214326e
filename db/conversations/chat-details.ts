import { AssignmentModel } from '../assignments/models/assignment.js';
import { WorkflowDefinitionModel } from '../definitions/models/workflow-definition.js';
import { idCondition } from '../lib/id-condition.js';
import { prepared } from '../statement.js';
import type { EnteredTx, Tx } from '../tx.js';

/** A participant as the API shows it: with its member's name and, where it is an assistant, its models. */
export interface ChatParticipantDetails {
  id: number;
  chatId: number;
  memberId: number;
  role: string;
  name: string | null;
  memberKind: 'human' | 'assistant';
  additionalInstructions: string | null;
  /** The models of the assistant in this chat, before those of the chat. */
  ownChatModelId: string | null;
  ownRealtimeModelId: string | null;
  chatModelId: string | null;
  realtimeModelId: string | null;
  chatModelConfig: Record<string, unknown> | null;
  realtimeModelConfig: Record<string, unknown> | null;
}

/** The columns of a participant `p`, with those of its member and, where it is an assistant, its configuration. */
const participantDetails = `p.id, p.chat_id as "chatId", p.member_id as "memberId", p.role, m.name, m.kind as "memberKind",
  p.additional_instructions as "additionalInstructions",
  p.chat_model_id as "ownChatModelId", p.realtime_model_id as "ownRealtimeModelId",
  a.chat_model_id as "chatModelId", a.realtime_model_id as "realtimeModelId",
  coalesce(p.chat_model_config, a.chat_model_config) as "chatModelConfig",
  coalesce(p.realtime_model_config, a.realtime_model_config) as "realtimeModelConfig"`;
const membersOfParticipants = `join members m on m.id = p.member_id
  left join assistants a on a.member_id = p.member_id`;

const insertion = `with p as (
     insert into chat_participants (workspace_id, chat_id, member_id, role)
     select ?, ?, r.member_id, r.role
     from unnest(?::bigint[], ?::text[]) with ordinality as r (member_id, role, place) order by r.place
     returning *
   )
   select ${participantDetails} from p ${membersOfParticipants} order by p.id`;

/** Inserts the participants of a chat in one statement, and returns them in their order. */
export async function insertParticipants(
  tx: Tx,
  chatId: number,
  roles: ReadonlyMap<number, string>,
): Promise<ChatParticipantDetails[]> {
  return prepared(tx, insertion, [tx.workspaceId, chatId, [...roles.keys()], [...roles.values()]]);
}

/** Returns the participants of several chats in one query, in the order in which they joined. */
export async function participantsOfChats(
  tx: EnteredTx,
  chatIds: readonly number[],
): Promise<ChatParticipantDetails[]> {
  const { condition, binding } = idCondition('p.chat_id', chatIds);
  return prepared(
    tx,
    `select ${participantDetails} from chat_participants p ${membersOfParticipants}
     where ${condition} order by p.id`,
    [binding],
  );
}

export interface ChatLabelDetails {
  chatId: number;
  id: number;
  uuid: string;
  name: string;
  slug: string;
  color: string;
  description: string;
}

/** Returns the labels of several chats in one query, in order of name. */
export async function labelsOfChats(tx: EnteredTx, chatIds: readonly number[]): Promise<ChatLabelDetails[]> {
  const { condition, binding } = idCondition('link.chat_id', chatIds);
  return prepared(
    tx,
    `select link.chat_id as "chatId", label.id, label.uuid, label.name, label.slug, label.color,
       label.description
     from chat_label_links link
     join chat_labels label on label.id = link.chat_label_id
     where ${condition} order by label.name, label.id`,
    [binding],
  );
}

/** The name of the workflow of a chat, or of its latest assignment. */
export async function workflowNameOfChat(
  tx: Tx,
  { id, definitionId }: { id: number; definitionId: number | null },
): Promise<string | undefined> {
  const [found] = await WorkflowDefinitionModel.pick(
    tx,
    ['name'],
    `id = coalesce(?::bigint, (select definition_id from assignments where chat_id = ? order by id desc limit 1))`,
    [definitionId, id],
  );
  return found?.name;
}

/** The workflows of the assignments of these chats, by chat. */
export async function definitionsOfChats(
  tx: EnteredTx,
  chatIds: readonly number[],
): Promise<Map<number, number>> {
  if (chatIds.length === 0) return new Map();
  const { condition, binding } = idCondition('chat_id', chatIds);
  const found = await AssignmentModel.pick(tx, ['chatId', 'definitionId'], condition, [binding]);
  return new Map(found.map(({ chatId, definitionId }) => [chatId, definitionId]));
}

export interface AssignmentOfChat {
  chatId: number;
  assignmentId: number;
  currentTaskName: string | null;
  /** What the current task is configured with, if it hands the chat over. */
  handoffTask: { reason?: string } | null;
}

/** Returns the assignments of several chats in one query, with the names of their current tasks. */
export async function assignmentsOfChats(
  tx: EnteredTx,
  chatIds: readonly number[],
): Promise<AssignmentOfChat[]> {
  const { condition, binding } = idCondition('a.chat_id', chatIds);
  return prepared(
    tx,
    `select a.chat_id as "chatId", a.id as "assignmentId", task.name as "currentTaskName",
       case when task.task_type = 'handoff' then task.configuration end as "handoffTask"
     from assignments a
     left join assignment_tasks current on current.id = a.current_task_id
     left join workflow_tasks task on task.id = current.task_id
     where ${condition}`,
    [binding],
  );
}
