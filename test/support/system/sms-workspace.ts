import { selectAssignmentTasks } from '../../../db/assignments/assignment-tasks.js';
import { type AssignmentRow, findAssignmentOfChat } from '../../../db/assignments/assignments.js';
import { selectOpenDeliveries } from '../../../db/channels/deliveries.js';
import { type ChatRow, findChat } from '../../../db/conversations/chats.js';
import { type MessageRow, selectRecentHistory } from '../../../db/conversations/messages.js';
import { loadRevisionTasks } from '../../../db/definitions/workflow-tasks.js';
import { type OutboxEntry, writeOutbox } from '../../../db/outbox.js';
import { messageText } from '../../../domain/channels/message-text.js';
import { createPhoneNumber } from '../../../domain/channels/phone-numbers/create-phone-number.js';
import { createAssistant } from '../../../domain/conversations/assistants/create-assistant.js';
import { createChat } from '../../../domain/conversations/chats/create-chat.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { createWorkflowDefinition } from '../../../domain/definitions/workflow-definitions/create-workflow-definition.js';
import { createRevision } from '../../../domain/definitions/workflow-revisions/create-revision.js';
import { publishRevision } from '../../../domain/definitions/workflow-revisions/publish-revision.js';
import { createDataType, type NewDataType } from '../../../domain/records/data-types/create-data-type.js';
import type { RunType } from '../../../workflows/contracts/runs.js';
import { callAs } from '../api/call-as.js';
import { waitFor } from '../lib/wait-for.js';
import type { SentMedia } from '../simulators/simulated-carrier.js';
import {
  addMember,
  createWorkspace,
  randomTag,
  type TestMember,
  type TestWorkspace,
  uniquePhone,
} from '../workspace/factories.js';
import { pooledPhone } from '../workspace/phone-number-pool.js';
import type { TestSystem } from './system.js';

/** The input of any run that a poke would start. */
const pokedInput = { chatId: 0, memberId: 0, channel: 'phone-sms', definitionName: 'Poked' };

export interface Texter extends TestMember {
  phone: string;
}

export interface SmsConversation {
  texter: Texter;
  chatId: number;
  chatUuid: string;
  chat(): Promise<ChatRow>;
  /** All rows, oldest first. */
  history(): Promise<MessageRow[]>;
  /** What people and the agent said, oldest first. */
  said(role?: 'user' | 'assistant'): Promise<string[]>;
  write(text: string, media?: readonly SentMedia[]): Promise<void>;
  post(message: string): ReturnType<SmsWorkspace['asAdmin']>;
  heard(text: string): Promise<string>;
  carried(): Promise<string[]>;
  settled(): Promise<void>;
}

export interface SmsAssignment extends SmsConversation {
  assignmentId: number;
  assignmentUuid: string;
  assignment(): Promise<AssignmentRow>;
  currentTask(): Promise<string | undefined>;
  taskId(name: string): Promise<number>;
  select(name: string): ReturnType<SmsWorkspace['asAdmin']>;
  concluded(status: AssignmentRow['status']): Promise<AssignmentRow>;
  stands(task: string): Promise<void>;
}

export interface SmsWorkspace extends TestWorkspace {
  number: string;
  phoneNumberId: number;
  assistantMemberId: number;
  asAdmin: ReturnType<typeof callAs>;
  addDataType(type: NewDataType): Promise<void>;
  /** A published, active definition on the workspace's number; returns its id. */
  publish(rootTask: RevisionTask): Promise<number>;
  addTexter(name?: string): Promise<Texter>;
  begin(definitionId: number, texter?: Texter): Promise<SmsAssignment>;
  openChat(texter?: Texter): Promise<SmsConversation>;
  /** Writes a poke for the relay, as a command would, with the input of a chat's run. */
  poke(runType: RunType, subject: string, input?: object): Promise<void>;
  select<Row>(sql: string, bindings?: (string | number)[]): Promise<Row[]>;
}

