import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Schemas } from '../kit/api.js';
import type { PageQuery } from '../kit/paged-rows.js';
import type { InboxSearch, View } from './search.js';

/** A row of the inbox: a chat, and what the queue says of one that waits. */
export type InboxChat = Schemas['ChatResponse'] &
  Partial<Pick<Schemas['WaitingChatResponse'], 'waitingSince' | 'lastMessage' | 'claim' | 'snooze'>>;

type Reason = NonNullable<InboxChat['needsResponseReason']>;

/** A claim or a snooze that ends by the clock is no event. */
const clockMs = 60_000;

/** How many chats a request lists. */
export const pageSize = 50;

const states: Partial<Record<View, 'open' | 'mine' | 'claimed' | 'snoozed'>> = {
  waiting: 'open',
  mine: 'mine',
  claimed: 'claimed',
  snoozed: 'snoozed',
};

/** A page of a list of the inbox, from 1. The queue begins with who has waited longest, the other lists with the newest. */
export function inboxPage(
  uuid: string,
  { view = 'waiting', channel, reason, search }: InboxSearch,
  page: number,
): PageQuery<InboxChat> {
  const path = { workspace_uuid: uuid };
  const common = { page, pageSize, search, channel: channel && [channel] };
  const state = states[view];
  return {
    queryKey: [
      uuid,
      state === undefined ? 'chats' : 'queue',
      'page',
      { view, channel, reason, search, page },
    ],
    refetchInterval: state === undefined ? false : clockMs,
    queryFn: async ({ signal }) => {
      if (state !== undefined) {
        const query = {
          ...common,
          state,
          reason: reason === undefined ? undefined : [reason as Reason],
        };
        return answer(
          api.GET('/w/{workspace_uuid}/chats/needs-response', { params: { path, query }, signal }),
        );
      }
      const answered = view === 'answered' ? { paused: true, needsResponse: false } : {};
      const query = { ...common, ...answered, sortBy: 'lastMessageReceivedAt', sortOrder: 'desc' } as const;
      return answer(api.GET('/w/{workspace_uuid}/chats', { params: { path, query }, signal }));
    },
  };
}

/** Why chats wait, the most frequent reason first. */
export function queueCounts(uuid: string) {
  const path = { workspace_uuid: uuid };
  return queryOptions({
    queryKey: [uuid, 'queue', 'count'],
    refetchInterval: clockMs,
    // The title of a window that is not seen has the number, too.
    refetchIntervalInBackground: true,
    queryFn: ({ signal }) =>
      answer(api.GET('/w/{workspace_uuid}/chats/needs-response/counts', { params: { path }, signal })),
  });
}
