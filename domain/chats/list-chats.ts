import { type ChatFilter, type ChatSortField, listChats as findChats } from '../../db/queries/chats.js';
import type { CommandContext } from '../context.js';
import type { PageOf, PageRequest } from '../paging.js';
import { type ChatView, viewChats } from './chat-view.js';

/** Chats by filter. Who may not read others' finds their own only. */
export async function listChats(
  { db, actor }: CommandContext,
  filter: Omit<ChatFilter, 'ownedBy'>,
  page: PageRequest<ChatSortField>,
): Promise<PageOf<ChatView>> {
  const visible = actor.can('chats:read') ? filter : { ...filter, ownedBy: actor.memberId };
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const { items, total } = await findChats(tx, visible, page);
    return { items: await viewChats(tx, actor, items), total };
  });
}
