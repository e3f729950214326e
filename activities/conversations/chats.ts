import { advanceChat } from '../../domain/conversations/chats/advance-chat.js';
import type { ChatStep } from '../../workflows/contracts/steps.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';

/** Database steps of `answerChat`: short and idempotent. */
export function chatActivities(dependencies: ActivityDependencies) {
  return {
    advanceChat: (input: { workspaceId: number; chatId: number }): Promise<ChatStep> =>
      advanceChat(dependencies, input),
  };
}
