import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TimelineEntryDetails } from '../../../db/assignments/timeline-entries.js';
import { findDeliveryOfMessage } from '../../../db/channels/deliveries.js';
import { Database } from '../../../db/database.js';
import type { Statement } from '../../../db/pool/executor.js';
import { Transaction } from '../../../db/transaction.js';
import { cancelAssignment } from '../../../domain/assignments/cancel-assignment.js';
import { requestCancel } from '../../../domain/assignments/request-cancel.js';
import { type SelectTask, selectTask } from '../../../domain/assignments/select-task.js';
import {
  placeId,
  readTimeline,
  type TimelineWanted,
} from '../../../domain/assignments/timeline/read-timeline.js';
import { updateAssignment } from '../../../domain/assignments/update-assignment.js';
import { claimDelivery } from '../../../domain/channels/deliveries/claim-delivery.js';
import { recordDeliveryNews } from '../../../domain/channels/deliveries/record-delivery-news.js';
import { cancelFollowUp } from '../../../domain/conversations/chats/cancel-follow-up.js';
import { sendAssistantMessage } from '../../../domain/conversations/chats/send-assistant-message.js';
import { updateChat } from '../../../domain/conversations/chats/update-chat.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { directRuns } from '../../support/chats/direct-runs.js';
import { type StagedAssignment, stageAssignment } from '../../support/chats/staged-assignment.js';
import { connect } from '../../support/db/connect.js';
import { days, hours } from '../../support/lib/moved-clock.js';
import { addMember } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';
import { call, reply, Turn } from '../agent/take-round.js';

const suite = useWorkspace();
const { workspace } = suite;

const everything: TimelineWanted = { limit: 200, order: 'asc' };

const read = async (staged: StagedAssignment, wanted = everything) =>
  (await readTimeline(workspace.context(), staged.assignmentId, wanted)).items;

/** What a timeline tells, in short. */
async function told(staged: StagedAssignment): Promise<string[]> {
  return (await read(staged)).map((item) =>
    'message' in item ? `${item.message.author}: ${item.message.content}` : short(item.entry),
  );
}

function short(entry: TimelineEntryDetails): string {
  const { kind, taskName, causedBy, code, reason, ruleTaskName, times } = entry;
  const parts = [kind, taskName, code, reason, causedBy && `by ${causedBy}`];
  if (ruleTaskName !== null) parts.push(`(${ruleTaskName})`);
  if (times > 1) parts.push(`${times} times`);
  return parts.filter((part) => part !== null && part !== '').join(' ');
}

const entriesOf = async (staged: StagedAssignment, kind: TimelineEntryDetails['kind']) =>
  (await read(staged)).flatMap((item) => ('entry' in item && item.entry.kind === kind ? [item.entry] : []));

async function select(staged: StagedAssignment, task: string, request: Partial<SelectTask> = {}) {
  const { answer } = await selectTask(staged.context, {
    workspaceId: staged.workspaceId,
    assignmentId: staged.assignmentId,
    assignmentTaskId: (await staged.task(task)).id,
    requestUuid: randomUUID(),
    actorMemberId: workspace.member.memberId,
    byOperator: false,
    ...request,
  });
  return answer;
}

/** A message, a decision of which the first two ways are closed, a conversation, a wait, and an end. */
const walk: RevisionTask = {
  name: 'Welcome',
  taskType: 'message',
  configuration: { text: 'Welcome!' },
  autoNext: true,
  children: [
    {
      name: 'Which way',
      taskType: 'decision',
      children: [
        { name: 'Tests', taskType: 'conclude', celGuard: 'assignment.is_test' },
        { name: 'Nobody', taskType: 'conclude', celCondition: 'member.name == "Nobody"' },
        {
          name: 'Talk',
          taskType: 'conversation',
          prompt: 'Talk.',
          abilities: [{ abilityType: 'schedule_follow_up' }, { abilityType: 'handoff' }],
          children: [
            {
              name: 'Rest',
              taskType: 'wait',
              configuration: { for: 'P2D' },
              autoNext: true,
              children: [{ name: 'End', taskType: 'conclude', configuration: { outcome: 'rested' } }],
            },
            { name: 'Closed', taskType: 'conclude', celGuard: 'assignment.is_test' },
          ],
        },
      ],
    },
  ],
};

