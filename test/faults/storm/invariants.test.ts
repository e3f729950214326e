import { describe, expect, it } from 'vitest';
import { absenceNotice, agentBounds } from './agents.js';
import { calm, carriedFact, entry, run, uuids } from './calm.js';
import type { Evidence } from './evidence.js';
import { invariants, violations } from './invariants/index.js';

type Spoil = (evidence: Evidence) => unknown;
type Rows =
  | 'chats'
  | 'messages'
  | 'deliveries'
  | 'assignments'
  | 'tasks'
  | 'visits'
  | 'calls'
  | 'followUps'
  | 'members'
  | 'files';
type Lists = Rows | 'runs' | 'revisions' | 'optedOut' | 'turnsAsked' | 'events';

/** The row with this id. @throws if there is none, because the test would then change nothing */
function the<T extends { id: number }>(rows: readonly T[], id: number): T {
  const row = rows.find((candidate) => candidate.id === id);
  if (row === undefined) throw new Error(`there is no ${id}`);
  return row;
}

function change(rows: Rows, id: number, values: object): Spoil {
  return (evidence) => Object.assign(the<{ id: number }>(evidence[rows], id), values);
}

function again(rows: Rows | 'revisions', id: number, values: object): Spoil {
  return (evidence) => {
    const all: { id: number }[] = evidence[rows];
    all.push({ ...the(all, id), ...values });
  };
}

function without(list: Lists, index: number): Spoil {
  return (evidence) => {
    const all: unknown[] = evidence[list];
    all.splice(index, 1);
  };
}

function answered(operation: number, values: object): Spoil {
  return ({ ledger }) => {
    const [first] = ledger[operation]?.attempts ?? [];
    if (first === undefined) throw new Error(`there is no operation ${operation}`);
    Object.assign(first, values);
  };
}

function carrier(index: number, values: object): Spoil {
  return ({ carried }) => Object.assign(carried[index] ?? {}, values);
}

const hasRun =
  (workflowId: string, type: string, status = 'RUNNING'): Spoil =>
  ({ runs }) =>
    runs.push(run(workflowId, type, status));
const told =
  (chatId: number): Spoil =>
  ({ events }) =>
    events.push({ eventType: 'chat:created', chatId, filename: null });
const turnUuidOf = (turn: number) => `00000000-0000-4000-9000-${String(turn).padStart(12, '0')}`;
const parked = { runType: 'answerChat', subject: uuids.simple, parked: true, errorCode: 'grpc_3' };
const bytesAgree = 'bytes-agree-with-rows';
const stored =
  (list: 'kept' | 'objects', values: object): Spoil =>
  ({ storage }) =>
    Object.assign(storage[list][0] ?? {}, values);
const agrees = 'delivery-agrees-with-carrier';
const givenUp = { state: 'failed', failureReason: 'unknown_outcome' };
const alsoCarried =
  (uuid: string, more: object = {}): Spoil =>
  ({ carried }) =>
    carried.push({ ...carriedFact(4, 'SMd', uuid, true), ...more });
const replayFailure = 'WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR';

const page =
  (values: object): Spoil =>
  ({ pages }) =>
    Object.assign(pages[0] ?? {}, values);
const mail =
  (index: number, values: object): Spoil =>
  ({ mailed }) =>
    Object.assign(mailed[index] ?? {}, values);
const mailAgrees = 'email-agrees-with-mail-server';
const inItsChat = 'mail-is-in-its-chat';

const dialledAgain =
  (more: object): Spoil =>
  ({ dialled }) =>
    dialled.push({ ...(dialled[0] as Evidence['dialled'][number]), ...more });

