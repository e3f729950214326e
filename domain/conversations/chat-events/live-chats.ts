import type { LivePublisher } from '../../../db/live/live-publisher.js';
import type { ChatPlace, Signal } from '../../../db/live/notices.js';
import { admissionTerms } from '../../kernel/admissions.js';
import { Admission, type AdmissionTerms } from '../../lib/admission.js';
import { Unavailable } from '../../lib/errors.js';
import type { ChatHub, Follower } from './chat-hub.js';

const typingEveryMs = 2_000;
const maxTypers = 10_000;

/** How long an answer waits for a change of a chat. */
export const checkForMs = 2_000;

type FollowerKind = 'member' | 'memberInChat';

export interface LiveChatsOptions {
  followers?: AdmissionTerms<FollowerKind>;
  forMs?: number;
}

/** What an api process needs to follow chats and to publish transient signals. */
export class LiveChats {
  readonly hub: ChatHub;
  readonly #followers: Admission<FollowerKind>;
  readonly #lookers = new Admission(admissionTerms.lookers);
  readonly #publisher: LivePublisher;
  readonly #typedAt = new Map<string, number>();
  readonly #forMs: number;

  constructor(hub: ChatHub, publisher: LivePublisher, options: LiveChatsOptions = {}) {
    this.hub = hub;
    this.#followers = new Admission(options.followers ?? admissionTerms.followers);
    this.#publisher = publisher;
    this.#forMs = options.forMs ?? checkForMs;
  }

  /** Counts a stream of a member for one chat, or for all; the returned function releases it. @throws Unavailable */
  admit(memberId: number, chatId: number | 'all'): () => void {
    if (this.hub.isClosed) throw new Unavailable('This process is stopping.', 1);
    return this.#followers.admit({ member: memberId, memberInChat: `${memberId} ${chatId}` });
  }

  /**
   * Looks at a chat now and after each of its changes until `look` has seen what it waits for, for two seconds at most. Between
   * two looks nothing is held. @throws Unavailable if as many wait as may; what `look` throws
   */
  async checkUntil(place: ChatPlace, memberId: number, look: () => Promise<boolean>): Promise<void> {
    const end = this.#lookers.admit({ member: memberId });
    const changes = new Changes();
    const unfollow = this.hub.follow(place, 0, changes);
    const timers = [
      // Not everything that may end the wait is a change of the chat.
      setTimeout(() => changes.takeBatch(), this.#forMs / 4),
      setTimeout(() => changes.end(), this.#forMs),
    ];
    try {
      while (!(await look()) && (await changes.next()));
    } finally {
      for (const timer of timers) clearTimeout(timer);
      unfollow();
      end();
    }
  }

  signalTyping(place: ChatPlace, typing: Extract<Signal, { type: 'typing' }>, now: Date): void {
    const key = `${place.chatId}:${typing.memberId}`;
    const last = this.#typedAt.get(key);
    if (last !== undefined && Math.abs(now.getTime() - last) < typingEveryMs) return;
    if (this.#typedAt.size >= maxTypers) this.#typedAt.clear();
    this.#typedAt.set(key, now.getTime());
    this.#publisher.signal(place, typing);
  }

  close(): Promise<void> {
    return this.hub.close();
  }
}

/** The changes of a chat since one last asked, as a single one. */
class Changes implements Follower {
  #hasChanged = false;
  #hasEnded = false;
  #wake = () => {};

  takeBatch(): void {
    this.#hasChanged = true;
    this.#wake();
  }

  takeSignal(): void {}

  end(): void {
    this.#hasEnded = true;
    this.#wake();
  }

  /** @returns whether there is a change, once there is one; false when no more will be told */
  async next(): Promise<boolean> {
    if (!this.#hasChanged && !this.#hasEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const changed = this.#hasChanged && !this.#hasEnded;
    this.#hasChanged = false;
    return changed;
  }
}
