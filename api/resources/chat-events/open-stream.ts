import { ChatStream } from '../../../domain/chat-events/chat-stream.js';
import { DraftGate } from '../../../domain/chat-events/draft-gate.js';
import { checkFollower, followChat } from '../../../domain/chat-events/follow-chat.js';
import type { LiveChats } from '../../../domain/chat-events/live-chats.js';
import type { CommandContext } from '../../../domain/context.js';
import type { EventSink, EventStream } from '../../http/event-stream.js';
import { presentChange, presentSignal, presentSnapshot } from './presenter.js';
import type { ChatEvent } from './schemas.js';

/**
 * A chat's events for one caller: from the chat as it is now on, or from what a client that comes back has seen last.
 * An id that this chat has not reached is none of its own: such a client begins anew.
 *
 * @throws NotFound, Forbidden, or Unavailable when too many streams are open
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

/** Event ids are revisions; what is none is not told from no id at all. */
function revisionOf(lastEventId: string | undefined): number | undefined {
  return lastEventId !== undefined && /^\d{1,10}$/.test(lastEventId) ? Number(lastEventId) : undefined;
}