/** Violations by the invariant that must detect them. */
const spoiled: [string, string, Spoil][] = [
  ['comes-to-rest', 'something goes on', (evidence) => Object.assign(evidence, { unrest: 'a run' })],
  ['processes-survive', 'a worker ended', ({ deaths }) => deaths.push('worker')],
  ['outbox-is-empty', 'an entry is parked', ({ outbox }) => outbox.push(parked)],
  ['no-run-failed', 'a run was terminated', hasRun(`chat-${uuids.guided}`, 'answerChat', 'TERMINATED')],
  ['no-workflow-task-failed', 'a replay fails', ({ runs }) => runs[0]?.failedTasks.push(replayFailure)],
  ['runs-agree-with-rows', 'an active assignment has no run', without('runs', 0)],
  ['runs-agree-with-rows', 'one has two runs', hasRun(`assignment-${uuids.assignment}`, 'runAssignment')],
  ['runs-agree-with-rows', 'a run goes on for nothing', hasRun(`chat-${uuids.guided}`, 'answerChat')],
  ['runs-agree-with-rows', 'a concluded assignment has no run that ended so', without('runs', 1)],
  ['runs-agree-with-rows', 'nobody sends what is queued', change('deliveries', 201, { state: 'queued' })],
  ['accepted-once', 'an accepted chat is not there', change('chats', 2, { title: null })],
  ['accepted-once', 'a message was stored twice', again('messages', 102, { id: 108 })],
  ['accepted-once', 'a draft was made twice', again('revisions', 5, { id: 6 })],
  ['accepted-once', 'a refused message is there', answered(4, { outcome: 'refused', status: 403 })],
  ['tools-run-with-the-message', 'the message lacks its tool call', change('messages', 110, { text: 'x' })],
  ['tools-run-with-the-message', 'a call ran twice', again('messages', 110, { id: 112 })],
  ['message-is-as-last-rated', 'the first rating is back', change('messages', 101, { ratingComment: 's15' })],
  ['summarized-chats-have-a-summary', 'one is lost', change('chats', 1, { summary: null })],
  ['inbound-once', 'a text was lost', without('messages', 0)],
  ['inbound-once', 'one is there without its id', again('messages', 100, { id: 99, carrierMessageId: null })],
  ['assignments-once', 'an assignment was begun twice', again('assignments', 21, { id: 22 })],
  ['refused-for-a-reason', 'a chat was refused', answered(3, { outcome: 'refused', status: 400 })],
  ['refused-for-a-reason', 'a chat was never answered', answered(3, { outcome: 'unknown', status: 500 })],
  ['pause-is-the-last-word', 'a taken over chat is not paused', change('chats', 2, { paused: false })],
  ['member-is-as-last-described', 'a description is lost', change('members', 10, { description: null })],
  [
    'revision-is-the-last-published',
    'the one before is active',
    ({ revisions }) => revisions.splice(0, 1, { id: 4, name: 'before', published: true, active: true }),
  ],
  ['page-is-the-last-published', 'the one before is read', page({ title: 's23' })],
  ['page-is-the-last-published', 'its time does not come', page({ isScheduled: true })],
  ['page-is-the-last-published', 'it was withdrawn', ({ pages }) => pages.pop()],
  ['accepted-once', 'an upload made no file', without('events', 4)],
  [
    'accepted-once',
    'one made two',
    ({ events }) => events.push({ eventType: 'file:created', chatId: null, filename: 's10.txt' }),
  ],
  ['file-is-as-last-uploaded', 'an accepted version is lost', change('files', 40, { filename: 's10.txt' })],
  ['file-is-as-last-uploaded', 'a file is gone', without('files', 0)],
  [
    'file-is-as-last-uploaded',
    'a deleted one is there',
    ({ files }) =>
      files.push({ id: 41, filename: 's12.txt', mimeType: 'video/mp4', indexingState: 'unsupported' }),
  ],
  ['files-are-indexed', 'one is given up', change('files', 40, { indexingState: 'given_up' })],
  ['files-are-indexed', 'a text is taken for a film', change('files', 40, { indexingState: 'unsupported' })],
  [bytesAgree, 'a version has no bytes', ({ storage }) => storage.kept.pop()],
  [bytesAgree, 'one has half of them', stored('kept', { bytes: 2 })],
  [bytesAgree, 'one has others', stored('kept', { sha256: 'cc' })],
  [bytesAgree, 'an object is pending for good', stored('objects', { state: 'pending' })],
  [bytesAgree, 'one that was doomed is needed', stored('objects', { state: 'doomed' })],
  [bytesAgree, 'an object is of no version', ({ storage }) => storage.versions.pop()],
  [
    bytesAgree,
    'a part of a recording has no bytes',
    ({ storage }) => storage.sounds.push({ id: 80, objectUuid: uuids.over }),
  ],
  [bytesAgree, 'an object is of no mail', ({ storage }) => storage.mails.pop()],
  [bytesAgree, 'a mail has no bytes', ({ storage }) => storage.kept.splice(1, 1)],
  [
    bytesAgree,
    'bytes have no row',
    ({ storage }) => storage.kept.push({ uuid: uuids.over, bytes: 1, sha256: 'dd' }),
  ],
  [bytesAgree, 'the quota counts what is gone', ({ storage }) => Object.assign(storage, { usedBytes: 9 })],
  ['cancelled-is-over', 'a cancelled one is active', change('assignments', 21, { status: 'active' })],
  ['opt-outs-are-kept', 'an opt-out is forgotten', without('optedOut', 0)],
  ['opt-outs-are-kept', 'something was sent after STOP', change('deliveries', 201, { claimedAt: 76 })],
  ['everyone-is-answered', 'the reply is missing', without('messages', 1)],
  ['everyone-is-answered', 'a version is not handled', change('chats', 1, { version: 3 })],
  ['one-reply-per-version', 'two replies to the same', again('messages', 101, { id: 107 })],
  ['reply-has-a-model-call', 'a reply is not on the bill', without('turnsAsked', 0)],
  ['needs-response-is-true', 'a member waits unseen', change('messages', 102, { role: 'user' })],
  ['needs-response-is-true', 'an answered chat calls', change('chats', 2, { needsResponse: true })],
  ['heard-in-order', 'STOP stands before the text that came first', change('messages', 103, { id: 90 })],
  ['runs-agree-with-rows', 'a call that is not billed has no run', change('calls', 70, { isSettled: false })],
  ['calls-are-asked-for-once', 'one was asked for once, and is there twice', again('calls', 70, { id: 71 })],
  ['calls-are-asked-for-once', 'one was accepted, and is nowhere', ({ calls }) => calls.splice(0, 1)],
  ['dialled-at-most-once', 'a phone rang twice for one call', dialledAgain({ sid: 'CA2' })],
  ['dialled-at-most-once', 'two calls are one at the carrier', again('calls', 70, { id: 71 })],
  ['calls-are-final', 'one has no end', change('calls', 70, { finishedAt: null, status: 'in-progress' })],
  ['calls-are-final', 'one goes on at the carrier', dialledAgain({ sid: 'CA2', isOver: false })],
  ['calls-are-final', 'one ended in another way', change('calls', 70, { status: 'busy' })],
  ['one-call-has-the-floor', 'two are up at once', again('calls', 70, { id: 71, createdAt: 20_000 })],
  [
    'no-turn-during-a-call',
    'the agent writes while it talks',
    (evidence) => {
      Object.assign(the(evidence.calls, 70), { finishedAt: 60_000 });
      Object.assign(the(evidence.messages, 101), { at: 45_000, chatId: 3 });
      Object.assign(evidence.turnsAnswered[0] ?? {}, { at: 44_900 });
    },
  ],
  ['transcripts-are-of-their-call', 'words are in another chat', change('messages', 107, { chatId: 1 })],
  ['transcripts-are-of-their-call', 'words are older than the call', change('messages', 107, { at: 9_000 })],
  ['transcripts-are-of-their-call', 'words are stored twice', again('messages', 107, { id: 109 })],
  ['selected-once', 'a choice was entered twice', again('visits', 2, { id: 4 })],
  ['selected-once', 'an accepted choice was not entered', without('visits', 1)],
  [
    'visits-are-a-path',
    'the agent entered the same task twice',
    again('visits', 2, { id: 4, fromTaskId: 32, requestUuid: null }),
  ],
  ['visits-are-a-path', 'the root was entered twice', again('visits', 1, { id: 0 })],
  ['visits-are-a-path', 'the current task is another', change('assignments', 20, { currentTaskId: 31 })],
  ['visits-are-a-path', 'a visited task has no visit', change('tasks', 34, { visited: true })],
  ['guards-hold', 'the locked room was entered first', change('tasks', 32, { name: 'Locked' })],
  ['sent-at-most-once', 'a message went out twice', alsoCarried(uuids.first, { attempt: 2 })],
  ['sent-for-a-delivery', 'nobody wrote what went out', alsoCarried(uuids.simple)],
  ['sent-for-a-delivery', 'it went to another number', carrier(0, { to: '+12025550199' })],
  [
    'what-came-in-is-in-a-chat',
    'a message that the carrier received is nowhere',
    ({ cameIn }) => cameIn.push({ sid: 'SM8', from: '+12025550100' }),
  ],
  [agrees, 'an attempt lacks its result', change('deliveries', 200, { state: 'claimed', lookUps: 1 })],
  [agrees, 'one is queued for good', change('deliveries', 201, { state: 'queued' })],
  [agrees, 'nobody will ask for a receipt', change('deliveries', 201, { receiptAwaited: false })],
  [agrees, 'one is called delivered that was not', carrier(0, { status: 'undelivered' })],
  [agrees, 'a receipt was answered and forgotten', carrier(1, { endTold: true })],
  [agrees, 'one is given up that the carrier took', change('deliveries', 201, givenUp)],
  [
    agrees,
    'two have one message of the carrier, with one text to one number',
    (evidence) => {
      Object.assign(the(evidence.messages, 105), { text: the(evidence.messages, 101).text });
      Object.assign(the(evidence.deliveries, 201), { carrierMessageId: 'SMa', state: 'delivered' });
    },
  ],
  [agrees, 'its message shows another state', change('messages', 101, { smsDeliveryStatus: 'sent' })],
  [
    'sent-in-order',
    'the later one went out first',
    (evidence) => {
      Object.assign(the(evidence.deliveries, 201), { chatId: 1 });
      carrier(1, { sequence: 0 })(evidence);
    },
  ],
  [
    'agents-keep-to-their-bounds',
    'two machines answered each other without end',
    ({ messages }) => {
      for (let turn = 0; turn <= 2 * agentBounds.unattendedTurns; turn += 1) {
        const reply = { id: 200 + 2 * turn, turnUuid: turnUuidOf(turn), turnVersion: 10 + turn };
        messages.push({ ...the(messages, 101), ...reply });
        messages.push({ ...the(messages, 100), id: 201 + 2 * turn, text: absenceNotice });
      }
    },
  ],
  [
    'agents-keep-to-their-bounds',
    'an agent came back again and again',
    ({ messages }) => {
      const most = agentBounds.unattendedFollowUps + agentBounds.pendingFollowUps;
      for (let note = 0; note <= most; note += 1) messages.push({ ...the(messages, 106), id: 200 + note });
    },
  ],
  ['follow-ups-come-due-once', 'one is forgotten', change('followUps', 6, { firedAt: null })],
  ['follow-ups-come-due-once', 'one came due twice', again('messages', 106, { id: 107 })],
  ['follow-ups-come-due-once', 'a called off one came due', change('followUps', 6, { cancelledAt: 80 })],
  ['alerted-for-a-reason', 'a colleague is alerted without one', change('chats', 1, { needsResponse: true })],
  [
    'facts-are-told-of-once',
    'a message is told of twice',
    ({ mistold }) => mistold.push({ fact: 'message:sent 1', wanted: 1, told: 2 }),
  ],
  ['chats-are-told-of-once', 'one is told of twice', told(1)],
  ['chats-are-told-of-once', 'nobody is told of one', without('events', 1)],
  ['chats-are-told-of-once', 'one is told of that there is not', told(5)],
  ['emailed-at-most-once', 'an email was sent twice', mail(1, { rfcMessageId: '50@inboxes.example' })],
  ['emailed-for-a-delivery', 'nobody wrote what was sent', mail(0, { rfcMessageId: 'x@inboxes.example' })],
  ['emailed-for-a-delivery', 'it went to another address', mail(0, { to: ['tom@example.org'] })],
  [mailAgrees, 'one waits for good', change('deliveries', 210, { state: 'queued' })],
  [mailAgrees, 'an attempt is not looked at', change('deliveries', 210, { state: 'claimed' })],
  [mailAgrees, 'a sent one was not taken', ({ mailed }) => mailed.shift()],
  [mailAgrees, 'a report is forgotten', mail(0, { reports: [202, 202] })],
  [mailAgrees, 'a report left an outcome unknown', mail(1, { reports: [202] })],
  [mailAgrees, 'one is called unknown whose taking was told', mail(1, { answered: true })],
  [mailAgrees, 'a refused one was taken', mail(1, { rfcMessageId: '53@inboxes.example' })],
  [mailAgrees, 'its message shows another state', change('messages', 120, { smsDeliveryStatus: 'failed' })],
  [mailAgrees, 'a delivery has no email', ({ emails }) => emails.shift()],
  ['said-by-email-is-sent', 'a message was not queued', change('deliveries', 210, { messageId: 121 })],
  ['failed-emails-alert-a-colleague', 'nobody is alerted', change('chats', 4, { needsResponse: false })],
  [inItsChat, 'a mail is lost', change('messages', 121, { text: 'good morning' })],
  [inItsChat, 'one is there twice', again('messages', 121, { id: 126 })],
  [inItsChat, 'a reply is in another chat of the member', change('messages', 121, { chatId: 1 })],
  [inItsChat, 'a mail is with another member', change('chats', 4, { memberId: 11 })],
  [inItsChat, 'nobody took one', answered(19, { outcome: 'unknown', status: 503 })],
  [
    'received-mail-is-settled',
    'a mail waits for a person',
    ({ received }) => Object.assign(received[0] ?? {}, { state: 'held' }),
  ],
];

