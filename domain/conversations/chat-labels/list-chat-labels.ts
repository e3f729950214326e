import {
  type ChatLabelRow,
  type ChatLabelSortField,
  listChatLabels as findLabels,
} from '../../../db/conversations/chat-labels.js';
import type { CommandContext } from '../../kernel/context.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

/** Lists the workspace's chat labels. Needs no permission. */
export async function listChatLabels(
  { db, actor }: CommandContext,
  request: PageRequest<ChatLabelSortField> & { search?: string | undefined },
): Promise<PageOf<ChatLabelRow>> {
  return db.readInWorkspace(actor.workspaceId, (tx) => findLabels(tx, request, request));
}
