import type { CarrierPrice } from './carrier-price.js';

/** A call to be dialled. Numbers are E.164, addresses public and absolute. */
export interface OutgoingCall {
  from: string;
  to: string;
  /** Answers with TwiML once the call is answered; the carrier posts to it, and may ask more than once. */
  url: string;
  /** Gets `initiated`, `ringing`, `in-progress` and the final status, each by POST: late, twice, unordered or never. */
  statusCallback: string;
  /** How long it rings before it ends as `no-answer`; the carrier adds up to five seconds. Absent: 60. */
  ringSeconds?: number;
  /** The carrier ends the call after this time; absent: four hours. */
  maxSeconds?: number;
  /** Detection beside the call, which does not wait for it; absent: none. */
  machineDetection?: MachineDetection;
}

export interface MachineDetection {
  /** `greeting_end` reports a machine only once its greeting has ended, so that a message can be left. */
  reportAt: 'recognition' | 'greeting_end';
  /** Gets `AnsweredBy` and `MachineDetectionDuration`, by POST. */
  callback: string;
  /** After this time the result is `unknown`; absent: 30. */
  timeoutSeconds?: number;
}

/** Properties of a dialled call, to find it in the carrier's list. */
export interface CallQuery extends Pick<OutgoingCall, 'from' | 'to'> {
  /** When the attempt was claimed, by the service's clock. The carrier took the call shortly afterwards. */
  claimedAt: Date;
  /** Claim times of other attempts between the two numbers with no result, in order, before and after this one. */
  claimsBefore?: readonly Date[];
  claimsAfter?: readonly Date[];
  knownIds?: readonly string[];
}

export interface CarrierCall {
  carrierCallId: string;
  /** The carrier's own: queued, ringing, in-progress; then completed, busy, no-answer, failed or canceled. */
  status: string;
  /** When it was dialled; by the carrier's clock, in whole seconds. */
  startedAt?: Date;
  endedAt?: Date;
  /** Absent until an answered call has ended. */
  durationSeconds?: number;
  /** What the account pays for the connection. Absent until it is billed. */
  price?: CarrierPrice;
  /** `human`, or what kind of machine; absent without a detection. */
  answeredBy?: string;
}

/** What a call is to do from now on: TwiML of at most 4,000 characters, or an address that answers with TwiML to a POST. */
export type CallInstructions = { twiml: string } | { url: string };

/**
 * The calls of a carrier. As with messages it never retries, and every call may fail with CarrierUnusable; look-ups also
 * with CarrierRefused and CarrierBusy.
 */
export interface CarrierCalls {
  /**
   * Resolves when the carrier has taken the call, before it is dialled. It is certainly not dialled with CarrierRefused,
   * CarrierBusy or CarrierUnusable, and may be dialled with CarrierOutcomeUnknown.
   */
  create(call: OutgoingCall): Promise<CarrierCall>;
  /** Looks for a call that the carrier may have taken, after a crash between claim and result. */
  find(query: CallQuery): Promise<CarrierCall | undefined>;
  /** Undefined if the carrier no longer has the call. */
  status(carrierCallId: string): Promise<CarrierCall | undefined>;
  /**
   * Hangs up a call in any status; harmless if it has ended, and if it is repeated. The status that it returns may be
   * that before the end. Undefined if the carrier no longer has the call. @throws CarrierBusy, CarrierRefused
   */
  end(carrierCallId: string): Promise<CarrierCall | undefined>;
  /**
   * Gives a call that is in progress other instructions, which close its stream. Undefined if it is not in progress.
   * @throws CarrierBusy, CarrierRefused, and CarrierOutcomeUnknown if it may be following them already
   */
  redirect(carrierCallId: string, to: CallInstructions): Promise<CarrierCall | undefined>;
}
