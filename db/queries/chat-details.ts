import type { Tx } from '../database.js';

/** A participant as others see it: with its member's name and, where it is an assistant, its models. */
export interface ChatParticipantDetails {
  chatId: number;
  memberId: number;
  role: string;
  name: string | null;
  memberKind: 'human' | 'assistant';
  additionalInstructions: string | null;
  chatModelId: string | null;
  realtimeModelId: string | null;
  chatModelConfig: Record<string, unknown> | null;
  realtimeModelConfig: Record<string, unknown> | null;
}

/** The participants of several chats in one query, in the order in which they joined. */
export async function participantsOfChats(
  tx: Tx,
  chatIds: readonly number[],
): Promise<ChatParticipantDetails[]> {
  return tx('chat_participants as p')
    .join('members as m', 'm.id', 'p.member_id')
    .leftJoin('assistants as a', 'a.member_id', 'p.member_id')
    .whereIn('p.chat_id', [...chatIds])
    .orderBy('p.id')
    .select({
      chatId: 'p.chat_id',
      memberId: 'p.member_id',
      role: 'p.role',
      name: 'm.name',
      memberKind: 'm.kind',
      additionalInstructions: 'p.additional_instructions',
      chatModelId: 'a.chat_model_id',
      realtimeModelId: 'a.realtime_model_id',
      chatModelConfig: 'a.chat_model_config',
      realtimeModelConfig: 'a.realtime_model_config',
    });
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

/** The labels of several chats in one query, in order of name. */
export async function labelsOfChats(tx: Tx, chatIds: readonly number[]): Promise<ChatLabelDetails[]> {
  return tx('chat_label_links as link')
    .join('chat_labels as label', 'label.id', 'link.chat_label_id')
    .whereIn('link.chat_id', [...chatIds])
    .orderBy(['label.name', 'label.id'])
    .select({
      chatId: 'link.chat_id',
      id: 'label.id',
      uuid: 'label.uuid',
      name: 'label.name',
      slug: 'label.slug',
      color: 'label.color',
      description: 'label.description',
    });
}

export interface ChatAssignment {
  chatId: number;
  assignmentId: number;
  currentTaskName: string | null;
}

/** The assignments of several chats in one query, with the names of the tasks they stand in. */
export async function assignmentsOfChats(tx: Tx, chatIds: readonly number[]): Promise<ChatAssignment[]> {
  return tx('assignments as a')
    .leftJoin('assignment_tasks as current', 'current.id', 'a.current_task_id')
    .leftJoin('workflow_tasks as task', 'task.id', 'current.task_id')
    .whereIn('a.chat_id', [...chatIds])
    .select({ chatId: 'a.chat_id', assignmentId: 'a.id', currentTaskName: 'task.name' });
}
