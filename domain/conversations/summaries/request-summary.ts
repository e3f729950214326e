import { findChat } from '../../../db/conversations/chats.js';
import type { Tx } from '../../../db/tx.js';
import type { SummaryOutcome } from '../../../workflows/contracts/commands.js';
import { requireWritable } from '../../chat-state/chat-access.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, Failed, NotFound, TooManyRequests } from '../../lib/errors.js';
import { type ChatView, viewChat } from '../chats/chat-view.js';
import type { SummaryRuns, Waiting } from './summary-runs.js';

/**
 * Has the model write title and summary of a chat, and with `updateLabels` give it labels of the workspace, and waits
 * for it. A request with the same uuid is carried out once. The run goes on when the caller waits no longer.
 * @throws NotFound, Forbidden, Conflict `nothing_to_summarize`, `chat_changed` or `token_budget`, TooManyRequests,
 * Failed `summarization_failed`, Unavailable
 */
export async function requestSummary(
  { db, actor }: CommandContext,
  runs: SummaryRuns,
  chatId: number,
  { requestUuid, updateLabels, ...waiting }: { requestUuid: string; updateLabels: boolean } & Waiting,
): Promise<ChatView> {
  const { workspaceId, workspaceUuid } = actor;
  const writable = async (tx: Tx) => requireWritable(tx, actor, await findChat(tx, chatId));
  const { memberId } = await db.readInWorkspace(workspaceId, writable);
  const place = { workspaceId, workspaceUuid, chatId, memberId };
  check(await runs.summarizeChat({ ...place, requestUuid, updateLabels }, waiting));
  return db.readInWorkspace(workspaceId, async (tx) => viewChat(tx, actor, await writable(tx)));
}

/** The request for a summary that a caller has begun. */
export interface SummaryRequestRef {
  chatId: number;
  requestUuid: string;
}

/** Where a request for a summary is. */
export type SummaryStanding = { kind: 'running' } | { kind: 'cancelled' } | { kind: 'ended'; chat: ChatView };

/**
 * Looks what became of a request for a summary.
 * @returns undefined if nothing is known of it any more
 * @throws NotFound, Forbidden, Unavailable, and what `requestSummary` throws for a summary that came to nothing
 */
export async function followSummary(
  { db, actor }: CommandContext,
  runs: SummaryRuns,
  { chatId, requestUuid }: SummaryRequestRef,
): Promise<SummaryStanding | undefined> {
  const writable = async (tx: Tx) => requireWritable(tx, actor, await findChat(tx, chatId));
  await db.readInWorkspace(actor.workspaceId, writable);
  const state = await runs.findSummary(requestUuid);
  if (state !== undefined && state.kind !== 'ended') return state;
  if (state !== undefined) check(state.outcome);
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const chat = await writable(tx);
    const isKnown = state !== undefined || chat.summaryRequestUuid === requestUuid;
    return isKnown ? { kind: 'ended', chat: await viewChat(tx, actor, chat) } : undefined;
  });
}

/** Asks for the end of a request for a summary; one that has ended stays as it is. @throws NotFound, Forbidden, Unavailable */
export async function cancelSummary(
  { db, actor }: CommandContext,
  runs: SummaryRuns,
  { chatId, requestUuid }: SummaryRequestRef,
): Promise<void> {
  await db.readInWorkspace(actor.workspaceId, async (tx) =>
    requireWritable(tx, actor, await findChat(tx, chatId)),
  );
  await runs.cancelSummary(requestUuid);
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
