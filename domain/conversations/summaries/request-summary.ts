import { findChat } from '../../../db/conversations/chats.js';
import type { Tx } from '../../../db/database.js';
import type { SummaryOutcome } from '../../../workflows/contracts/commands.js';
import { requireWritable } from '../../chat-state/chat-access.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, Failed, NotFound, TooManyRequests } from '../../lib/errors.js';
import { type ChatView, viewChat } from '../chats/chat-view.js';
import type { SummaryRuns } from './summary-runs.js';

/**
 * Has the model write title and summary of a chat, and with `updateLabels` give it labels of the workspace, and waits
 * for it. A request with the same uuid is carried out once.
 * @throws NotFound, Forbidden, Conflict `nothing_to_summarize`, `chat_changed` or `token_budget`, TooManyRequests,
 * Failed `summarization_failed`, Unavailable
 */
export async function requestSummary(
  { db, actor }: CommandContext,
  runs: SummaryRuns,
  chatId: number,
  { requestUuid, updateLabels }: { requestUuid: string; updateLabels: boolean },
): Promise<ChatView> {
  const { workspaceId, workspaceUuid } = actor;
  const writable = async (tx: Tx) => requireWritable(tx, actor, await findChat(tx, chatId));
  const { memberId } = await db.readInWorkspace(workspaceId, writable);
  const place = { workspaceId, workspaceUuid, chatId, memberId };
  check(await runs.summarizeChat({ ...place, requestUuid, updateLabels }));
  return db.readInWorkspace(workspaceId, async (tx) => viewChat(tx, actor, await writable(tx)));
}

const waitSeconds = 600;

function check(outcome: SummaryOutcome): void {
  switch (outcome) {
    case 'summarized':
      return;
    case 'chat_gone':
      throw new NotFound('Chat');
    case 'nothing_said':
      throw new Conflict('nothing_to_summarize', 'Nothing has been said in the chat.');
    case 'chat_changed':
      throw new Conflict('chat_changed', 'What was said in the chat was deleted meanwhile.');
    case 'token_budget':
      throw new Conflict('token_budget', 'The chat or the workspace has used up its tokens or credits.');
    case 'too_many':
      throw new TooManyRequests('The chat was summarized many times within the hour.', waitSeconds);
    case 'no_model':
      throw new Failed('summarization_failed', 'No chat model is configured.');
    case 'failed':
      throw new Failed('summarization_failed', 'The model gave no summary.');
  }
}
