import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { WebhookResult } from '../post-webhook.js';

export type FinalStatus = 'completed' | 'busy' | 'no-answer' | 'failed' | 'canceled';
export type CallStatus = 'queued' | 'ringing' | 'in-progress' | FinalStatus;
export type Method = 'GET' | 'POST';

/** What a call is to do: an address that answers with TwiML, or TwiML. */
export type Instructions =
  | { url: string; method: Method; fallbackUrl?: string | undefined; fields?: Record<string, string> }
  | { twiml: string };

/** What a call was made with. */
export interface CallSettings {
  instructions: Instructions;
  statusCallback?: string | undefined;
  statusEvents: readonly string[];
  ringSeconds: number;
  maxSeconds: number;
  detection?: Detection | undefined;
}

export interface Detection {
  mode: 'Enable' | 'DetectMessageEnd';
  /** Absent: the call waits for the result, which its handler gets. */
  callback?: string | undefined;
}

/** One media stream of a call, as it went. Times are milliseconds of the call since it was answered. */
export interface StreamRecord {
  sid: string;
  url: string;
  parameters: Record<string, string>;
  beganMs: number;
  endedMs: number | null;
  /** Who ended it: `service` closed the socket, `stop` was sent to it; otherwise it failed. */
  end: 'service' | 'stop' | 'error' | null;
  framesSent: number;
  /** Milliseconds of the service's audio that the handset heard, and those that `clear` dropped. */
  playedMs: number;
  droppedMs: number;
  clears: number;
  marks: { name: string; state: 'waiting' | 'played' | 'cleared' }[];
}

/** One session of text of a call, as it went. Times are milliseconds of the call since it was answered. */
export interface RelayRecord {
  sid: string;
  url: string;
  parameters: Record<string, string>;
  language: string;
  beganMs: number;
  endedMs: number | null;
  /** How it ended: by a message of the service, with the call, or by an error. */
  status: 'ended' | 'completed' | 'failed' | null;
  handoffData: string | null;
  /** What the person said. */
  prompts: string[];
  /** What the person heard: the words of each talk cycle, or of its part that was heard. */
  heard: string[];
  interrupts: { text: string; ms: number }[];
}

/** A call between a number of the account and a handset, or a leg that `<Dial>` made. */
export interface Call {
  sequence: number;
  sid: string;
  parentSid: string | null;
  direction: 'inbound' | 'outbound-api' | 'outbound-dial';
  from: string;
  to: string;
  status: CallStatus;
  answeredBy: string | null;
  sipCode: number | null;
  createdAt: string;
  /** When it was dialled; null while it waits. */
  startedAt: string | null;
  answeredAt: string | null;
  endedAt: string | null;
  durationSeconds: number | null;
  /** What it changes the balance by; null until it is billed. */
  price: string | null;
  queueMs: number;
  history: { status: CallStatus; at: string }[];
  /** Requests for instructions, and what came. */
  asked: { url: string; method: Method; httpStatus: number | null; answer: string; at: string }[];
  callbacks: { event: string; outcome: WebhookResult['outcome'] | 'lost'; httpStatus?: number; at: string }[];
  /** Texts that were said and recordings that were played, beside streams. */
  heard: { say?: string; play?: string; at: string }[];
  /** Errors and warnings that the carrier shows the owner of the account. */
  alerts: { code: number; message: string; at: string }[];
  streams: StreamRecord[];
  relays: RelayRecord[];
}

type NewCall = Pick<Call, 'direction' | 'from' | 'to' | 'status'> &
  Partial<Pick<Call, 'parentSid' | 'queueMs'>>;

/** All calls in order. Emits `call` for a new one and `update` for a change. */
export class CallStore extends EventEmitter<{ call: [Call]; update: [Call] }> {
  readonly #calls: Call[] = [];
  readonly #bySid = new Map<string, Call>();

  constructor() {
    super();
    this.setMaxListeners(0);
  }

  add({ parentSid = null, queueMs = 0, ...given }: NewCall): Call {
    const at = now();
    const call: Call = {
      ...given,
      sequence: this.#calls.length + 1,
      sid: `CA${randomBytes(16).toString('hex')}`,
      parentSid,
      answeredBy: null,
      sipCode: null,
      createdAt: at,
      startedAt: given.direction === 'outbound-api' ? null : at,
      answeredAt: null,
      endedAt: null,
      durationSeconds: null,
      price: null,
      queueMs,
      history: [{ status: given.status, at }],
      asked: [],
      callbacks: [],
      heard: [],
      alerts: [],
      streams: [],
      relays: [],
    };
    this.#calls.push(call);
    this.#bySid.set(call.sid, call);
    this.emit('call', call);
    return call;
  }

  setStatus(call: Call, status: CallStatus): void {
    call.status = status;
    call.history.push({ status, at: now() });
    this.emit('update', call);
  }

  change(call: Call, changes: Partial<Call>): void {
    Object.assign(call, changes);
    this.emit('update', call);
  }

  /** Adds to one of the lists of a call. */
  note<K extends 'asked' | 'callbacks' | 'heard' | 'alerts'>(
    call: Call,
    list: K,
    entry: Omit<Call[K][number], 'at'>,
  ): void {
    (call[list] as object[]).push({ ...entry, at: now() });
    this.emit('update', call);
  }

  find(sid: string): Call | undefined {
    return this.#bySid.get(sid);
  }

  after(sequence: number): Call[] {
    return this.#calls.slice(Math.max(0, sequence));
  }
}

export function isFinal(status: CallStatus): status is FinalStatus {
  return status !== 'queued' && status !== 'ringing' && status !== 'in-progress';
}

function now(): string {
  return new Date().toISOString();
}
