import { ProviderBusy, ProviderOutcomeUnknown, ProviderRefused, ProviderUnusable } from '../failures.js';

/** One text message, ready to be sent. Numbers are E.164. */
export interface OutgoingSms {
  from: string;
  to: string;
  body: string;
  /** How long the carrier may keep it in its queue; absent: as long as the carrier likes. */
  validitySeconds?: number;
  /** Where the carrier reports what became of it; absent: nobody wants to know. */
  statusCallback?: string;
}

/** What a sent message looked like, to recognise it in the carrier's list. */
export interface SmsQuery {
  from: string;
  to: string;
  body: string;
  /** Whether the only message between the two numbers in that time has to be it, whatever its text. */
  soleAttempt?: boolean;
  /** When the attempt was claimed, by our clock: the carrier took the message soon after. */
  claimedAt: Date;
  /** Claims of the other attempts with the same text whose result is not known, in order, before and after this one. */
  claimsBefore?: readonly Date[];
  claimsAfter?: readonly Date[];
  /** Messages that are known to be others. */
  knownIds?: readonly string[];
}

/** A message in the carrier's hands. */
export interface CarrierMessage {
  carrierMessageId: string;
  /** In the carrier's words: accepted, queued, sending, sent, delivered, undelivered, failed … */
  status: string;
  errorCode?: string;
}

/** Which of the messages that came in to list: those received from `since` to `until`, both included. */
export interface InboundQuery {
  since: Date;
  until: Date;
  /** Where the page before left off. */
  page?: string;
}

/** A message that came in. */
export interface ReceivedSms {
  carrierMessageId: string;
  from: string;
  to: string;
  body: string;
  receivedAt: Date;
}

export interface InboundPage {
  messages: ReceivedSms[];
  /** Absent on the last page. */
  nextPage?: string;
}

/** A request that claims to come from the carrier. */
export interface SignedRequest {
  signature: string | undefined;
  /** The full public address the carrier asked for, query included; `wss://…` for a WebSocket upgrade. */
  url: string;
  /** All fields of a form POST; empty for GET and for a WebSocket upgrade. */
  params: Record<string, string>;
}

/**
 * The telephony carrier. Nothing here retries: the durable runs decide about that, by the kinds of error in
 * `providers/failures.ts`. Every method that asks the carrier may fail with `CarrierUnusable`.
 */
export interface Carrier {
  /** The account at the carrier: no secret. */
  readonly account: string;

  /**
   * Sends one SMS. Resolves when the carrier accepted it.
   *
   * @throws CarrierRefused, CarrierBusy, CarrierUnusable when it was certainly not sent
   * @throws CarrierOutcomeUnknown when it may have been
   */
  sendSms(message: OutgoingSms): Promise<CarrierMessage>;

  /**
   * Looks for a message the carrier may have taken, after a crash between claim and result. Resolves to
   * undefined where there is none.
   *
   * @throws CarrierRefused, CarrierBusy when the carrier could not be asked
   */
  findSms(query: SmsQuery): Promise<CarrierMessage | undefined>;

  /**
   * How a message that the carrier took stands now. Resolves to undefined where it knows it no more.
   *
   * @throws CarrierRefused, CarrierBusy when the carrier could not be asked
   */
  smsStatus(carrierMessageId: string): Promise<CarrierMessage | undefined>;

  /**
   * A page of what came in to all numbers of the account.
   *
   * @throws CarrierRefused, CarrierBusy when the carrier could not be asked
   */
  listInbound(query: InboundQuery): Promise<InboundPage>;

  /** Whether the request was signed by the carrier, over the address and all fields. */
  verifySignature(request: SignedRequest): boolean;
}

/** The carrier said no. The message was not sent, and sending it again would not help. */
export class CarrierRefused extends ProviderRefused {
  override readonly name = 'CarrierRefused';

  /**
   * @param code the carrier's error code, such as `21610`, or `http_<status>` where it gave none
   * @param status of the HTTP answer
   */
  constructor(
    code: string,
    readonly status: number,
  ) {
    super('carrier', code, `The carrier refused the request with code ${code} (HTTP ${status}).`);
  }
}

/** The carrier could not be asked or had no room. The message was not sent and may be tried again. */
export class CarrierBusy extends ProviderBusy {
  override readonly name = 'CarrierBusy';

  /**
   * @param code `http_429`, `ECONNREFUSED`
   * @param retryAfterMs how long the carrier asked to wait
   */
  constructor(code: string, retryAfterMs?: number) {
    super('carrier', code, retryAfterMs);
  }
}

/** The request left, and what became of it is unknown. Sending again could reach the person twice. */
export class CarrierOutcomeUnknown extends ProviderOutcomeUnknown {
  override readonly name = 'CarrierOutcomeUnknown';

  /** @param code `timeout`, `ECONNRESET`, `http_502` */
  constructor(code: string) {
    super('carrier', code);
  }
}

/** The credential is wrong, or the account suspended, closed or at its limit: nothing was sent. */
export class CarrierUnusable extends ProviderUnusable {
  override readonly name = 'CarrierUnusable';

  /** @param code the carrier's error code, such as `20003`, or `http_<status>` */
  constructor(code: string) {
    super('carrier', code);
  }
}