const taskUuid = async (staged: StagedAssignment, name: string): Promise<string> =>
  workspace.database.inWorkspace(staged.workspaceId, async (tx) => {
    const row = await staged.task(name);
    return (await tx('workflow_tasks').where({ id: row.taskId }).first('uuid')).uuid;
  });

describe('the timeline of a whole walk', () => {
  it('tells in a web chat what happened, who caused it, and why tasks were not begun, in order', async () => {
    const staged = await stageAssignment(workspace, walk);
    await staged.advance();
    await new Turn(staged).take(reply('How are you?'));
    await staged.memberWrites('Tired');
    const turn = new Turn(staged);
    await turn.run(call(['schedule_follow_up', { after: 'P1D', instructions: 'Ask again' }]));
    await turn.run(call(['select_task', { task: await taskUuid(staged, 'Closed') }]));
    await turn.run(call(['select_task', { task: await taskUuid(staged, 'Rest') }]));
    await staged.advance();
    staged.clock.advance(days(2));
    await staged.advance();

    expect(await told(staged)).toEqual([
      'entered Welcome by automatic',
      'workflow: Welcome!',
      'completed Welcome by automatic',
      'entered Which way by automatic',
      'completed Which way by automatic',
      'not_begun Tests cel_guard (Tests)',
      'not_begun Nobody cel_condition (Nobody)',
      'entered Talk by automatic',
      'agent: How are you?',
      'member: Tired',
      'tool Talk schedule_follow_up by agent',
      'follow_up_set Talk',
      'tool Talk select_task invalid_arguments by agent',
      'tool Talk select_task by agent',
      'entered Rest by agent',
      'timer_set Rest',
      'follow_up_came Rest',
      'system: A follow-up is due: Ask again',
      'timer_came Rest',
      'completed Rest time by automatic',
      'entered End by automatic',
      'concluded End completed by automatic',
    ]);
    const [set] = await entriesOf(staged, 'timer_set');
    expect(set?.until).toEqual(new Date(staged.clock.now().getTime()));
    const [concluded] = await entriesOf(staged, 'concluded');
    expect(concluded).toMatchObject({ outcome: 'rested' });
  });

  it('tells in an SMS chat what became of the messages', async () => {
    const member = await addMember(workspace, { role: workspace.roles.member });
    const staged = await stageAssignment(workspace, walk, { channel: 'phone-sms', member });
    const [message] = await staged.messages();
    const deliver = async (news: Parameters<typeof recordDeliveryNews>[3]) => {
      const context = { db: workspace.database, clock: staged.clock };
      const delivery = await workspace.database.inWorkspace(staged.workspaceId, (tx) =>
        findDeliveryOfMessage(tx, message?.id ?? 0),
      );
      const ref = { workspaceId: staged.workspaceId, deliveryId: delivery?.id ?? 0 };
      const claim = await claimDelivery(context, ref, randomUUID());
      if (claim.kind !== 'claimed') throw new Error(`not claimed: ${claim.kind}`);
      await recordDeliveryNews(context, ref, claim.attempt, news);
    };
    await deliver({ state: 'failed', errorCode: '30001' });
    staged.clock.advance(hours(1));
    await deliver({ state: 'failed', errorCode: '30007' });

    expect(await told(staged)).toEqual([
      'entered Welcome by automatic',
      'workflow: Welcome!',
      'delivery Welcome tried_again',
      'delivery Welcome failed filtered_by_carrier',
      'needs_response Welcome delivery_failed',
    ]);
    const [again] = await entriesOf(staged, 'delivery');
    expect(again).toMatchObject({ messageUuid: message?.uuid, until: expect.any(Date) });
  });

  it('tells that a message could not be sent at all', async () => {
    const member = await addMember(workspace, { role: workspace.roles.member });
    const staged = await stageAssignment(workspace, walk, { channel: 'phone-sms', member });
    await workspace.database.inWorkspace(staged.workspaceId, (tx) =>
      tx('members').where({ id: member.memberId }).update({ phone: null }),
    );

    await select(staged, 'Welcome', { byOperator: true, actorMemberId: workspace.admin.memberId });

    expect((await told(staged)).slice(2)).toEqual([
      'entered Welcome by operator',
      'workflow: Welcome!',
      'delivery Welcome failed missing_phone',
      'needs_response Welcome delivery_failed',
    ]);
  });

  it('tells who selected, was refused, took over, returned, scheduled, cancelled and ended', async () => {
    const staged = await stageAssignment(workspace, walk);
    const { member, admin } = workspace;
    const colleague = workspace.context(admin, staged.clock);
    await select(staged, 'Closed');
    await select(staged, 'Rest', { byOperator: true, actorMemberId: admin.memberId });
    await select(staged, 'Talk', { byOperator: true, actorMemberId: admin.memberId });
    const after = { after: 'P1D', instructions: 'Look' };
    await sendAssistantMessage(colleague, {
      chatId: staged.chatId,
      message: 'I am here',
      toolCalls: [{ name: 'schedule_follow_up', arguments: JSON.stringify(after) }],
    });
    await updateChat(colleague, staged.chatId, { paused: false });
    await updateChat(staged.context, staged.chatId, { paused: true, pausedReason: 'I am Anna, and tired' });
    await updateChat(staged.context, staged.chatId, { paused: false, archived: true });
    await updateChat(staged.context, staged.chatId, { archived: false });
    const [followUp] = await workspace.database.inWorkspace(staged.workspaceId, (tx) =>
      tx('follow_ups').where({ chat_id: staged.chatId }),
    );
    await cancelFollowUp(colleague, staged.chatId, followUp.id);
    await requestCancel(colleague, directRuns(workspace.database), staged.assignmentId, 'She has moved');

    const [, ...items] = (await read(staged)).filter((item) => 'entry' in item);
    const kinds = items.slice(items.findIndex((item) => 'entry' in item && item.entry.kind === 'refused'));
    expect(
      kinds.map((item) => ('entry' in item ? [short(item.entry), item.entry.actorMemberId] : [])),
    ).toEqual([
      ['refused Closed cel_guard by member (Closed)', member.memberId],
      ['entered Rest by operator', admin.memberId],
      ['timer_set Rest', null],
      ['timer_cancelled Rest', null],
      ['entered Talk by operator', admin.memberId],
      ['tool Talk schedule_follow_up by operator', admin.memberId],
      ['follow_up_set Talk by operator', admin.memberId],
      ['paused Talk operator_reply by operator', admin.memberId],
      ['resumed Talk by operator', admin.memberId],
      ['paused Talk other by member', member.memberId],
      ['resumed Talk by member', member.memberId],
      ['archived Talk by member', member.memberId],
      ['unarchived Talk by member', member.memberId],
      ['follow_up_cancelled Talk by operator', admin.memberId],
      ['concluded Talk cancelled by operator', admin.memberId],
    ]);
  });

  it('tells that an operator of Temporal cancelled, without a member, and that the service ended a loop', async () => {
    const staged = await stageAssignment(workspace, walk);
    const ids = { workspaceId: staged.workspaceId, assignmentId: staged.assignmentId };
    await cancelAssignment({ db: workspace.database, clock: staged.clock }, ids);
    expect((await told(staged)).at(-1)).toBe('concluded Talk cancelled by operator');

    const other = await stageAssignment(workspace, walk);
    await updateAssignment(workspace.context(), other.assignmentId, {
      status: 'failed',
      outcome: 'given_up',
    });
    expect((await entriesOf(other, 'concluded'))[0]).toMatchObject({
      code: 'failed',
      outcome: 'given_up',
      actorMemberId: workspace.admin.memberId,
    });
  });

  it('tells which conditions keep an assignment that stands from every next task', async () => {
    const staged = await stageAssignment(workspace, {
      name: 'Ask',
      taskType: 'conversation',
      prompt: 'Ask.',
      children: [
        { name: 'Low', taskType: 'conclude', celCondition: 'member.name == "Nobody"' },
        { name: 'High', taskType: 'conclude', celGuard: 'assignment.is_test' },
      ],
    });
    await new Turn(staged).take(reply('Which?'));
    await staged.advance();
    await staged.advance();

    expect(await told(staged)).toEqual([
      'entered Ask by automatic',
      'agent: Which?',
      'not_begun Low cel_condition (Low)',
      'not_begun High cel_guard (High)',
      'needs_response Ask no_choice_holds',
    ]);
  });
});

