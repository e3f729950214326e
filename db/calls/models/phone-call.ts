import { column, json, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** `pending` → `ringing` → `in-progress` (answered) → one of the others, in which a call stays. */
export type CallStatus =
  | 'pending'
  | 'ringing'
  | 'in-progress'
  | 'completed'
  | 'busy'
  | 'no-answer'
  | 'failed'
  | 'canceled';

/** The carrier's word for how a call, or the call that a transfer dialled, ended. */
export type CarrierCallStatus = Extract<
  CallStatus,
  'completed' | 'busy' | 'no-answer' | 'failed' | 'canceled'
>;

/** What the carrier speaks: words, and a language such as `de-DE`. */
export interface SpokenWords {
  text: string;
  language: string;
}

/**
 * Whether the other side agrees to a recording. `told`: it was told, and goes on. `asked`: it has not answered yet. `machine`: a
 * machine has heard the words.
 */
export type RecordingConsent = 'told' | 'asked' | 'agreed' | 'refused' | 'unanswered' | 'machine';

/** A call, from the moment that it is asked for or comes in. Until it has finished it holds the floor of its chat. */
export class PhoneCallModel extends tenantTable('phone_calls', {
  uuid: column<string>(),
  /** Null: an incoming call that was refused. */
  chatId: column<number | null>(),
  phoneNumberId: column<number>(),
  memberId: column<number | null>(),
  inbound: column<boolean>(),
  /** E.164. Null: the caller withholds it, or it was erased. */
  remoteNumber: column<string | null>('personal'),
  carrierCallId: column<string | null>('id'),
  status: column<CallStatus>('code'),
  /** The outcome: a code of `domain/calls/call-endings.ts`. Null while the call is up, and where it is unknown. */
  terminationReason: column<string | null>('code'),
  carrierStatus: column<CarrierCallStatus | null>('code'),
  failureDetail: column<string | null>('code'),
  /** Why the safety gate refused it: a code. */
  blockedReason: column<string | null>('code'),
  agentMemberId: column<number | null>(),
  /** What asked for it; `caller`: an incoming call. */
  begunBy: column<'api' | 'task' | 'agent' | 'caller'>('code'),
  /** The member who asked for it by the API. */
  requestedByMemberId: column<number | null>(),
  /** The task that it is placed for. */
  assignmentTaskId: column<number | null>(),
  /** Identifies the current claim of dialling; known only to the attempt that made it. */
  claimToken: column<string | null>(),
  claimedAt: column<Date | null>(),
  /** Number of requests to the carrier to dial. */
  attempts: column<number>(),
  /** The claimed attempt ended without a result, and the run looks for the call at the carrier. */
  outcomeUnknown: column<boolean>(),
  lookUps: column<number>(),
  /** When the carrier took it. */
  dialedAt: column<Date | null>(),
  /** When it was answered. */
  startedAt: column<Date | null>(),
  finishedAt: column<Date | null>(),
  /** When the carrier was last asked how it is. */
  askedAt: column<Date | null>(),
  /** What ended our part of it: a code of `domain/calls/call-endings.ts`. */
  endedBy: column<string | null>('code'),
  /** When the carrier was told that our part is over: to end the call, or to ask what follows. */
  releasedAt: column<Date | null>(),
  /** When a colleague hung up, and who. */
  hungUpAt: column<Date | null>(),
  hungUpByMemberId: column<number | null>(),
  /** What the carrier heard at the other end, in its words. */
  answeredBy: column<string | null>('code'),
  /** How the transfer ended that succeeded, else the latest; null without one. */
  transferStatus: column<CarrierCallStatus | null>('code'),
  /** Why the safety gate refused the latest transfer that it refused: a code. */
  transferBlockedReason: column<string | null>('code'),
  /** How often the caller has tried to prove who they are. */
  identityTries: column<number>(),
  /** Whether what was entered by keys is right, by question, until the next try. */
  identityKeys: json<Record<string, boolean> | null>('counts'),
  /** When the caller has proved who they are. */
  identityProvedAt: column<Date | null>(),
  /** What was said before the recording; null: nothing, and the call is not recorded. */
  recordingNotice: json<SpokenWords[] | null>('configuration'),
  recordingConsent: column<RecordingConsent | null>('code'),
  /** When the words were spoken, or the question was answered. */
  recordingNoticedAt: column<Date | null>(),
  /** From the answer to the end: as the carrier says, once it has said so, else as measured here. */
  durationSeconds: column<number | null>(),
  /** As measured here. */
  measuredSeconds: column<number | null>(),
  credits: column<number>('number'),
  /** What the carrier charges, as it says. */
  price: column<number | null>('number'),
  priceUnit: column<string | null>('code'),
  /** What it should cost by the prices of the installation, in the same currency. */
  expectedPrice: column<number | null>('number'),
  /** When the carrier is asked what it cost; null where it is not asked any more. */
  billDueAt: column<Date | null>(),
  /** When what follows a finished call was done: events, the task that waits, what is owed by text. */
  settledAt: column<Date | null>(),
  /** When `call:summary` was written. */
  summaryToldAt: column<Date | null>(),
  /** Of the chat, when the state of the call was last changed. */
  revision: column<number>(),
  /** The transaction of that change. */
  changedIn: column<number | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type PhoneCallRow = RowOf<PhoneCallModel>;
