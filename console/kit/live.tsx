import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { answer, api, type Schemas } from './api.js';
import { followEvents } from './follow-events.js';
import { useWorkspace } from './workspace.js';

const LiveContext = createContext(true);

/** Whether what the page shows is kept up to date. */
export const useIsLive = (): boolean => useContext(LiveContext);

/** A burst of events reads everything once. */
const gatherMs = 400;
/** Nearly every event concerns these lists, which are read again at most so often. */
const restMs = 10_000;
const resting: readonly unknown[] = ['assignments', 'members'];

const lists: QueryKey[] = [
  ['queue'],
  ['chats'],
  ['overview'],
  ['chat'],
  ['assignment'],
  ['assignments'],
  ['calls'],
  ['members'],
];

/** What an event of the workspace makes stale: keys of queries, after that of the workspace. */
function staleBy(name: string, data: unknown): QueryKey[] {
  if (name === 'workspace.snapshot') return lists;
  if (name === 'queue.changed') return [['queue'], ['overview']];
  if (name === 'call.changed') return [['overview'], ['calls']];
  const { chatId, assignmentId, needsResponse } = data as Schemas['ChatChangedEvent'];
  return [
    ['chats'],
    ['chat', chatId],
    ['members'],
    ...(assignmentId === undefined ? [] : [['assignment', assignmentId], ['assignments']]),
    ...(needsResponse ? [['queue']] : []),
  ];
}

/** Follows the workspace: one stream for this window, which says what has to be read again. */
export function LiveProvider({ children }: { children: ReactNode }): ReactNode {
  const { uuid } = useWorkspace();
  const queries = useQueryClient();
  const [isLive, setIsLive] = useState(true);
  useEffect(() => {
    const stale = new Map<string, QueryKey>();
    const readAt = new Map<string, number>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const readAgain = () => {
      for (const [id, key] of stale) {
        const queryKey = [uuid, ...key];
        const rests = resting.includes(key[0]) && Date.now() < (readAt.get(id) ?? 0) + restMs;
        // What is being read may be of before the event: it is read once more, after its answer, however late that is.
        if (rests || queries.isFetching({ queryKey }) > 0) continue;
        stale.delete(id);
        readAt.set(id, Date.now());
        void queries.invalidateQueries({ queryKey });
      }
      timer = stale.size === 0 ? undefined : setTimeout(readAgain, gatherMs);
    };
    const stop = followEvents({
      url: `/api/v2/w/${uuid}/events/stream`,
      names: ['workspace.snapshot', 'queue.changed', 'chat.changed', 'call.changed'],
      onEvent: (name, data) => {
        for (const key of staleBy(name, data)) stale.set(JSON.stringify(key), key);
        timer ??= setTimeout(readAgain, gatherMs);
      },
      onLive: (now) => {
        setIsLive(now);
        // Meanwhile somebody else may have signed in with this browser.
        if (now) void queries.invalidateQueries({ queryKey: [uuid, 'me'] });
      },
      probe: () =>
        answer(api.GET('/w/{workspace_uuid}/members/me', { params: { path: { workspace_uuid: uuid } } })),
      onRefused: () => void queries.invalidateQueries({ queryKey: [uuid, 'me'] }),
      // Once it is seen again, the snapshot of the new stream has everything read that is shown.
      onlyWhileVisible: true,
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [uuid, queries]);
  return <LiveContext value={isLive}>{children}</LiveContext>;
}