describe('refusals', () => {
  let staged: StagedAssignment;
  beforeAll(async () => {
    staged = await stageAssignment(workspace, walk);
  });
  const refusals = async () => (await entriesOf(staged, 'refused')).map(short);

  it('are counted in one entry for each task, rule and person until a task is entered', async () => {
    for (let time = 0; time < 5; time += 1) {
      await select(staged, 'Closed');
      await select(staged, 'End', { anyTask: false });
    }
    await select(staged, 'Closed', { byOperator: true, actorMemberId: workspace.admin.memberId });

    expect(await refusals()).toEqual([
      'refused Closed cel_guard by member (Closed) 5 times',
      'refused End not_offered by member 5 times',
      'refused Closed cel_guard by operator (Closed)',
    ]);

    await select(staged, 'Talk', { byOperator: true });
    await select(staged, 'Closed');
    expect((await refusals()).at(-1)).toBe('refused Closed cel_guard by member (Closed)');
    expect(await refusals()).toHaveLength(4);
  });

  it('are counted exactly when many come at once', async () => {
    staged = await stageAssignment(workspace, walk);

    await Promise.all(Array.from({ length: 12 }, () => select(staged, 'Closed')));

    expect(await refusals()).toEqual(['refused Closed cel_guard by member (Closed) 12 times']);
  });

  it('are not noted once the assignment has ended', async () => {
    await updateAssignment(workspace.context(), staged.assignmentId, { status: 'completed' });
    const before = await told(staged);

    expect(await select(staged, 'Closed')).toEqual({ kind: 'not_active' });

    expect(await told(staged)).toEqual(before);
  });
});

