import { ChatStream } from '../../../../domain/conversations/chat-events/chat-stream.js';
import { DraftGate } from '../../../../domain/conversations/chat-events/draft-gate.js';
import type { LiveChats } from '../../../../domain/conversations/chat-events/live-chats.js';
import { followVisitorChat } from '../../../../domain/sites/visitors/read-chat.js';
import { requireChat, type VisitorContext } from '../../../../domain/sites/visitors/visitor-context.js';
import type { EventSink, EventStream } from '../../../http/streams/event-stream.js';
import { presentVisitorChange, presentVisitorChat, presentVisitorSignal } from './presenter.js';
import type { VisitorEvent } from './schemas.js';

/**
 * Opens a stream of the events of a visitor's chat, as `openChatStream` does for members: from the present state, or from the
 * last event that a reconnecting browser has seen. It ends when the visitor goes on to another chat.
 */
export async function openVisitorStream(
  context: VisitorContext,
  live: LiveChats,
  lastEventId: string | undefined,
): Promise<EventStream<VisitorEvent, VisitorContext>> {
  const { actor, chatId } = requireChat(context);
  const { chat, assigned, concluded: atFirst } = await followVisitorChat(context);
  const leave = live.admit(actor.memberId, chatId);
  const seen = /^\d{1,10}$/.test(lastEventId ?? '') ? Number(lastEventId) : undefined;
  const resumes = seen !== undefined && seen <= chat.revision;
  const drafts = new DraftGate(chat);
  const place = { workspaceId: actor.workspaceId, chatId };
  const standing = {
    concluded: atFirst,
    ofAccount: context.visitor.sessionId !== null,
    showsNames: context.site.chatShowsNames,
  };
  let stream: ChatStream | undefined;

  return {
    start(sink: EventSink<VisitorEvent>) {
      const send = (event: VisitorEvent | undefined) => {
        if (event !== undefined) sink.send(event);
      };
      stream = new ChatStream(live.hub, place, resumes ? seen : chat.revision, {
        change(change) {
          if (!assigned && change.kind === 'chat.updated') standing.concluded = change.chat.archived;
          const event = presentVisitorChange(change, standing);
          if (event?.event === 'concluded') standing.concluded = true;
          send(event);
          const dropped = drafts.after(change);
          if (dropped !== undefined) send(presentVisitorSignal(dropped));
        },
        signal(signal) {
          if (drafts.admits(signal)) send(presentVisitorSignal(signal));
        },
        whenReady: () => sink.whenReady(),
        end: () => sink.end(),
      });
      if (!resumes) {
        sink.send({ event: 'chat', id: chat.revision, data: { chat: presentVisitorChat(chat, standing) } });
      }
      stream.start();
    },
    stop() {
      leave();
      stream?.stop();
    },
    async check(now) {
      await followVisitorChat(now, chatId);
    },
  };
}
