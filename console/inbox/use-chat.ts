import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer, useState } from 'react';
import { answer, api, hasNoAnswer } from '../kit/api.js';
import { followEvents } from '../kit/follow-events.js';
import { useWorkspace } from '../kit/workspace.js';
import {
  afterEvent,
  afterPage,
  type ChatEvent,
  type ChatFeed,
  emptyFeed,
  type MessagesPage,
  whileAsking,
} from './chat-feed.js';
import { memberOf } from './member-of.js';

const messagesPerPage = 50;
/** A sign of writing that is not repeated has ended, and so has a reply of which no piece comes. */
const typingExpiresMs = 10_000;
const draftExpiresMs = 30_000;

type Action =
  | { kind: 'event'; event: ChatEvent }
  | { kind: 'asking' }
  | { kind: 'page'; page: MessagesPage }
  | { kind: 'typing.expired' | 'draft.expired' };

function reduce(feed: ChatFeed, action: Action): ChatFeed {
  switch (action.kind) {
    case 'event':
      return afterEvent(feed, action.event);
    case 'asking':
      return whileAsking(feed);
    case 'page':
      return afterPage(feed, action.page);
    case 'typing.expired':
      return { ...feed, typing: [] };
    case 'draft.expired':
      return { ...feed, draft: undefined };
  }
}

const eventNames = [
  'chat.snapshot',
  'chat.updated',
  'message.created',
  'message.updated',
  'typing',
  'reply.delta',
  'reply.dropped',
] as const;

export interface OpenChat extends ChatFeed {
  /** Why the chat cannot be read; a failure that passes is none. */
  error: Error | undefined;
  /** Whether the stream of the chat stands, and its messages are read. */
  isLive: boolean;
  readEarlier(): Promise<void>;
}

/** Follows a chat: its state, its messages and what is being written. The component has the chat's id as its key. */
export function useChat(chatId: number): OpenChat {
  const { uuid } = useWorkspace();
  const queries = useQueryClient();
  const [feed, dispatch] = useReducer(reduce, emptyFeed);
  const [error, setError] = useState<Error>();
  const [isLive, setIsLive] = useState(true);

  const read = useCallback(
    async (offset: number): Promise<void> => {
      const path = { workspace_uuid: uuid, chat_id: chatId };
      const query = { limit: messagesPerPage, offset, total_count: true };
      dispatch({ kind: 'asking' });
      const page = await answer(
        api.GET('/w/{workspace_uuid}/chats/{chat_id}/messages', { params: { path, query } }),
      );
      const { messages, total } = Array.isArray(page) ? { messages: page, total: page.length } : page;
      const hasEarlier = offset + messages.length < total;
      dispatch({ kind: 'page', page: { messages, isLast: offset === 0, hasEarlier } });
    },
    [uuid, chatId],
  );

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const readLast = () =>
      read(0).then(
        () => setIsLive(true),
        (failure: Error) => {
          if (!hasNoAnswer(failure)) return setError(failure);
          setIsLive(false);
          timer = setTimeout(() => void readLast(), 5_000);
        },
      );
    const stop = followEvents({
      url: `/api/v2/w/${uuid}/chats/${chatId}/events`,
      names: eventNames,
      onEvent: (event, data) => {
        dispatch({ kind: 'event', event: { event, data } as ChatEvent });
        // The messages are listed after the snapshot, so that none is missed in between.
        if (event === 'chat.snapshot') void readLast();
      },
      onLive: setIsLive,
      probe: () => read(0),
      onRefused: setError,
      onlyWhileVisible: true,
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [uuid, chatId, read]);

  const { typing, draft } = feed;
  useEffect(() => {
    if (typing.length === 0) return;
    const timer = setTimeout(() => dispatch({ kind: 'typing.expired' }), typingExpiresMs);
    return () => clearTimeout(timer);
  }, [typing]);
  useEffect(() => {
    if (draft === undefined) return;
    const timer = setTimeout(() => dispatch({ kind: 'draft.expired' }), draftExpiresMs);
    return () => clearTimeout(timer);
  }, [draft]);

  // Who has done something in the chat is read again with it, and its member with records and calls: a message may have
  // been an opt-out, and the agent may have noted something.
  const last = feed.messages.at(-1)?.id;
  const version = feed.chat && last && `${feed.chat.updatedAt} ${last}`;
  const memberId = feed.chat && memberOf(feed.chat)?.memberId;
  useEffect(() => {
    if (version === undefined) return;
    void queries.invalidateQueries({ queryKey: [uuid, 'chat', chatId] });
    if (memberId !== undefined) void queries.invalidateQueries({ queryKey: [uuid, 'member', memberId] });
  }, [version, queries, uuid, chatId, memberId]);

  return { ...feed, error, isLive, readEarlier: () => read(feed.messages.length) };
}