describe('the storm invariants', () => {
  it('report nothing for consistent evidence', () => {
    expect(violations(calm())).toEqual([]);
  });

  it.each(spoiled)('%s: detects that %s', (name, _what, spoil) => {
    const evidence = calm();
    spoil(evidence);
    const found = violations(evidence).filter(({ invariant }) => invariant === name);
    expect(found).not.toEqual([]);
    for (const { message } of found) expect(message).not.toMatch(/undefined|null|NaN|\[object/);
  });

  it('have unique names and a detection test each', () => {
    const names = invariants.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(spoiled.map(([name]) => name))).toEqual(new Set(names));
  });

  it('allow a look-up to swap messages with the same text to the same number, and no others', () => {
    const evidence = calm();
    change('deliveries', 200, { carrierMessageId: 'SMb' })(evidence);
    change('deliveries', 201, { carrierMessageId: 'SMa' })(evidence);
    expect(violations(evidence)).toHaveLength(2);

    Object.assign(the(evidence.messages, 105), { text: the(evidence.messages, 101).text });
    expect(violations(evidence)).toEqual([]);
  });

  it('allow new agent turns after a person writes and after a colleague resumes the chat', () => {
    const evidence = calm();
    const turns = (from: number, count: number) => {
      for (let turn = from; turn < from + count; turn += 1) {
        again('messages', 105, { id: 200 + turn, turnUuid: turnUuidOf(turn) })(evidence);
      }
    };
    const found = () => violations(evidence).filter(({ invariant }) => invariant.startsWith('agents-keep'));
    turns(0, agentBounds.unattendedTurns);
    again('messages', 100, { id: 250, chatId: 3, text: absenceNotice })(evidence);
    turns(60, agentBounds.unattendedTurns);
    expect(found()).toEqual([]);
    turns(80, agentBounds.unattendedTurns);
    expect(found()).toHaveLength(1);
    evidence.ledger = [...evidence.ledger, entry(14, { kind: 'resume', chat: 5 }, { chatId: 3 })];
    expect(found()).toEqual([]);
  });

  it('allow no answer where the agent of a call took the text as the choice that ends the assignment', () => {
    const evidence = calm();
    without('messages', 1)(evidence);
    const found = () => violations(evidence).filter(({ invariant }) => invariant === 'everyone-is-answered');
    expect(found()).toHaveLength(1);
    const act = { text: null, turnUuid: null, turnVersion: null, callItemId: '1.tools.one' };
    again('messages', 105, { id: 210, chatId: 1, ...act })(evidence);
    change('assignments', 20, { status: 'completed' })(evidence);
    expect(found()).toEqual([]);
  });

  it('allow unanswered attempts with and without an effect', () => {
    const evidence = calm();
    answered(4, { outcome: 'unknown', status: 500 })(evidence);
    const accepted = () => violations(evidence).filter(({ invariant }) => invariant === 'accepted-once');
    expect(accepted()).toEqual([]);
    evidence.messages.splice(2, 1);
    expect(accepted()).toEqual([]);
  });
});
