import type {
  CallFact,
  ChatFact,
  DeliveryFact,
  EmailFact,
  Evidence,
  MailedFact,
  MessageFact,
} from './evidence.js';
import type { Entry } from './ledger.js';
import type { Deed, Lane } from './operations.js';

/* What a small storm leaves that went well: tests of the invariants spoil one thing of it at a time. */

export const uuids = {
  guided: '00000000-0000-4000-8000-000000000001',
  simple: '00000000-0000-4000-8000-000000000002',
  assignment: '00000000-0000-4000-8000-000000000003',
  over: '00000000-0000-4000-8000-000000000004',
  first: '00000000-0000-4000-8000-000000000005',
  second: '00000000-0000-4000-8000-000000000006',
  begun: '00000000-0000-4000-8000-000000000007',
  byEmail: '00000000-0000-4000-8000-000000000008',
};
const phone = '+12025550100';
const turn = '00000000-0000-4000-8000-00000000000a';
const member = 10;
const operator = 1;

/** An operation that was accepted at once, at ten times its index. */
export function entry(index: number, deed: Deed, more: Partial<Entry> = {}, lane: Lane = 'person-0'): Entry {
  const isText = deed.kind === 'text' || deed.kind === 'stop' || deed.kind === 'start';
  const startedAt = index * 10;
  return {
    operation: { ...deed, index, lane, paceMs: 0 },
    attempts: [{ marker: `s${index}`, outcome: 'accepted', status: 200, startedAt, endedAt: startedAt + 5 }],
    memberId: member,
    phone,
    ...(isText ? { sid: `SM${index}` } : {}),
    ...more,
  };
}

const chat = (id: number, uuid: string, more: Partial<ChatFact> = {}): ChatFact => ({
  id,
  uuid,
  channel: 'phone-sms',
  title: null,
  summary: null,
  memberId: member,
  createdByMemberId: operator,
  paused: false,
  archived: false,
  needsResponse: false,
  needsResponseReason: null,
  assistantEnabled: true,
  version: 2,
  handledVersion: 2,
  ...more,
});

const message = (id: number, chatId: number, more: Partial<MessageFact>): MessageFact => ({
  id,
  uuid: `message-${id}`,
  chatId,
  role: 'user',
  text: null,
  memberId: member,
  turnUuid: null,
  turnVersion: null,
  carrierMessageId: null,
  smsDeliveryStatus: null,
  ratingComment: null,
  at: id * 10,
  callId: null,
  callItemId: null,
  ...more,
});

const delivery = (
  id: number,
  chatId: number,
  messageId: number,
  more: Partial<DeliveryFact>,
): DeliveryFact => ({
  id,
  chatId,
  messageId,
  messageUuid: `message-${messageId}`,
  channel: 'phone-sms',
  recipient: phone,
  state: 'delivered',
  claimedAt: 20,
  carrierMessageId: 'SMa',
  errorCode: null,
  failureReason: null,
  lookUps: 0,
  receiptAwaited: false,
  ...more,
});

const address = 'ana@example.org';
const email = (id: number, deliveryId: number | null, more: Partial<EmailFact> = {}): EmailFact => ({
  id,
  direction: 'out',
  rfcMessageId: `${id}@inboxes.example`,
  toAddress: address,
  deliveryId,
  ...more,
});
const mailed = (sequence: number, emailId: number, more: Partial<MailedFact> = {}): MailedFact => ({
  sequence,
  rfcMessageId: `${emailId}@inboxes.example`,
  to: [address],
  answered: true,
  reports: [],
  ...more,
});
const emailDelivery = (id: number, messageId: number, more: Partial<DeliveryFact> = {}): DeliveryFact =>
  delivery(id, 4, messageId, {
    channel: 'email',
    recipient: address,
    state: 'sent',
    carrierMessageId: null,
    ...more,
  });

const call = (id: number, more: Partial<CallFact> = {}): CallFact => ({
  id,
  uuid: uuids.first,
  chatId: 3,
  remoteNumber: phone,
  status: 'completed',
  carrierCallId: null,
  attempts: 1,
  createdAt: 10_000,
  answeredAt: 11_000,
  finishedAt: 40_000,
  isSettled: true,
  ...more,
});

const assignment = { memberId: member, status: 'active', currentTaskId: 32 } as const;

const said = (text: string, smsDeliveryStatus: string): Partial<MessageFact> => ({
  role: 'assistant',
  text,
  memberId: operator,
  smsDeliveryStatus,
});

