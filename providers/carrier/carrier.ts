import { ProviderBusy, ProviderOutcomeUnknown, ProviderRefused, ProviderUnusable } from '../failures.js';
import type { CarrierCalls } from './carrier-calls.js';
import type { CarrierPrice } from './carrier-price.js';

/**
 * Suffix for the URLs of the carrier's webhooks. By its documentation of connection overrides, the carrier then repeats
 * a request that failed or got an error, five times within 15 seconds; without it, failed connections only, once.
 */
export const connectionOverrides = '#rc=5&rp=all';

/** One SMS, ready to be sent. Numbers are E.164. */
export interface OutgoingSms {
  from: string;
  to: string;
  body: string;
  /** Public addresses from which the carrier fetches pictures and other media; with them, the message is an MMS. */
  mediaUrls?: readonly string[];
  /** How long the carrier may keep the message in its queue; absent: the carrier's default. */
  validitySeconds?: number;
  /** URL for the carrier's delivery receipts; absent: no receipts. */
  statusCallback?: string;
}

/** Properties of a sent message, to find it in the carrier's list. */
export interface SmsQuery extends Pick<OutgoingSms, 'from' | 'to' | 'body'> {
  /** If true, the only message between the two numbers in that time is a match whatever its text. */
  soleAttempt?: boolean;
  /** When the attempt was claimed, by the service's clock. The carrier accepted the message shortly afterwards. */
  claimedAt: Date;
  /** Claim times of the other attempts with the same text and no result, in order, before and after this one. */
  claimsBefore?: readonly Date[];
  claimsAfter?: readonly Date[];
  knownIds?: readonly string[];
}

export interface CarrierMessage {
  carrierMessageId: string;
  /** The carrier's own status: accepted, queued, sending, sent, delivered, undelivered, failed … */
  status: string;
  errorCode?: string;
}

/** Selects messages that were sent or received from `since` to `until`, both inclusive. */
export interface ListQuery {
  since: Date;
  until: Date;
  page?: string;
}

export interface ReceivedSms extends Pick<OutgoingSms, 'from' | 'to' | 'body'> {
  carrierMessageId: string;
  receivedAt: Date;
  /** The number of pictures and other media that came with it. */
  mediaCount: number;
}

export interface InboundPage {
  messages: ReceivedSms[];
  nextPage?: string;
}

/** A message of either direction, as the carrier bills it. */
export interface BilledSms extends Pick<OutgoingSms, 'from' | 'to'> {
  carrierMessageId: string;
  inbound: boolean;
  sentAt: Date;
  segments: number;
  /** Absent until it is billed, which some messages never are. */
  price?: CarrierPrice;
}

export interface BilledPage {
  messages: BilledSms[];
  nextPage?: string;
}

export interface MediaRef {
  carrierMessageId: string;
  mediaId: string;
}

/** Media that are being fetched. A failure of the connection while they are read is CarrierBusy. */
export interface FetchedMedia {
  /** As the carrier says, which says nothing about the bytes. */
  mimeType: string;
  bytes: AsyncIterable<Uint8Array>;
}

/** A request that may come from the carrier; its signature is not yet verified. */
export interface SignedRequest {
  signature: string | undefined;
  /** The full public URL that the carrier requested, query included; `wss://…` for a WebSocket upgrade. */
  url: string;
  /** All fields of a form POST; empty for GET and for a WebSocket upgrade. */
  params: Record<string, string>;
}

/**
 * The telephony carrier. It never retries: durable runs decide about that, by the classes of `providers/failures.ts`.
 * Every call may fail with CarrierUnusable; look-ups also with CarrierRefused and CarrierBusy.
 */
export interface Carrier {
  /** The account id at the carrier; not a secret. */
  readonly account: string;
  readonly calls: CarrierCalls;
  /**
   * Resolves when the carrier has accepted the message. It was certainly not sent with CarrierRefused, CarrierBusy or
   * CarrierUnusable, and may have been sent with CarrierOutcomeUnknown.
   */
  sendSms(message: OutgoingSms): Promise<CarrierMessage>;
  /** Looks for a message that the carrier may have accepted, after a crash between claim and result. */
  findSms(query: SmsQuery): Promise<CarrierMessage | undefined>;
  /** The current status of a message that the carrier accepted; undefined if the carrier no longer has it. */
  smsStatus(carrierMessageId: string): Promise<CarrierMessage | undefined>;
  listInbound(query: ListQuery): Promise<InboundPage>;
  /** All messages of the account, whoever sent them, with what they cost. */
  listBilled(query: ListQuery): Promise<BilledPage>;
  /** Ids of the media of a message, in the carrier's order. @throws MediaMissing if it has no such message (yet) */
  listMedia(carrierMessageId: string): Promise<string[]>;
  /** @throws MediaMissing if they are not there yet, or not any more */
  fetchMedia(media: MediaRef, signal: AbortSignal): Promise<FetchedMedia>;
  /** Whether the carrier signed the request. The signature covers the URL and all fields. */
  verifySignature(request: SignedRequest): boolean;
}

/** The carrier rejected the message. It was not sent, and sending it again would not help. */
export class CarrierRefused extends ProviderRefused {
  /** @param code the carrier's error code, such as `21610`, or `http_<status>` if it gave none */
  constructor(
    code: string,
    readonly status: number,
  ) {
    super('carrier', code, `The carrier refused the request with code ${code} (HTTP ${status}).`);
  }
}

export class CarrierBusy extends ProviderBusy {
  /** @param code such as `http_429`, `ECONNREFUSED` */
  constructor(code: string, retryAfterMs?: number) {
    super('carrier', code, retryAfterMs);
  }
}

/** The request was sent, and its outcome is unknown. Sending it again could deliver the message twice. */
export class CarrierOutcomeUnknown extends ProviderOutcomeUnknown {
  constructor(code: string) {
    super('carrier', code);
  }
}

/** The credential is wrong, or the account is suspended, closed or at its limit. Nothing was sent. */
export class CarrierUnusable extends ProviderUnusable {
  /** @param code the carrier's error code, such as `20003`, or `http_<status>` */
  constructor(code: string) {
    super('carrier', code);
  }
}

/** The carrier has no such media: not yet, or not any more. */
export class MediaMissing extends ProviderRefused {
  constructor() {
    super('carrier', 'missing', 'The media are not at the carrier.');
  }
}
