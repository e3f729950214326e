import { useQuery } from '@tanstack/react-query';
import { answer, api } from '../kit/api.js';
import { useWorkspace } from '../kit/workspace.js';
import type { Chat, Message } from './chat-feed.js';
import { useInboxTexts } from './texts.js';

/** Who wrote, writes or has claimed. */
export type Writer = Pick<Message, 'role' | 'author'> & {
  memberId?: number | null | undefined;
  isAgent?: boolean;
};

/** Names who wrote or writes in a chat: participants, and colleagues who have done something in it. */
export function useNames({ id, participants }: Chat): (writer: Writer) => string {
  const texts = useInboxTexts();
  const { uuid, me } = useWorkspace();
  const path = { workspace_uuid: uuid, chat_id: id };
  const { data: acts } = useQuery({
    queryKey: [uuid, 'chat', id, 'acts'],
    queryFn: () =>
      answer(
        api.GET('/w/{workspace_uuid}/chats/{chat_id}/acts', { params: { path, query: { limit: 100 } } }),
      ),
  });
  const names = new Map<number, string | null>([
    ...(acts?.items ?? []).flatMap(({ memberId, memberName }) =>
      memberId === null ? [] : [[memberId, memberName] as const],
    ),
    ...participants.flatMap(({ memberId, name }) =>
      memberId === undefined ? [] : [[memberId, name] as const],
    ),
    [me.id, me.name],
  ]);
  return ({ memberId, author, role, isAgent }) => {
    const name = memberId == null ? null : (names.get(memberId) ?? null);
    if (author === 'system') return texts.note;
    if (isAgent === true || author === 'agent' || author === 'workflow') return name ?? texts.agent;
    return name ?? (role === 'user' ? texts.unknownPerson : texts.colleague);
  };
}
