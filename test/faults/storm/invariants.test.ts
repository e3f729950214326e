import { describe, expect, it } from 'vitest';
import { absenceNotice, agentBounds } from './agents.js';
import { calm, carriedFact, entry, run, uuids } from './calm.js';
import type { Evidence } from './evidence.js';
import { invariants, violations } from './invariants/index.js';

/** The row with this id. @throws if there is none, because the test would then change nothing */
function the<T extends { id: number }>(rows: readonly T[], id: number): T {
  const row = rows.find((candidate) => candidate.id === id);
  if (row === undefined) throw new Error(`there is no ${id}`);
  return row;
}

function attempt(evidence: Evidence, operation: number, change: object): void {
  const [first] = evidence.ledger[operation]?.attempts ?? [];
  if (first === undefined) throw new Error(`there is no operation ${operation}`);
  Object.assign(first, change);
}

function delivery(evidence: Evidence, id: number, change: object): void {
  Object.assign(the(evidence.deliveries, id), change);
}

/** Violations by the invariant that must detect them. */
const spoiled: [string, string, (evidence: Evidence) => void][] = [
  ['comes-to-rest', 'something goes on', (evidence) => Object.assign(evidence, { unrest: 'a run' })],
  ['processes-survive', 'a worker ended', ({ deaths }) => deaths.push('worker')],
  [
    'outbox-is-empty',
    'an entry is parked',
    ({ outbox }) =>
      outbox.push({ runType: 'answerChat', subject: uuids.simple, parked: true, errorCode: 'grpc_3' }),
  ],
  [
    'no-run-failed',
    'a run was terminated',
    ({ runs }) => runs.push(run(`chat-${uuids.guided}`, 'answerChat', 'TERMINATED')),
  ],
  [
    'no-workflow-task-failed',
    'a history cannot be replayed',
    ({ runs }) => runs[0]?.failedTasks.push('WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR'),
  ],
  ['runs-agree-with-rows', 'an active assignment has no run', ({ runs }) => runs.splice(0, 1)],
  [
    'runs-agree-with-rows',
    'an assignment has two runs',
    ({ runs }) => runs.push(run(`assignment-${uuids.assignment}`, 'runAssignment', 'RUNNING')),
  ],
  [
    'runs-agree-with-rows',
    'a run goes on for a chat that waits for nothing',
    ({ runs }) => runs.push(run(`chat-${uuids.guided}`, 'answerChat', 'RUNNING')),
  ],
  [
    'runs-agree-with-rows',
    'a concluded assignment has no run that completed',
    ({ runs }) => runs.splice(1, 1),
  ],
  [
    'runs-agree-with-rows',
    'nobody sends what is queued',
    (evidence) => delivery(evidence, 201, { state: 'queued' }),
  ],
  [
    'delivery-agrees-with-carrier',
    'nobody will ask for a receipt',
    (evidence) => delivery(evidence, 201, { receiptAwaited: false }),
  ],
  [
    'accepted-once',
    'an accepted chat is not there',
    ({ chats }) => Object.assign(the(chats, 2), { title: null }),
  ],
  [
    'accepted-once',
    'a message was stored twice',
    ({ messages }) => messages.push({ ...the(messages, 102), id: 108 }),
  ],
  [
    'accepted-once',
    'a draft was made twice',
    ({ revisions }) => revisions.push({ ...the(revisions, 5), id: 6 }),
  ],
  [
    'accepted-once',
    'a refused message is there all the same',
    (evidence) => attempt(evidence, 4, { outcome: 'refused', status: 403 }),
  ],
  ['inbound-once', 'a text was lost', ({ messages }) => messages.splice(0, 1)],
  [
    'inbound-once',
    'a text was stored twice, once without its id',
    ({ messages }) => messages.push({ ...the(messages, 100), id: 99, carrierMessageId: null }),
  ],
  [
    'assignments-once',
    'an assignment was begun twice',
    ({ assignments }) => assignments.push({ ...the(assignments, 21), id: 22 }),
  ],
  [
    'refused-for-a-reason',
    'a chat was refused',
    (evidence) => attempt(evidence, 3, { outcome: 'refused', status: 400 }),
  ],
  [
    'refused-for-a-reason',
    'a chat was never answered',
    (evidence) => attempt(evidence, 3, { outcome: 'unknown', status: 500 }),
  ],
  [
    'pause-is-the-last-word',
    'a chat that was taken over is not paused',
    ({ chats }) => Object.assign(the(chats, 2), { paused: false }),
  ],
  [
    'member-is-as-last-described',
    'an accepted description is lost',
    ({ members }) => Object.assign(the(members, 10), { description: null }),
  ],
  [
    'revision-is-the-last-published',
    'the one before is active',
    ({ revisions }) => revisions.splice(0, 1, { id: 4, name: 'before', published: true, active: true }),
  ],
  [
    'cancelled-is-over',
    'a cancelled assignment is active',
    ({ assignments }) => Object.assign(the(assignments, 21), { status: 'active' }),
  ],
  ['opt-outs-are-kept', 'an opt-out is forgotten', ({ optedOut }) => optedOut.splice(0, 1)],
  [
    'opt-outs-are-kept',
    'something was sent after STOP',
    (evidence) => delivery(evidence, 201, { claimedAt: 76 }),
  ],
  ['everyone-is-answered', 'the reply is missing', ({ messages }) => messages.splice(1, 1)],
  [
    'everyone-is-answered',
    'a version is not handled',
    ({ chats }) => Object.assign(the(chats, 1), { version: 3 }),
  ],
  [
    'one-reply-per-version',
    'two replies to the same',
    ({ messages }) => messages.push({ ...the(messages, 101), id: 107 }),
  ],
  ['reply-has-a-model-call', 'a reply is not on the bill', ({ turnsAsked }) => turnsAsked.splice(0, 1)],
  [
    'needs-response-is-true',
    'the member of a paused chat waits unseen',
    ({ messages }) => Object.assign(the(messages, 102), { role: 'user' }),
  ],
  [
    'needs-response-is-true',
    'a colleague has answered, and is called all the same',
    ({ chats }) => Object.assign(the(chats, 2), { needsResponse: true }),
  ],
  [
    'heard-in-order',
    'STOP stands before the text that came first',
    ({ messages }) => Object.assign(the(messages, 103), { id: 90 }),
  ],
  ['selected-once', 'a choice was entered twice', ({ visits }) => visits.push({ ...the(visits, 2), id: 4 })],
  ['selected-once', 'an accepted choice was not entered', ({ visits }) => visits.splice(1, 1)],
  [
    'visits-are-a-path',
    'the agent entered the same task twice',
    ({ visits }) => visits.push({ ...the(visits, 2), id: 4, fromTaskId: 32, requestUuid: null }),
  ],
  [
    'visits-are-a-path',
    'the root was entered twice',
    ({ visits }) => visits.push({ ...the(visits, 1), id: 0 }),
  ],
  [
    'visits-are-a-path',
    'the current task is another',
    ({ assignments }) => Object.assign(the(assignments, 20), { currentTaskId: 31 }),
  ],
  [
    'visits-are-a-path',
    'a task is marked as visited without a visit',
    ({ tasks }) => Object.assign(the(tasks, 34), { visited: true }),
  ],
  [
    'guards-hold',
    'the locked room was entered first',
    ({ tasks }) => {
      Object.assign(the(tasks, 32), { name: 'Locked' });
    },
  ],
  [
    'sent-at-most-once',
    'a message went out twice',
    ({ carried }) => carried.push({ ...carriedFact(4, 'SMd', uuids.first, true), attempt: 2 }),
  ],
  [
    'sent-for-a-delivery',
    'nobody wrote what went out',
    ({ carried }) => carried.push(carriedFact(4, 'SMd', uuids.simple, true)),
  ],
  [
    'sent-for-a-delivery',
    'it went to another number',
    ({ carried }) => Object.assign(carried[0] ?? {}, { to: '+12025550199' }),
  ],
  [
    'what-came-in-is-in-a-chat',
    'a message that the carrier received is nowhere',
    ({ cameIn }) => cameIn.push({ sid: 'SM8', from: '+12025550100' }),
  ],
  [
    'delivery-agrees-with-carrier',
    'an attempt is without a result that the carrier has',
    (evidence) => delivery(evidence, 200, { state: 'claimed', lookUps: 1 }),
  ],
  [
    'delivery-agrees-with-carrier',
    'one is queued for good',
    (evidence) => delivery(evidence, 201, { state: 'queued' }),
  ],
  [
    'delivery-agrees-with-carrier',
    'one is called delivered that was not',
    ({ carried }) => Object.assign(carried[0] ?? {}, { status: 'undelivered' }),
  ],
  [
    'delivery-agrees-with-carrier',
    'a receipt was answered and forgotten',
    ({ carried }) => Object.assign(carried[1] ?? {}, { endTold: true }),
  ],
  [
    'delivery-agrees-with-carrier',
    'one is given up that the carrier took',
    (evidence) => delivery(evidence, 201, { state: 'failed', failureReason: 'unknown_outcome' }),
  ],
  [
    'delivery-agrees-with-carrier',
    'two have one message of the carrier, with one text to one number',
    (evidence) => {
      Object.assign(the(evidence.messages, 105), { text: the(evidence.messages, 101).text });
      delivery(evidence, 201, { carrierMessageId: 'SMa', state: 'delivered' });
    },
  ],
  [
    'delivery-agrees-with-carrier',
    'its message shows another state',
    ({ messages }) => Object.assign(the(messages, 101), { smsDeliveryStatus: 'sent' }),
  ],
  [
    'sent-in-order',
    'the later one went out first',
    (evidence) => {
      delivery(evidence, 201, { chatId: 1 });
      Object.assign(evidence.carried[1] ?? {}, { sequence: 0 });
    },
  ],
  [
    'agents-keep-to-their-bounds',
    'two machines answered each other without end',
    ({ messages }) => {
      for (let turn = 0; turn <= 2 * agentBounds.unattendedTurns; turn += 1) {
        const turnUuid = `00000000-0000-4000-9000-${String(turn).padStart(12, '0')}`;
        messages.push({ ...the(messages, 101), id: 200 + 2 * turn, turnUuid, turnVersion: 10 + turn });
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
  [
    'follow-ups-come-due-once',
    'one is forgotten',
    ({ followUps }) => Object.assign(the(followUps, 6), { firedAt: null }),
  ],
  [
    'follow-ups-come-due-once',
    'one came due twice',
    ({ messages }) => messages.push({ ...the(messages, 106), id: 107 }),
  ],
  [
    'follow-ups-come-due-once',
    'one that was called off came due',
    ({ followUps }) => Object.assign(the(followUps, 6), { cancelledAt: 80 }),
  ],
  [
    'called-for-a-reason',
    'a person is called, and not told why',
    ({ chats }) => Object.assign(the(chats, 1), { needsResponse: true }),
  ],
  [
    'chats-are-told-of-once',
    'one is told of twice',
    ({ events }) => events.push({ eventType: 'chat:created', chatId: 1 }),
  ],
  ['chats-are-told-of-once', 'nobody is told of one', ({ events }) => events.splice(1, 1)],
  [
    'chats-are-told-of-once',
    'one is told of that there is not',
    ({ events }) => events.push({ eventType: 'chat:created', chatId: 4 }),
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
    delivery(evidence, 200, { carrierMessageId: 'SMb' });
    delivery(evidence, 201, { carrierMessageId: 'SMa' });
    expect(violations(evidence)).toHaveLength(2);

    Object.assign(the(evidence.messages, 105), { text: the(evidence.messages, 101).text });
    expect(violations(evidence)).toEqual([]);
  });

  it('allow new agent turns after a person writes and after a colleague resumes the chat', () => {
    const evidence = calm();
    const turns = (from: number, count: number) => {
      for (let turn = from; turn < from + count; turn += 1) {
        const turnUuid = `00000000-0000-4000-9000-${String(turn).padStart(12, '0')}`;
        evidence.messages.push({ ...the(evidence.messages, 105), id: 200 + turn, turnUuid });
      }
    };
    const found = () => violations(evidence).filter(({ invariant }) => invariant.startsWith('agents-keep'));
    turns(0, agentBounds.unattendedTurns);
    evidence.messages.push({ ...the(evidence.messages, 100), id: 250, chatId: 3, text: absenceNotice });
    turns(60, agentBounds.unattendedTurns);
    expect(found()).toEqual([]);
    turns(80, agentBounds.unattendedTurns);
    expect(found()).toHaveLength(1);
    evidence.ledger = [...evidence.ledger, entry(10, { kind: 'resume', chat: 5 }, { chatId: 3 })];
    expect(found()).toEqual([]);
  });

  it('allow unanswered attempts with and without an effect', () => {
    const evidence = calm();
    attempt(evidence, 4, { outcome: 'unknown', status: 500 });
    const accepted = () => violations(evidence).filter(({ invariant }) => invariant === 'accepted-once');
    expect(accepted()).toEqual([]);
    evidence.messages.splice(2, 1);
    expect(accepted()).toEqual([]);
  });
});
