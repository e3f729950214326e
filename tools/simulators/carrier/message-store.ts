import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';

export type Status = 'queued' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'received';

interface CallbackResult {
  /** `lost`: not sent because of the knob. */
  outcome: 'answered' | 'timeout' | 'connection_failed' | 'lost';
  httpStatus?: number;
}

/** A picture or another file of an inbound message. */
export interface Media {
  sid: string;
  /** What the carrier says; the bytes may be of another type. */
  contentType: string;
  bytes: Buffer;
}

/** What came of fetching a picture or another file of an outbound message. */
export interface MediaFetch {
  url: string;
  /** Null if there was no answer. */
  httpStatus: number | null;
  contentType: string | null;
  bytes: number;
  sha256: string | null;
}

/** A text message between a number of the account and a handset. */
export interface Message {
  sequence: number;
  sid: string;
  direction: 'inbound' | 'outbound-api' | 'outbound-reply';
  from: string;
  to: string;
  body: string;
  status: Status;
  errorCode: number | null;
  createdAt: string;
  sentAt: string | null;
  updatedAt: string;
  statusCallback: string | null;
  mediaCount: number;
  /** Of an outbound message: where its media are. */
  mediaUrls: readonly string[];
  fetches: MediaFetch[];
  /** Null until it is billed. */
  price: string | null;
  history: { status: Status; at: string }[];
  callbacks: (CallbackResult & { status: Status; at: string })[];
}

export function handsetOf({ direction, from, to }: Message): string {
  return direction === 'inbound' ? from : to;
}

type NewMessage = Pick<Message, 'direction' | 'from' | 'to' | 'body' | 'status'> &
  Partial<Pick<Message, 'statusCallback' | 'mediaUrls'>>;

type NewMedia = Omit<Media, 'sid'>;

/** All messages in order. Emits `message` for a new one and `update` for a change. */
export class MessageStore extends EventEmitter<{ message: [Message]; update: [Message] }> {
  readonly #messages: Message[] = [];
  readonly #media = new Map<string, Media[]>();

  constructor() {
    super();
    this.setMaxListeners(0);
  }

  add(
    { statusCallback = null, mediaUrls = [], ...message }: NewMessage,
    media: readonly NewMedia[] = [],
  ): Message {
    const at = new Date().toISOString();
    const mediaCount = media.length + mediaUrls.length;
    const stored: Message = {
      ...message,
      sequence: this.#messages.length + 1,
      sid: `${mediaCount > 0 ? 'MM' : 'SM'}${randomBytes(16).toString('hex')}`,
      mediaCount,
      mediaUrls,
      fetches: [],
      price: null,
      errorCode: null,
      createdAt: at,
      // An inbound message has its date from the start.
      sentAt: message.direction === 'inbound' ? at : null,
      updatedAt: at,
      statusCallback,
      history: [{ status: message.status, at }],
      callbacks: [],
    };
    this.#messages.push(stored);
    this.#media.set(
      stored.sid,
      media.map((one) => ({ ...one, sid: `ME${randomBytes(16).toString('hex')}` })),
    );
    this.emit('message', stored);
    return stored;
  }

  setStatus(message: Message, status: Status, errorCode: number | null = null): void {
    const at = new Date().toISOString();
    message.status = status;
    message.errorCode = errorCode;
    message.updatedAt = at;
    if (status === 'sent') message.sentAt = at;
    message.history.push({ status, at });
    this.emit('update', message);
  }

  addFetch(message: Message, fetched: MediaFetch): void {
    message.fetches.push(fetched);
    this.emit('update', message);
  }

  addCallback(message: Message, status: Status, { outcome, httpStatus }: CallbackResult): void {
    const at = new Date().toISOString();
    message.callbacks.push({ status, outcome, ...(httpStatus === undefined ? {} : { httpStatus }), at });
    this.emit('update', message);
  }

  find(sid: string): Message | undefined {
    return this.#messages.find((message) => message.sid === sid);
  }

  mediaOf(sid: string): readonly Media[] {
    return this.#media.get(sid) ?? [];
  }

  after(sequence: number): Message[] {
    return this.#messages.slice(Math.max(0, sequence));
  }
}
