import type { LiveChats } from '../../../../domain/conversations/chat-events/live-chats.js';
import type { CommandContext } from '../../../../domain/kernel/context.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import type { EventStream } from '../../../http/streams/event-stream.js';
import { type WorkspaceEvent, workspaceEvents } from './schemas.js';

const follow = defineRoute({
  operationId: 'followWorkspace',
  method: 'GET',
  path: '/w/{workspace_uuid}/events/stream',
  tag: 'Chats',
  summary: 'Follow the chats of a workspace with server-sent events',
  description: `Server-sent events that say which chats and phone calls have changed, for a page that shows lists of them: it reads anew
what an event names. They have ids and states, never content. With the permission chats:read they tell of all chats, otherwise of
the caller's own, as listChats does; a chat that is new to the caller's view is told of when it next changes.

To start without a gap: open the stream, wait for \`workspace.snapshot\`, then list. Changes are gathered for a quarter of a second,
and told at most twice a second: of the same chat as one event. \`queue.changed\` says that the list of chats that wait and its counts
are to be asked again; a claim or a snooze that ends by the clock is no event. Without chats:read it does not come: \`chat.changed\`
says which chats wait.

A client that reconnects with the last id as \`Last-Event-ID\` is told of everything that has changed since, and may be told of some
again. If that is more than 1,000 chats, or the id is unknown, \`workspace.snapshot\` comes instead: list anew. It also comes while the
stream is open, when the server had lost its database. A reader that is slow is told of each chat once, in its latest state.

A comment every twenty seconds keeps the connection alive. The stream ends when the caller loses access or the permission
chats:read, when the reader takes nothing, and when the server stops; the client should reconnect. A member can have 20 streams of a
workspace open, which count towards the 200 of its chats (followChat).`,
  access: workspaceMember({ scope: 'chats:read' }),
  response: { status: 200, events: workspaceEvents, description: 'The events, until the connection ends.' },
  errors: {
    503: 'Too many streams are open, or the server is stopping; `Retry-After` says when to try again.',
  },
  handler: ({ context, services: { live }, lastEventId }) => openStream(context, live, lastEventId),
});

async function openStream(
  { actor }: CommandContext,
  live: LiveChats,
  lastEventId: string | undefined,
): Promise<EventStream<WorkspaceEvent, CommandContext>> {
  const leave = live.admit(actor.memberId, 'all');
  const lastId = /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : undefined;
  const stream = await live.hub.followWorkspace(actor, lastId).catch((error) => {
    leave();
    throw error;
  });
  return {
    start(sink) {
      stream.start({
        send: ({ kind, ...data }, id) =>
          sink.send({ event: kind, ...(id === undefined ? {} : { id }), data } as WorkspaceEvent),
        whenReady: () => sink.whenReady(),
        end: () => sink.end(),
      });
    },
    stop() {
      leave();
      stream.stop();
    },
    check: async (now) => stream.check(now.actor),
  };
}

export const eventStreamRoutes = [follow];
