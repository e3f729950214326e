import { type AssignmentTaskRow, selectAssignmentTasks } from '../../../db/assignments/assignment-tasks.js';
import { type AssignmentRow, findAssignmentOfChat } from '../../../db/assignments/assignments.js';
import { type ChatRow, findChat } from '../../../db/conversations/chats.js';
import { selectRecentHistory } from '../../../db/conversations/messages.js';
import { loadRevisionTasks } from '../../../db/definitions/workflow-tasks.js';
import { subjectsWaiting } from '../../../db/outbox.js';
import type { Tx } from '../../../db/tx.js';
import { messageText } from '../../../domain/channels/message-text.js';
import { type CreateChat, createChat } from '../../../domain/conversations/chats/create-chat.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import type { RunType } from '../../../workflows/contracts/runs.js';
import { waitFor } from '../lib/wait-for.js';
import type { SmsWorkspace } from '../system/sms-workspace.js';
import type { TestSystem } from '../system/system.js';
import { atRest } from '../temporal/at-rest.js';
import { addMember, type TestMember } from '../workspace/factories.js';

type Place = { system: TestSystem; workspace: SmsWorkspace };

/** A web chat of a member of its own with the workspace's assistant. */
export interface WebChat {
  member: TestMember;
  chatId: number;
  chatUuid: string;
  chat(): Promise<ChatRow>;
  /** What was said or noted, oldest first. */
  said(role: 'user' | 'assistant' | 'system'): Promise<string[]>;
  /** The member writes. */
  write(text: string): Promise<void>;
  /** Resolves once an answer to all that was written is there, or a colleague was alerted. */
  handled(): Promise<void>;
  /** Resolves once its run has nothing to do but to wait, or has ended. */
  rests(): Promise<void>;
  /** The admin changes the chat. */
  update(change: object): Promise<void>;
}

export interface WebAssignment extends WebChat {
  assignmentId: number;
  assignmentUuid: string;
  assignment(): Promise<AssignmentRow>;
  /** The row of the task of that name. */
  task(name: string): Promise<AssignmentTaskRow>;
  /** Resolves once its status is this. */
  concluded(status: AssignmentRow['status']): Promise<AssignmentRow>;
  /** Resolves once the task of that name is complete. */
  completed(name: string): Promise<AssignmentTaskRow>;
}

/** A chat without a workflow. */
export function openWebChat(place: Place): Promise<WebChat> {
  return open(place, { assistantMemberId: place.workspace.assistantMemberId });
}

/** A member is begun on a workflow: a published one, by its id, or a new one of these tasks. */
export async function beginOnWeb(place: Place, workflow: RevisionTask | number): Promise<WebAssignment> {
  const { workspace } = place;
  const workflowId = typeof workflow === 'number' ? workflow : await workspace.publish(workflow);
  const chat = await open(place, { workflowId });
  const tx = transactionsOf(workspace);
  const assignment = async () =>
    found(await tx((inside) => findAssignmentOfChat(inside, chat.chatId)), 'the assignment');
  const { id, uuid, revisionId } = await assignment();
  const task = (name: string) =>
    tx(async (inside) => {
      const definition = (await loadRevisionTasks(inside, revisionId)).find((one) => one.name === name);
      const rows = await selectAssignmentTasks(inside, id);
      return found(
        rows.find(({ taskId }) => taskId === definition?.id),
        `the task ${name}`,
      );
    });
  return {
    ...chat,
    assignmentId: id,
    assignmentUuid: uuid,
    rests: () => rests(place, 'runAssignment', uuid),
    assignment,
    task,
    concluded: (status) =>
      waitFor(`the assignment is ${status}`, async () => {
        const row = await assignment();
        return row.status === status && row;
      }),
    completed: (name) =>
      waitFor(`${name} is complete`, async () => {
        const row = await task(name);
        return row.completedAt !== null && row;
      }),
  };
}

async function open(place: Place, options: Partial<CreateChat>): Promise<WebChat> {
  const { system, workspace } = place;
  const member = await addMember(workspace, { role: workspace.roles.member });
  const context = workspace.context(workspace.admin, system.clock);
  const { id, uuid } = await createChat(context, {
    channel: 'web-chat',
    memberId: member.memberId,
    ...options,
  });
  const tx = transactionsOf(workspace);
  const chat = async () => found(await tx((inside) => findChat(inside, id)), 'the chat');
  const ask = async (method: string, path: string, apiKey: string, body: object) => {
    const answer = await system.api.request(method, workspace.path(`/chats/${id}${path}`), { apiKey, body });
    if (answer.status >= 300) throw new Error(`refused: ${answer.status} ${JSON.stringify(answer.body)}`);
  };
  return {
    member,
    chatId: id,
    chatUuid: uuid,
    chat,
    said: async (role) =>
      (await tx((inside) => selectRecentHistory(inside, id, 2_000)))
        .filter((row) => row.role === role && row.content !== null && row.subConversationOf === null)
        .map((row) => messageText(row.content ?? '')),
    write: (text) => ask('POST', '/messages', member.apiKey, { content: text }),
    handled: async () => {
      await waitFor('what was written is handled', async () => {
        const { version, handledVersion } = await chat();
        return version === handledVersion;
      });
    },
    rests: () => rests(place, 'answerChat', uuid),
    update: (change) => ask('PUT', '', workspace.admin.apiKey, change),
  };
}

function transactionsOf({ database, workspaceId }: SmsWorkspace) {
  return <T>(work: (tx: Tx) => Promise<T>): Promise<T> => database.inWorkspace(workspaceId, work);
}

async function rests({ system, workspace }: Place, runType: RunType, subject: string): Promise<void> {
  await waitFor('the run rests', async () => {
    const waiting = await transactionsOf(workspace)((tx) => subjectsWaiting(tx, runType, [subject]));
    return waiting.size === 0 && (await atRest(system.run(runType, subject)));
  });
}

function found<T>(row: T | undefined, what: string): T {
  if (row === undefined) throw new Error(`${what} is gone`);
  return row;
}
