import { type AssignmentTaskRow, selectAssignmentTasks } from '../../../db/assignments/assignment-tasks.js';
import { type AssignmentRow, findAssignment } from '../../../db/assignments/assignments.js';
import { type ChatRow, findChat } from '../../../db/conversations/chats.js';
import { type MessageRow, selectRecentHistory } from '../../../db/conversations/messages.js';
import { loadRevisionTasks } from '../../../db/definitions/workflow-tasks.js';
import { advanceAssignment } from '../../../domain/assignments/advance-assignment.js';
import { liveOutreach } from '../../../domain/calls/live-outreach.js';
import { type CreateChat, createChat } from '../../../domain/conversations/chats/create-chat.js';
import { postMessage } from '../../../domain/conversations/chats/post-message.js';
import { sendAssistantMessage } from '../../../domain/conversations/chats/send-assistant-message.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import type { CommandContext } from '../../../domain/kernel/context.js';
import type { AssignmentStep } from '../../../workflows/contracts/steps.js';
import { MovedClock } from '../lib/moved-clock.js';
import { addPhoneNumber, publishDefinition, publishUnchecked } from '../workspace/definitions.js';
import type { TestMember, TestWorkspace } from '../workspace/factories.js';

/** An assignment of the workspace's plain member under a clock that the test moves; no run drives it. */
export interface StagedAssignment {
  clock: MovedClock;
  context: CommandContext;
  workspaceId: number;
  chatId: number;
  assignmentId: number;
  revisionId: number;
  /** What the run would do next. */
  advance(): Promise<AssignmentStep>;
  assignment(): Promise<AssignmentRow>;
  chat(): Promise<ChatRow>;
  /** Everything stored in the chat, oldest first. */
  messages(): Promise<MessageRow[]>;
  /** The name of the task it stands in. */
  currentTask(): Promise<string | undefined>;
  /** A task's row, by its name. */
  task(name: string): Promise<AssignmentTaskRow>;
  /** The member writes. */
  memberWrites(text: string): Promise<MessageRow>;
  /** A colleague writes to the member. */
  operatorWrites(text: string): Promise<MessageRow>;
}

export async function stageAssignment(
  workspace: TestWorkspace,
  rootTask: RevisionTask,
  options: Partial<CreateChat> & { member?: TestMember; unchecked?: boolean } = {},
): Promise<StagedAssignment> {
  const { member = workspace.member, unchecked = false, ...chatOptions } = options;
  const clock = new MovedClock();
  const context = workspace.context(member, clock);
  const definition = await (unchecked ? publishUnchecked : publishDefinition)(workspace, rootTask);
  const isSms = chatOptions.channel === 'phone-sms' && chatOptions.phoneNumberId === undefined;
  const number = isSms ? await addPhoneNumber(workspace) : undefined;
  // A test is a colleague's to begin.
  const creator = chatOptions.isTest === true ? workspace.context(workspace.admin, clock) : context;
  const created = await createChat(creator, {
    channel: 'web-chat',
    memberId: member.memberId,
    workflowId: definition.workflowId,
    ...(number === undefined ? {} : { phoneNumberId: number.id }),
    ...chatOptions,
  });
  const { assignmentId, id: chatId } = created;
  if (assignmentId === null) throw new Error('a chat with a workflow has no assignment');

  const { database, workspaceId } = workspace;
  const { revisionId } = definition;
  const found = <T>(row: T | undefined): T => {
    if (row === undefined) throw new Error('what was staged is gone');
    return row;
  };
  const assignment = async () =>
    found(await database.inWorkspace(workspaceId, (tx) => findAssignment(tx, assignmentId)));
  const tasks = () =>
    database.inWorkspace(workspaceId, async (tx) => {
      const definitions = await loadRevisionTasks(tx, revisionId);
      const rows = await selectAssignmentTasks(tx, assignmentId);
      return rows.map((row) => ({ row, name: definitions.find((task) => task.id === row.taskId)?.name }));
    });

  return {
    clock,
    context,
    workspaceId,
    chatId,
    assignmentId,
    revisionId,
    advance: () =>
      advanceAssignment({ db: database, clock, outreach: liveOutreach }, { workspaceId, assignmentId }),
    assignment,
    chat: async () => found(await database.inWorkspace(workspaceId, (tx) => findChat(tx, chatId))),
    messages: () => database.inWorkspace(workspaceId, (tx) => selectRecentHistory(tx, chatId, 1_000)),
    currentTask: async () => {
      const { currentTaskId } = await assignment();
      return (await tasks()).find(({ row }) => row.id === currentTaskId)?.name;
    },
    task: async (name) => found((await tasks()).find((task) => task.name === name)).row,
    memberWrites: (text) => postMessage(context, { chatId, content: text }),
    operatorWrites: async (text) => {
      const sent = { chatId, message: text, toolCalls: [] };
      const [message] = await sendAssistantMessage(workspace.context(workspace.admin, clock), sent);
      return message;
    },
  };
}
