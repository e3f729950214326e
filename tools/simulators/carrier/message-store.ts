import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';

export type Direction = 'inbound' | 'outbound-api' | 'outbound-reply';
export type Status = 'queued' | 'sent' | 'delivered' | 'undelivered' | 'received';

/** One attempt to send a status callback. */
export interface CallbackAttempt {
  status: Status;
  /** `lost`: not sent because of the knob. */
  outcome: 'answered' | 'timeout' | 'connection_failed' | 'lost';
  httpStatus?: number;
  at: string;
}

/** A text message between a number of the account and a handset. */
export interface Message {
  /** Its number among all messages. */
  sequence: number;
  sid: string;
  direction: Direction;
  from: string;
  to: string;
  body: string;
  status: Status;
  errorCode: number | null;
  createdAt: string;
  sentAt: string | null;
  updatedAt: string;
  statusCallback: string | null;
  history: { status: Status; at: string }[];
  callbacks: CallbackAttempt[];
}

export type NewMessage = Pick<Message, 'direction' | 'from' | 'to' | 'body'> & {
  status: Status;
  statusCallback?: string | undefined;
};

/** All messages in order. Emits `message` for a new one and `update` for a change. */
export class MessageStore extends EventEmitter<{ message: [Message]; update: [Message] }> {
  readonly #messages: Message[] = [];

  constructor() {
    super();
    this.setMaxListeners(0);
  }

  add({ statusCallback, ...message }: NewMessage): Message {
    const at = new Date().toISOString();
    const stored: Message = {
      ...message,
      sequence: this.#messages.length + 1,
      sid: `SM${randomBytes(16).toString('hex')}`,
      errorCode: null,
      createdAt: at,
      // An inbound message has its date from the start.
      sentAt: message.direction === 'inbound' ? at : null,
      updatedAt: at,
      statusCallback: statusCallback ?? null,
      history: [{ status: message.status, at }],
      callbacks: [],
    };
    this.#messages.push(stored);
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

  addCallback(message: Message, attempt: Omit<CallbackAttempt, 'at'>): void {
    message.callbacks.push({ ...attempt, at: new Date().toISOString() });
    this.emit('update', message);
  }

  find(sid: string): Message | undefined {
    return this.#messages.find((message) => message.sid === sid);
  }

  /** All messages after a sequence number. */
  after(sequence: number): Message[] {
    return this.#messages.slice(Math.max(0, sequence));
  }
}
