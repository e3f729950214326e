import type { Channel } from '../../db/conversations/chats.js';
import type { LivePublisher } from '../../db/live/live-publisher.js';
import type { ChatPlace } from '../../db/live/notices.js';
import type { RoundResult } from '../../workflows/contracts/steps.js';

/** Between two pieces of a reply. */
const pieceEveryMs = 50;
/** Whole characters. As JSON a character takes at most six bytes, and a notification has room for 7,900. */
const onePiece = /.{1,1200}/gsu;
/** Shorter than the time for which a client shows a typing notice. */
const typingEveryMs = 4_000;
/** A notice tells colleagues of a reply that takes longer; where the member reads along, it comes at once. */
const typingAfterMs = 250;

/**
 * Shows readers of a chat that the model writes and, in a web chat, its text in pieces; others deliver it as a whole.
 */
export class ReplyDraft {
  /** Whether the text should be streamed. */
  readonly isTold: boolean;
  readonly #live: Pick<LivePublisher, 'signal'>;
  readonly #place: ChatPlace;
  readonly #reply: { turn: string; round: number };
  readonly #agentMemberId: number | null;
  #typing: NodeJS.Timeout | undefined;
  #pending = '';
  #length = 0;
  #pieces = 0;
  #nextPiece: NodeJS.Timeout | undefined;

  constructor(
    live: Pick<LivePublisher, 'signal'>,
    { workspaceId, chatId, turnUuid, round }: ChatPlace & { turnUuid: string; round: number },
    chat: { channel: Channel; agentMemberId: number | null },
  ) {
    this.#live = live;
    this.#place = { workspaceId, chatId };
    this.#reply = { turn: turnUuid, round };
    this.#agentMemberId = chat.agentMemberId;
    this.isTold = chat.channel === 'web-chat';
    if (this.isTold) this.#reportTyping(true);
    this.#typeAfter(this.isTold ? typingEveryMs : typingAfterMs);
  }

  /** The characters that the model has written so far, where its text is streamed. */
  get length(): number {
    return this.#length;
  }

  add(text: string): void {
    this.#length += text.length;
    this.#pending += text;
    if (this.#nextPiece !== undefined) return;
    this.#reportPending();
    this.#nextPiece = setTimeout(() => {
      this.#nextPiece = undefined;
      if (this.#pending !== '') this.add('');
    }, pieceEveryMs);
  }

  /** Sends the remaining text. */
  flush(): void {
    clearTimeout(this.#nextPiece);
    this.#nextPiece = undefined;
    this.#reportPending();
  }

  /** Ends the round; called once. A reply that was stored arrives as a message; any other draft is dropped. */
  settle(outcome: RoundResult['kind'] | 'failed'): void {
    clearTimeout(this.#typing);
    clearTimeout(this.#nextPiece);
    if (this.#pieces > 0 && outcome !== 'replied') {
      this.#live.signal(this.#place, { type: 'reply.dropped', ...this.#reply });
    }
    // After tool calls or an interruption, the agent continues to write.
    if (outcome !== 'tools' && outcome !== 'interrupted') this.#reportTyping(false);
  }

  #typeAfter(ms: number): void {
    this.#typing = setTimeout(() => {
      this.#reportTyping(true);
      this.#typeAfter(typingEveryMs);
    }, ms);
  }

  #reportPending(): void {
    const pieces = this.#pending.match(onePiece) ?? [];
    this.#pending = '';
    for (const text of pieces) {
      this.#live.signal(this.#place, { type: 'reply.delta', ...this.#reply, index: this.#pieces, text });
      this.#pieces += 1;
    }
  }

  #reportTyping(active: boolean): void {
    this.#live.signal(this.#place, {
      type: 'typing',
      memberId: this.#agentMemberId,
      role: 'assistant',
      isAgent: true,
      active,
    });
  }
}
