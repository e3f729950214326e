import {
  type ChatLabelRow,
  type ChatLabelSortField,
  listChatLabels as findLabels,
} from '../../../db/conversations/chat-labels.js';
import type { CommandContext } from '../../kernel/context.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

/** The workspace's labels for chats. Every member may read them. */
export async function listChatLabels(
  { db, actor }: CommandContext,
  request: PageRequest<ChatLabelSortField> & { search?: string | undefined },
): Promise<PageOf<ChatLabelRow>> {
  return db.readInWorkspace(actor.workspaceId, (tx) => findLabels(tx, request, request));
}
