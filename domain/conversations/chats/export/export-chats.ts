import type { CommandContext } from '../../../kernel/context.js';
import type { Cell } from '../../../records/csv/cells.js';
import { formatList } from '../../../records/csv/lists.js';
import { type CsvOptions, writeCsv } from '../../../records/csv/write-csv.js';
import type { ChatView } from '../chat-view.js';
import type { ChatQuery } from '../list-chats.js';
import { chatsInOrder } from './chats-in-order.js';

const columns: Record<string, (chat: ChatView) => Cell> = {
  id: ({ id }) => id,
  uuid: ({ uuid }) => uuid,
  channel: ({ channel }) => channel,
  chatType: ({ chatType }) => chatType,
  title: ({ title }) => title,
  summary: ({ summary }) => summary,
  memberId: ({ memberId }) => memberId,
  memberName: ({ memberId, participants }) =>
    participants.find((participant) => participant.memberId === memberId)?.name ?? null,
  assistantMemberId: ({ assistantMemberId }) => assistantMemberId,
  workflowId: ({ definitionId }) => definitionId,
  workflowRevisionId: ({ revisionId }) => revisionId,
  assignmentId: ({ assignmentId }) => assignmentId,
  currentTaskName: ({ currentTaskName }) => currentTaskName,
  phoneNumberId: ({ phoneNumberId }) => phoneNumberId,
  labels: ({ labels }) => formatList(labels.map(({ slug }) => slug)),
  archived: ({ archived }) => archived,
  muted: ({ muted }) => muted,
  paused: ({ paused }) => paused,
  pausedReason: ({ pausedReason }) => pausedReason,
  needsResponse: ({ needsResponse }) => needsResponse,
  needsResponseReason: ({ needsResponse, needsResponseReason }) =>
    needsResponse ? needsResponseReason : null,
  isTest: ({ isTest }) => isTest,
  messageCount: ({ messageCount }) => messageCount,
  lastMessageReceivedAt: ({ lastMessageReceivedAt }) => lastMessageReceivedAt?.toISOString() ?? null,
  createdAt: ({ createdAt }) => createdAt.toISOString(),
  updatedAt: ({ updatedAt }) => updatedAt.toISOString(),
};

/** Exports the chats of a filter that the caller may see, without their messages, in order of id. */
export function exportChats(
  context: CommandContext,
  query: ChatQuery,
  options: CsvOptions = {},
): { fileName: string; text: AsyncIterable<string> } {
  return {
    fileName: 'chats.csv',
    text: writeCsv(Object.keys(columns), rowsOf(context, query), options),
  };
}

async function* rowsOf(context: CommandContext, query: ChatQuery): AsyncGenerator<Cell[]> {
  for await (const chat of chatsInOrder(context, query)) {
    yield Object.values(columns).map((cellOf) => cellOf(chat));
  }
}