/** A workspace that is ready to text with its members: an assistant and a number whose messages reach the api. */
export async function createSmsWorkspace(system: TestSystem): Promise<SmsWorkspace> {
  const workspace = await createWorkspace(system.database);
  const context = workspace.context();
  const described = { name: 'Assistant', instructions: 'Be brief.', isDefault: true };
  const { memberId: assistantMemberId } = await createAssistant(context, described);
  const asAdmin = callAs(system.api, workspace, workspace.admin);
  const number = await pooledPhone(system.database);
  const { id: phoneNumberId } = await createPhoneNumber(context, {
    number,
    name: 'Desk',
    mmsEnabled: true,
    // Suites begin many exchanges at once.
    segmentsPerSecond: 1_000,
  });
  await system.carrier.route(number, system.api.baseUrl);
  const tx = <T>(work: Parameters<typeof system.database.inWorkspace<T>>[1]) =>
    system.database.inWorkspace(workspace.workspaceId, work);

  function conversation(texter: Texter, { id, uuid }: { id: number; uuid: string }): SmsConversation {
    const history = () => tx((inside) => selectRecentHistory(inside, id, 1_000));
    const said = async (role?: 'user' | 'assistant') =>
      (await history())
        .filter((row) => (role === undefined ? ['user', 'assistant'].includes(row.role) : row.role === role))
        .filter((row) => row.content !== null && row.subConversationOf === null)
        .map((row) => messageText(row.content ?? ''));
    return {
      texter,
      chatId: id,
      chatUuid: uuid,
      history,
      said,
      async chat() {
        const row = await tx((inside) => findChat(inside, id));
        if (row === undefined) throw new Error('the chat is gone');
        return row;
      },
      write: (text, media) => system.carrier.write(texter.phone, number, text, media),
      post: (message) => asAdmin('POST', `/chats/${id}/send-assistant-message`, { message }),
      heard: (text) =>
        waitFor(`the assistant said “${text}”`, async () =>
          (await said('assistant')).findLast((words) => words.includes(text)),
        ),
      carried: async () => (await system.carrier.sentTo(texter.phone)).map(({ body }) => body),
      settled: async () => {
        const open = () => tx((inside) => selectOpenDeliveries(inside, id));
        await waitFor('every delivery is settled', async () => (await open()).length === 0);
      },
    };
  }

  async function begun(texter: Texter, chat: { id: number; uuid: string }): Promise<SmsAssignment> {
    const read = async (): Promise<AssignmentRow> => {
      const row = await tx((inside) => findAssignmentOfChat(inside, chat.id));
      if (row === undefined) throw new Error('the chat has no assignment');
      return row;
    };
    const first = await read();
    const names = async () =>
      tx(async (inside) => {
        const tasks = new Map(
          (await loadRevisionTasks(inside, first.revisionId)).map((task) => [task.id, task.name]),
        );
        const rows = await selectAssignmentTasks(inside, first.id);
        return rows.map((row) => ({ id: row.id, name: tasks.get(row.taskId) ?? '' }));
      });
    const currentTask = async () => {
      const { currentTaskId } = await read();
      return (await names()).find((task) => task.id === currentTaskId)?.name;
    };
    const taskId = async (name: string) => {
      const found = (await names()).find((task) => task.name === name);
      if (found === undefined) throw new Error(`there is no task ${name}`);
      return found.id;
    };
    return {
      ...conversation(texter, chat),
      assignmentId: first.id,
      assignmentUuid: first.uuid,
      assignment: read,
      currentTask,
      taskId,
      select: async (name) => asAdmin('PUT', `/assignments/${first.id}/tasks/${await taskId(name)}/select`),
      concluded: (status) =>
        waitFor(`the assignment is ${status}`, async () => {
          const row = await read();
          return row.status === status && row;
        }),
      async stands(task) {
        await waitFor(`the assignment stands in ${task}`, async () => (await currentTask()) === task);
      },
    };
  }

  const self: SmsWorkspace = {
    ...workspace,
    number,
    phoneNumberId,
    assistantMemberId,
    asAdmin,
    async addDataType(type) {
      await createDataType(context, type);
    },
    async publish(rootTask) {
      const definition = await createWorkflowDefinition(context, {
        name: `Workflow ${randomTag()}`,
        assistantMemberId,
        defaultPhoneNumberId: phoneNumberId,
      });
      const revision = await createRevision(context, definition.id, { rootTask });
      await publishRevision(context, definition.id, revision.id, { activate: true });
      return definition.id;
    },
    async addTexter(name) {
      const phone = uniquePhone();
      const member = await addMember(workspace, {
        role: workspace.roles.member,
        values: { phone, ...(name === undefined ? {} : { name }) },
      });
      return { ...member, phone };
    },
    async begin(definitionId, given) {
      const texter = given ?? (await self.addTexter());
      const { memberId } = texter;
      return begun(
        texter,
        await createChat(context, { channel: 'phone-sms', workflowId: definitionId, memberId }),
      );
    },
    async openChat(given) {
      const texter = given ?? (await self.addTexter());
      const made = {
        channel: 'phone-sms',
        memberId: texter.memberId,
        phoneNumberId,
        assistantMemberId,
      } as const;
      return conversation(texter, await createChat(context, made));
    },
    poke: (runType, subject, input = pokedInput) =>
      tx((inside) => writeOutbox(inside, { runType, subject, action: 'poke', input } as OutboxEntry)),
    select: (sql, bindings = []) => tx(async (inside) => (await inside.raw(sql, bindings)).rows),
  };
  return self;
}
