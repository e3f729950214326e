import type { BytesAndRows } from '../../support/files/bytes-and-rows.js';
import type { Entry } from './ledger.js';

/* What is there after a storm: plain facts, read from where they lie and compared by the invariants. */

export interface ChatFact {
  id: number;
  uuid: string;
  channel: string;
  title: string | null;
  summary: string | null;
  memberId: number;
  createdByMemberId: number | null;
  paused: boolean;
  archived: boolean;
  needsResponse: boolean;
  needsResponseReason: string | null;
  assistantEnabled: boolean;
  version: number;
  handledVersion: number;
}

export interface MessageFact {
  id: number;
  uuid: string;
  chatId: number;
  role: 'user' | 'assistant' | 'system' | 'tool';
  /** Null for tool calls. */
  text: string | null;
  memberId: number | null;
  turnUuid: string | null;
  turnVersion: number | null;
  carrierMessageId: string | null;
  smsDeliveryStatus: string | null;
  ratingComment: string | null;
  /** When it was stored, in milliseconds. */
  at: number;
  /** The call in which it was said. */
  callId: number | null;
  callItemId: string | null;
}

/** A call of ours; times in milliseconds. */
export interface CallFact {
  id: number;
  uuid: string;
  chatId: number;
  remoteNumber: string;
  status: string;
  carrierCallId: string | null;
  /** How often it was claimed to be dialled. */
  attempts: number;
  createdAt: number;
  answeredAt: number | null;
  finishedAt: number | null;
  isSettled: boolean;
}

/** A call that the carrier has dialled for us. */
export interface DialledFact {
  sid: string;
  to: string;
  status: string;
  isOver: boolean;
}

export interface DeliveryFact {
  id: number;
  chatId: number;
  messageId: number;
  messageUuid: string;
  channel: 'phone-sms' | 'email';
  recipient: string;
  state: 'queued' | 'claimed' | 'sent' | 'delivered' | 'failed';
  claimedAt: number | null;
  carrierMessageId: string | null;
  errorCode: string | null;
  failureReason: string | null;
  /** How often the carrier was asked what became of the claimed attempt. */
  lookUps: number;
  /** Whether the carrier will be asked when its receipt stays out. */
  receiptAwaited: boolean;
}

export interface AssignmentFact {
  id: number;
  uuid: string;
  chatId: number;
  memberId: number;
  status: 'active' | 'completed' | 'cancelled' | 'failed';
  currentTaskId: number | null;
}

export interface VisitFact {
  id: number;
  assignmentId: number;
  taskId: number;
  fromTaskId: number | null;
  requestUuid: string | null;
  enteredBy: 'agent' | 'member' | 'operator' | 'automatic';
}

export interface RunFact {
  workflowId: string;
  runId: string;
  type: string;
  status: string;
  failedTasks: string[];
}

export interface CarriedFact {
  /** Its place in all the carrier's traffic. */
  sequence: number;
  sid: string;
  to: string;
  status: string;
  errorCode: string | null;
  /** Of ours, by the address of the status callback; absent for answers in TwiML. */
  messageUuid: string | null;
  attempt: number | null;
  /** Whether the last status was told and taken. */
  endTold: boolean;
}

/** What is stored of an email to a member, or from one. */
export interface EmailFact {
  id: number;
  direction: 'in' | 'out';
  /** The Message-ID, without angle brackets. */
  rfcMessageId: string;
  toAddress: string;
  deliveryId: number | null;
}

/** What the mail server has taken. */
export interface MailedFact {
  sequence: number;
  /** The Message-ID, without angle brackets. */
  rfcMessageId: string;
  to: string[];
  /** Whether it said so. */
  answered: boolean;
  /** How its reports that it was not delivered were answered. */
  reports: number[];
}

export interface Evidence {
  ledger: readonly Entry[];
  operatorMemberId: number;
  chats: ChatFact[];
  messages: MessageFact[];
  deliveries: DeliveryFact[];
  assignments: AssignmentFact[];
  calls: CallFact[];
  dialled: DialledFact[];
  tasks: { id: number; assignmentId: number; name: string; visited: boolean }[];
  visits: VisitFact[];
  revisions: { id: number; name: string; published: boolean; active: boolean }[];
  /** What visitors read of pages that an operation has written. */
  pages: { id: number; title: string; isScheduled: boolean }[];
  followUps: { id: number; chatId: number; firedAt: number | null; cancelledAt: number | null }[];
  members: { id: number; description: string | null }[];
  optedOut: string[];
  outbox: { runType: string; subject: string; parked: boolean; errorCode: string | null }[];
  /** What receivers would be told, and of which chat or of what name of a file where it is of one. */
  events: { eventType: string; chatId: number | null; filename: string | null }[];
  /** Facts with the events that they should have and the number that they have, where these differ. */
  mistold: { fact: string; wanted: number; told: number }[];
  /** With the name, the kind and the state of the current version. */
  files: { id: number; filename: string; mimeType: string; indexingState: string }[];
  /** Once the collector has been through. */
  storage: BytesAndRows;
  /** Turns for which a model's answer was paid. */
  turnsAsked: string[];
  /** When a model had first answered in each, in milliseconds. */
  turnsAnswered: { turn: string; at: number }[];
  runs: RunFact[];
  carried: CarriedFact[];
  emails: EmailFact[];
  mailed: MailedFact[];
  /** What became of mail that came to the inbox. */
  received: { id: number; state: string; reason: string | null }[];
  cameIn: { sid: string; from: string }[];
  deaths: string[];
  /** What was still going on when patience was over; absent when all was quiet. */
  unrest?: string;
}

/** What is true after any storm, by name: one line for each violation, which says what to look at. */
export type Invariants = Readonly<Record<string, (evidence: Evidence) => string[]>>;
