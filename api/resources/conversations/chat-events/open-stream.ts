import { ChatStream } from '../../../../domain/conversations/chat-events/chat-stream.js';
import { DraftGate } from '../../../../domain/conversations/chat-events/draft-gate.js';
import { checkFollower, followChat } from '../../../../domain/conversations/chat-events/follow-chat.js';
import type { LiveChats } from '../../../../domain/conversations/chat-events/live-chats.js';
import type { CommandContext } from '../../../../domain/kernel/context.js';
import type { EventSink, EventStream } from '../../../http/streams/event-stream.js';
import { presentChange, presentSignal, presentSnapshot } from './presenter.js';
import type { ChatEvent } from './schemas.js';

/**
 * Opens a stream of a chat's events: from its present state, or from the last event that a reconnecting client has
 * seen. An id beyond the chat's latest revision is of another chat, so such a client starts over.
 */
export async function openChatStream(
  context: CommandContext,
  live: LiveChats,
  { chatId, lastEventId }: { chatId: number; lastEventId: string | undefined },
): Promise<EventStream<ChatEvent, CommandContext>> {
  const { chat, audience: atFirst } = await followChat(context, chatId);
  const leave = live.admit(context.actor.memberId, chatId);
  const seen = revisionOf(lastEventId);
  const resumes = seen !== undefined && seen <= chat.revision;
  const drafts = new DraftGate(chat);
  const place = { workspaceId: context.actor.workspaceId, chatId };
  const after = resumes ? seen : chat.revision;
  let unsent = resumes ? undefined : chat;
  let audience = atFirst;
  let stream: ChatStream | undefined;

  return {
    start(sink: EventSink<ChatEvent>) {
      stream = new ChatStream(live.hub, place, after, {
        change(change) {
          const event = presentChange(change, audience);
          if (event !== undefined) sink.send(event);
          const dropped = drafts.after(change);
          if (dropped !== undefined) sink.send(presentSignal(dropped));
        },
        signal(signal) {
          if (drafts.admits(signal)) sink.send(presentSignal(signal));
        },
        whenReady: () => sink.whenReady(),
        end: () => sink.end(),
      });
      if (unsent !== undefined) sink.send(presentSnapshot(unsent));
      unsent = undefined;
      stream.start();
    },
    stop() {
      leave();
      stream?.stop();
    },
    async check(now) {
      audience = await checkFollower(now, chatId);
    },
  };
}

/** Event ids are revisions; an invalid id is treated like a missing one. */
function revisionOf(lastEventId: string | undefined): number | undefined {
  return lastEventId !== undefined && /^\d{1,10}$/.test(lastEventId) ? Number(lastEventId) : undefined;
}
