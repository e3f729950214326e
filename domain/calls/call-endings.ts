import type { CallBridgeRow } from '../../db/calls/call-bridges.js';
import type { CarrierCallStatus, PhoneCallRow } from '../../db/calls/phone-calls.js';

/** The outcome of a call, as the service sees it (specification: PhoneCallResponse). */
export type TerminationReason =
  /** The agent ended it, or a colleague hung up. */
  | 'hangup'
  /** It was transferred, or was to be: the carrier's status says how that ended. */
  | 'forward'
  /** A person took over from the agent. */
  | 'handoff'
  /** The other side hung up. */
  | 'completed'
  | 'voice_disabled'
  | 'anonymous_rejected'
  | 'blocked_outbound_safety'
  | 'voicemail'
  | 'amd_unknown';

export type FailureDetail =
  /** The connection with the carrier's stream broke, or the process that held it died. */
  | 'connection_reset'
  /** The carrier reports an error of its stream. */
  | 'stream_reset'
  /** The call was answered, and its sound never reached the service. */
  | 'never_connected'
  /** A deadline passed: of dialling, of an answer of the carrier, or of the longest call. */
  | 'timeout'
  /** The carrier refused to dial. */
  | 'bridge_call_create_failed'
  /** The carrier answered without the id of a call. */
  | 'bridge_call_create_missing_sid'
  | `fax_${string}`
  | 'error';

/** What ended our part of a call (`ended_by`), before the carrier reports its end. */
export type EndedBy =
  | 'agent'
  /** A colleague hung up. */
  | 'hung_up'
  | 'transfer'
  | 'handoff'
  | 'voicemail'
  | 'amd_unknown'
  | 'fax'
  | 'deadline'
  | 'voice_disabled'
  | 'anonymous_rejected'
  | 'busy'
  /** It came outside of business hours: the caller was told so. */
  | 'closed'
  /** The model could not be reached (any more). */
  | 'model'
  /** No stream began, although the carrier was asked for one. */
  | 'no_stream';

/** What is known of a call that has ended. */
export interface CallFacts
  extends Pick<
    PhoneCallRow,
    'startedAt' | 'blockedReason' | 'answeredBy' | 'transferStatus' | 'failureDetail' | 'carrierStatus'
  > {
  endedBy: string | null;
  /** In the order of their attempts. */
  bridges: readonly Pick<CallBridgeRow, 'beganAt' | 'endedAt' | 'endReason'>[];
  /** Whether the other side said something. */
  wasHeard: boolean;
}

export interface CallEnding {
  status: CarrierCallStatus;
  /** Null where the call came to no outcome: it was not answered, or failed. */
  terminationReason: TerminationReason | null;
  carrierStatus: CarrierCallStatus | null;
  failureDetail: string | null;
}

/** Decides, and nothing else does, what is recorded of a call that has ended. */
export function endingOf(facts: CallFacts): CallEnding {
  const carrierStatus = statusOf(facts);
  return {
    status: facts.carrierStatus ?? statusWithoutCarrier(facts),
    terminationReason: reasonOf(facts),
    carrierStatus,
    failureDetail: detailOf(facts),
  };
}

/** Of a transfer, the status is that of the call that it dialled; the caller may have hung up meanwhile. */
function statusOf(facts: CallFacts): CarrierCallStatus | null {
  if (isTransferred(facts)) return facts.transferStatus ?? 'canceled';
  return facts.carrierStatus;
}

/** The carrier never had the call, or has not said how it ended. */
function statusWithoutCarrier({ blockedReason, endedBy, failureDetail }: CallFacts): CarrierCallStatus {
  if (endedBy === 'busy') return 'busy';
  if (endedBy === 'closed') return 'completed';
  if (blockedReason !== null || isPolicy(endedBy) || endedBy === 'handoff' || endedBy === 'hung_up') {
    return 'canceled';
  }
  return failureDetail === null ? 'completed' : 'failed';
}

function reasonOf(facts: CallFacts): TerminationReason | null {
  const { blockedReason, endedBy, startedAt } = facts;
  if (endedBy === 'closed') return 'voice_disabled';
  if (blockedReason !== null) return 'blocked_outbound_safety';
  if (isPolicy(endedBy)) return endedBy;
  if (isTransferred(facts)) return 'forward';
  if (endedBy === 'agent' || endedBy === 'hung_up') return 'hangup';
  if (endedBy === 'handoff' || endedBy === 'voicemail' || endedBy === 'amd_unknown') return endedBy;
  if (startedAt === null || detailOf(facts) !== null || endedBy !== null) return null;
  // The detection could not tell a person from a machine, and nothing was heard that would.
  return facts.answeredBy === 'unknown' && !facts.wasHeard ? 'amd_unknown' : 'completed';
}

/** The first reason stays: what is recorded while the call goes, then what its streams say. */
function detailOf(facts: CallFacts): string | null {
  const { failureDetail, endedBy, startedAt, blockedReason, carrierStatus } = facts;
  if (failureDetail !== null) return failureDetail;
  if (blockedReason !== null || isPolicy(endedBy) || isTransferred(facts)) return null;
  if (endedBy === 'deadline') return 'timeout';
  if (endedBy === 'model') return 'error';
  if (endedBy === 'no_stream') return detailOfBridges(facts) ?? 'connection_reset';
  if (endedBy !== null) return null;
  if (startedAt === null) return carrierStatus === 'failed' ? 'error' : null;
  return detailOfBridges(facts) ?? (carrierStatus === 'failed' ? 'error' : null);
}

const details: Readonly<Record<string, FailureDetail>> = {
  closed: 'connection_reset',
  lost: 'connection_reset',
  stream_error: 'stream_reset',
  model_lost: 'error',
};

/** What became of the last stream that began. One that still stands ended with the call. */
function detailOfBridges({ bridges }: CallFacts): FailureDetail | undefined {
  const last = bridges.findLast(({ beganAt }) => beganAt !== null);
  if (last === undefined) return 'never_connected';
  return last.endReason === null ? undefined : details[last.endReason];
}

function isTransferred({ endedBy, transferStatus }: CallFacts): boolean {
  return endedBy === 'transfer' || transferStatus !== null;
}

function isPolicy(endedBy: string | null): endedBy is 'voice_disabled' | 'anonymous_rejected' {
  return endedBy === 'voice_disabled' || endedBy === 'anonymous_rejected';
}

/** The better of two results of transfers: one that succeeded stays, else the later one counts. */
export function transferStatusAfter(
  before: CarrierCallStatus | null,
  now: CarrierCallStatus,
): CarrierCallStatus {
  return before === 'completed' ? before : now;
}

const dialled: Readonly<Record<string, CarrierCallStatus>> = {
  completed: 'completed',
  answered: 'completed',
  busy: 'busy',
  'no-answer': 'no-answer',
  failed: 'failed',
  canceled: 'canceled',
};

/** What the result of a `<Dial>` means. @param isJoined false: who answered left before the caller was there */
export function dialStatusOf(word: string, isJoined = true): CarrierCallStatus {
  const status = (Object.hasOwn(dialled, word) ? dialled[word] : undefined) ?? 'failed';
  return status === 'completed' && !isJoined ? 'no-answer' : status;
}