describe('a select that is repeated', () => {
  it('is noted once', async () => {
    const staged = await stageAssignment(workspace, walk);
    const requestUuid = randomUUID();
    const before = (await told(staged)).length;

    await Promise.all([select(staged, 'Rest', { requestUuid }), select(staged, 'Rest', { requestUuid })]);

    expect((await told(staged)).slice(before)).toEqual(['entered Rest by member', 'timer_set Rest']);
  });
});

describe('reading a timeline', () => {
  it('reads on while it grows, in both orders, without gaps and doubles', async () => {
    const staged = await stageAssignment(workspace, walk);
    const seen: string[] = [];
    let after: string | undefined;
    for (let round = 0; round < 40; round += 1) {
      await staged.memberWrites(`Message ${round}`);
      if (round % 3 === 0) await select(staged, round % 2 === 0 ? 'Rest' : 'Talk', { byOperator: true });
      const { items } = await readTimeline(workspace.context(), staged.assignmentId, {
        limit: 2,
        order: 'asc',
        after,
      });
      seen.push(...items.map(placeId));
      after = seen.at(-1);
    }
    for (;;) {
      const page = await readTimeline(workspace.context(), staged.assignmentId, {
        limit: 7,
        order: 'asc',
        after,
      });
      seen.push(...page.items.map(placeId));
      after = seen.at(-1);
      if (!page.hasMore) break;
    }
    const all = (await read(staged)).map(placeId);
    expect(seen).toEqual(all);
    expect(new Set(all).size).toBe(all.length);

    const back: string[] = [];
    for (;;) {
      const page = await readTimeline(workspace.context(), staged.assignmentId, {
        limit: 9,
        order: 'desc',
        after: back.at(-1),
      });
      back.push(...page.items.map(placeId));
      if (!page.hasMore) break;
    }
    expect(back).toEqual([...all].reverse());
  });

  it('has no entry after a message that was stored while it was read', async () => {
    const staged = await stageAssignment(workspace, walk);
    const client = await connect(suite.database.appUrl);
    let hasWritten = false;
    const answer = async ({ text, values }: Statement) => {
      if (text.includes('from assignment_timeline_entries') && !hasWritten) {
        hasWritten = true;
        await staged.memberWrites('Meanwhile');
        await select(staged, 'Rest', { byOperator: true });
      }
      const { command, rowCount, rows } = await client.query(text, [...values]);
      return { command, rowCount, rows };
    };
    let last: Promise<unknown> = client.query('begin');
    const execute = (statement: Statement) => {
      const answered = last.then(() => answer(statement));
      last = answered.catch(() => {});
      return answered;
    };
    const db = new Database({ source: new Transaction({ execute }, staged.workspaceId) });

    const first = await readTimeline({ ...workspace.context(), db }, staged.assignmentId, everything);
    await client.end();
    const after = placeId(first.items.at(-1) ?? { revision: 0, entryId: 0 });
    const rest = await readTimeline(workspace.context(), staged.assignmentId, { ...everything, after });

    expect(hasWritten).toBe(true);
    const both = [...first.items, ...rest.items].map(placeId);
    expect(both).toEqual((await read(staged)).map(placeId));
  });

  it('misses nothing of writers that race with the reader', async () => {
    const staged = await stageAssignment(workspace, walk);
    const writing = Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0
          ? staged.memberWrites(`Message ${index}`)
          : select(staged, index % 4 === 1 ? 'Rest' : 'Talk', { byOperator: true }),
      ),
    );
    const seen: string[] = [];
    let isWriting = true;
    void writing.finally(() => {
      isWriting = false;
    });
    for (;;) {
      const wasWriting = isWriting;
      const { items, hasMore } = await readTimeline(workspace.context(), staged.assignmentId, {
        limit: 3,
        order: 'asc',
        after: seen.at(-1),
      });
      seen.push(...items.map(placeId));
      if (!wasWriting && !hasMore) break;
    }
    await writing;

    expect(seen).toEqual((await read(staged)).map(placeId));
  });

  it('is cut where the messages are too large for one answer, and goes on there', async () => {
    const staged = await stageAssignment(workspace, walk);
    await workspace.database.inWorkspace(staged.workspaceId, (tx) =>
      tx.raw(
        `insert into messages (workspace_id, chat_id, role, author, content)
         select ?, ?, 'user', 'member', to_jsonb(repeat('x', 900000)) from generate_series(1, 4)`,
        [staged.workspaceId, staged.chatId],
      ),
    );
    await select(staged, 'Rest', { byOperator: true });

    const first = await readTimeline(workspace.context(), staged.assignmentId, everything);
    const rest = await readTimeline(workspace.context(), staged.assignmentId, {
      ...everything,
      after: placeId(first.items.at(-1) ?? { revision: 0, entryId: 0 }),
    });

    expect(first.hasMore).toBe(true);
    const largeIn = (items: typeof first.items) =>
      items.filter((item) => 'message' in item && String(item.message.content).startsWith('xxx')).length;
    expect([largeIn(first.items), largeIn(rest.items)]).toEqual([2, 2]);
    expect(rest.hasMore).toBe(false);
    expect(rest.items.at(-1)).toMatchObject({ entry: { kind: 'timer_set' } });
  });
});
