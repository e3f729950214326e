import { type ChatRow, findChat } from '../../../db/conversations/chats.js';
import { type MessageRow, selectRecentHistory } from '../../../db/conversations/messages.js';
import { createAssistant } from '../../../domain/conversations/assistants/create-assistant.js';
import { advanceChat } from '../../../domain/conversations/chats/advance-chat.js';
import { createChat } from '../../../domain/conversations/chats/create-chat.js';
import { postMessage } from '../../../domain/conversations/chats/post-message.js';
import { type UpdateChat, updateChat } from '../../../domain/conversations/chats/update-chat.js';
import { type AgentBudgets, defaultAgentBudgets } from '../../../domain/kernel/agent-budgets.js';
import type { CommandContext } from '../../../domain/kernel/context.js';
import type { ChatStep } from '../../../workflows/contracts/steps.js';
import { MovedClock } from '../lib/moved-clock.js';
import { addPhoneNumber } from '../workspace/definitions.js';
import type { TestMember, TestWorkspace } from '../workspace/factories.js';

/** A chat of an assistant with the workspace's plain member, without a workflow, under a clock that the test moves. */
export interface FreeChat {
  clock: MovedClock;
  /** As the member. */
  context: CommandContext;
  /** As a colleague with every permission. */
  colleague: CommandContext;
  workspaceId: number;
  chatId: number;
  /** There is none. */
  assignmentId: undefined;
  advance(): Promise<ChatStep>;
  chat(): Promise<ChatRow>;
  messages(): Promise<MessageRow[]>;
  memberWrites(text: string): Promise<MessageRow>;
  update(changes: UpdateChat): Promise<unknown>;
}

export async function stageFreeChat(
  workspace: TestWorkspace,
  options: { budgets?: Partial<AgentBudgets>; member?: TestMember; channel?: 'web-chat' | 'phone-sms' } = {},
): Promise<FreeChat> {
  const { member = workspace.member, channel = 'web-chat' } = options;
  const clock = new MovedClock();
  const agentBudgets = { ...defaultAgentBudgets, ...options.budgets };
  const context = { ...workspace.context(member, clock), agentBudgets };
  const colleague = { ...workspace.context(workspace.admin, clock), agentBudgets };
  const { memberId: assistantMemberId } = await createAssistant(workspace.context(), {
    name: 'Assistant',
    instructions: 'Be brief.',
  });
  const number = channel === 'phone-sms' ? await addPhoneNumber(workspace) : undefined;
  const { id: chatId } = await createChat(context, {
    channel,
    assistantMemberId,
    ...(number === undefined ? {} : { phoneNumberId: number.id }),
  });
  const { database, workspaceId } = workspace;
  return {
    clock,
    context,
    colleague,
    workspaceId,
    chatId,
    assignmentId: undefined,
    advance: () => advanceChat(context, { workspaceId, chatId }),
    chat: async () => {
      const found = await database.inWorkspace(workspaceId, (tx) => findChat(tx, chatId));
      if (found === undefined) throw new Error('the chat is gone');
      return found;
    },
    messages: () => database.inWorkspace(workspaceId, (tx) => selectRecentHistory(tx, chatId, 1_000)),
    memberWrites: (text) => postMessage(context, { chatId, content: text }),
    update: (changes) => updateChat(colleague, chatId, changes),
  };
}