/** Fresh each time: spoil it as you like. */
export function calm(): Evidence {
  return {
    operatorMemberId: operator,
    ledger: [
      entry(0, { kind: 'open_sms_chat', guided: true }, { chatId: 1, assignmentId: 20 }),
      entry(1, { kind: 'text', says: 'the open room', times: 2 }),
      entry(2, { kind: 'select', chat: 0, room: 'Open' }, { chatId: 1, assignmentId: 20 }),
      entry(3, { kind: 'open_web_chat', guided: false }, { chatId: 2 }),
      entry(4, { kind: 'take_over', chat: 3 }, { chatId: 2 }),
      entry(5, { kind: 'begin_assignment' }),
      entry(6, { kind: 'cancel', chat: 5 }, { assignmentId: 21 }),
      entry(7, { kind: 'stop' }),
      entry(8, { kind: 'describe_member' }),
      entry(9, { kind: 'publish' }, {}, 'desk'),
      entry(10, { kind: 'upload', kilobytes: 1 }, { fileId: 40 }),
      entry(11, { kind: 'upload_version', file: 10, kilobytes: 1 }, { fileId: 40 }),
      entry(12, { kind: 'upload', kilobytes: 1 }, { fileId: 41 }),
      entry(13, { kind: 'delete_file', file: 12 }, { fileId: 41 }),
      entry(14, { kind: 'speak_as_assistant', chat: 5 }, { chatId: 3 }),
      entry(15, { kind: 'rate', chat: 0, rating: 1 }, { chatId: 1, messageUuid: uuids.first }),
      entry(16, { kind: 'rate', chat: 0, rating: 0 }, { chatId: 1, messageUuid: uuids.first }),
      entry(17, { kind: 'summarize', chat: 0 }, { chatId: 1 }),
      entry(18, { kind: 'open_email_chat' }, { chatId: 4 }),
      entry(
        19,
        { kind: 'email', chat: 18, says: 'good morning', times: 2, replies: true },
        { chatId: 4, replied: true },
      ),
      entry(
        20,
        { kind: 'email', chat: 18, says: 'good morning', times: 1, replies: true },
        { chatId: 4, replied: false },
      ),
      entry(21, { kind: 'take_over', chat: 18 }, { chatId: 4 }),
      entry(22, { kind: 'call', chat: 5, taken: 'talks' }, { chatId: 3 }),
      entry(23, { kind: 'publish_page', isScheduled: false }, {}, 'desk'),
      entry(24, { kind: 'publish_page', isScheduled: true }, {}, 'desk'),
    ],
    chats: [
      chat(1, uuids.guided, { title: 's0', summary: 'About rooms.' }),
      chat(2, uuids.simple, { title: 's3', channel: 'web-chat', paused: true }),
      chat(3, uuids.begun, { paused: true }),
      chat(4, uuids.byEmail, {
        channel: 'email',
        title: 's18',
        assistantEnabled: false,
        needsResponse: true,
        needsResponseReason: 'delivery_failed',
      }),
    ],
    messages: [
      message(100, 1, { text: 's1 the open room', carrierMessageId: 'SM1' }),
      message(101, 1, {
        role: 'assistant',
        text: 'You are in the open room.',
        uuid: uuids.first,
        turnUuid: turn,
        turnVersion: 2,
        smsDeliveryStatus: 'delivered',
        ratingComment: 's16',
      }),
      message(102, 2, { role: 'assistant', text: 's4 a colleague writes', memberId: operator }),
      message(103, 1, { text: 'STOP', carrierMessageId: 'SM7' }),
      message(104, 1, { role: 'assistant', text: 'You are unsubscribed.', memberId: null }),
      message(105, 3, {
        role: 'assistant',
        text: 'Welcome to the hall.',
        uuid: uuids.second,
        smsDeliveryStatus: 'sent',
      }),
      message(106, 3, { role: 'system', text: 'A follow-up is due: Ask again.', memberId: null }),
      message(107, 3, { text: 'the open room', at: 12_000, callId: 70, callItemId: '1.item_1' }),
      message(108, 3, {
        role: 'assistant',
        text: 'You are in the open room.',
        at: 13_000,
        callId: 70,
        callItemId: '1.item_2',
      }),
      message(110, 3, { role: 'system', text: 'Handed over by the operator: s14', memberId: null }),
      message(111, 3, { role: 'assistant', text: 's14 a colleague writes', memberId: operator }),
      message(120, 4, said('s18 a colleague writes', 'sent')),
      message(121, 4, { text: 's19 good morning' }),
      message(122, 4, { text: 'Question\n\ns20 good morning' }),
      message(123, 4, said('s21 a colleague writes', 'failed')),
      message(124, 4, said('Again', 'failed')),
      message(125, 4, said('And again', 'failed')),
    ],
    deliveries: [
      delivery(200, 1, 101, { messageUuid: uuids.first }),
      delivery(201, 3, 105, {
        messageUuid: uuids.second,
        state: 'sent',
        claimedAt: 60,
        carrierMessageId: 'SMb',
        receiptAwaited: true,
      }),
      emailDelivery(210, 120),
      // The connection broke after the whole email.
      emailDelivery(211, 123, { state: 'failed', failureReason: 'unknown_outcome' }),
      emailDelivery(212, 124, { state: 'failed', errorCode: '5.7.1', failureReason: 'email_refused' }),
      // It was reported after it was taken.
      emailDelivery(213, 125, { state: 'failed', errorCode: '5.7.1', failureReason: 'email_refused' }),
    ],
    emails: [
      email(50, 210),
      email(51, null, { direction: 'in', toAddress: 'desk@inboxes.example' }),
      email(52, 211),
      email(53, 212),
      email(54, 213),
    ],
    mailed: [mailed(1, 50), mailed(2, 52, { answered: false }), mailed(3, 54, { reports: [503, 202] })],
    received: [
      { id: 60, state: 'chat', reason: null },
      { id: 61, state: 'report', reason: 'failed' },
    ],
    cameIn: [
      { sid: 'SM1', from: phone },
      { sid: 'SM7', from: phone },
    ],
    carried: [
      carriedFact(1, 'SMa', uuids.first, true),
      // Its receipt got lost.
      carriedFact(2, 'SMb', uuids.second, false),
      // An answer in TwiML.
      { ...carriedFact(3, 'SMc', '', false), messageUuid: null, attempt: null },
    ],
    assignments: [
      { ...assignment, id: 20, uuid: uuids.assignment, chatId: 1 },
      { ...assignment, id: 21, uuid: uuids.over, chatId: 3, status: 'cancelled', currentTaskId: 33 },
    ],
    calls: [call(70, { carrierCallId: 'CA1' })],
    dialled: [{ sid: 'CA1', to: phone, status: 'completed', isOver: true }],
    tasks: [
      { id: 31, assignmentId: 20, name: 'Hall', visited: true },
      { id: 32, assignmentId: 20, name: 'Open', visited: true },
      { id: 34, assignmentId: 20, name: 'Locked', visited: false },
      { id: 33, assignmentId: 21, name: 'Hall', visited: true },
    ],
    visits: [
      { id: 1, assignmentId: 20, taskId: 31, fromTaskId: null, requestUuid: null, enteredBy: 'automatic' },
      { id: 2, assignmentId: 20, taskId: 32, fromTaskId: 31, requestUuid: turn, enteredBy: 'operator' },
      { id: 3, assignmentId: 21, taskId: 33, fromTaskId: null, requestUuid: null, enteredBy: 'automatic' },
    ],
    followUps: [{ id: 6, chatId: 3, firedAt: 70, cancelledAt: null }],
    revisions: [{ id: 5, name: 's9', published: true, active: true }],
    pages: [{ id: 90, title: 's24', isScheduled: false }],
    members: [{ id: member, description: 's8' }],
    optedOut: [phone],
    outbox: [],
    events: [
      ...[1, 2, 3, 4].map((chatId) => ({ eventType: 'chat:created', chatId, filename: null })),
      { eventType: 'file:created', chatId: null, filename: 's10.txt' },
      { eventType: 'file:updated', chatId: null, filename: 's11.txt' },
      { eventType: 'file:created', chatId: null, filename: 's12.txt' },
      { eventType: 'file:deleted', chatId: null, filename: 's12.txt' },
    ],
    mistold: [],
    files: [{ id: 40, filename: 's11.txt', mimeType: 'text/plain', indexingState: 'indexed' }],
    storage: {
      versions: [
        { fileId: 40, number: 1, objectUuid: uuids.first, bytes: 3 },
        { fileId: 40, number: 2, objectUuid: uuids.second, bytes: 4 },
      ],
      mails: [{ id: 61, objectUuid: uuids.byEmail }],
      sounds: [],
      objects: [
        { uuid: uuids.first, state: 'stored', bytes: 3, sha256: 'aa' },
        { uuid: uuids.byEmail, state: 'stored', bytes: 5, sha256: 'ee' },
        { uuid: uuids.second, state: 'stored', bytes: 4, sha256: 'bb' },
      ],
      kept: [
        { uuid: uuids.first, bytes: 3, sha256: 'aa' },
        { uuid: uuids.byEmail, bytes: 5, sha256: 'ee' },
        { uuid: uuids.second, bytes: 4, sha256: 'bb' },
      ],
      usedBytes: 12,
    },
    turnsAsked: [turn],
    turnsAnswered: [{ turn, at: 1_010 }],
    runs: [
      run(`assignment-${uuids.assignment}`, 'runAssignment', 'RUNNING'),
      run(`assignment-${uuids.over}`, 'runAssignment', 'CANCELLED'),
      run(`call-${uuids.first}`, 'runVoiceCall', 'COMPLETED'),
      run(`deliveries-${uuids.begun}`, 'deliverMessages', 'COMPLETED'),
      run(`chat-${uuids.simple}`, 'answerChat', 'COMPLETED'),
    ],
    deaths: [],
  };
}

export function run(workflowId: string, type: string, status: string) {
  return { workflowId, runId: `run of ${workflowId}`, type, status, failedTasks: [] as string[] };
}

export function carriedFact(sequence: number, sid: string, messageUuid: string, endTold: boolean) {
  const settled = { status: 'delivered', errorCode: null as string | null, attempt: 1 as number | null };
  return { sequence, sid, to: phone, messageUuid: messageUuid as string | null, endTold, ...settled };
}
