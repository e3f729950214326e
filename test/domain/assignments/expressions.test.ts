import { describe, expect, it, onTestFinished } from 'vitest';
import { findAssignment } from '../../../db/assignments/assignments.js';
import { findChat } from '../../../db/conversations/chats.js';
import { celContextOf } from '../../../domain/assignments/machine/cel-context.js';
import { assemble } from '../../../domain/assignments/machine/machine.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { observeAlerts } from '../../../domain/kernel/alert-colleague.js';
import type { CelContext } from '../../../domain/lib/cel.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import { type StagedAssignment, stageAssignment } from '../../support/chats/staged-assignment.js';
import { hours } from '../../support/lib/moved-clock.js';
import { addRecords } from '../../support/records/add-records.js';
import { addMember, randomTag, type TestMember } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';
import { call, Turn, toolResult } from '../agent/take-round.js';

const suite = useWorkspace();

/** Each json field holds at most 16 KiB. */
const texts = Array.from({ length: 16 }, (_, index) => `text_${index}`);

/** Values for the first fields that together have the given number of bytes. */
function textsOf(bytes: number): Record<string, unknown> {
  const used = texts.slice(0, Math.ceil(bytes / 16_000));
  return Object.fromEntries(used.map((text) => [text, ['x'.repeat(bytes / used.length)]]));
}

const textFields = [
  { slug: 'place', name: 'Place', fieldType: 'integer' },
  ...texts.map((text) => ({ slug: text, name: 'Text', fieldType: 'json' })),
];

async function addType(isCollection = true, fields = textFields) {
  const slug = `t${randomTag().replaceAll('-', '')}`;
  return createDataType(suite.workspace.context(), { name: 'Type', slug, isCollection, fields });
}

/** Adds records of the member, each with its place and values of the given number of bytes. */
async function fill(member: TestMember, typeId: number, count: number, bytes: number) {
  for (let from = 0; from < count; from += 10) {
    const records = Array.from({ length: Math.min(10, count - from) }, (_, index) => ({
      memberId: member.memberId,
      fieldValues: { place: from + index, ...textsOf(bytes) },
    }));
    await addRecords(suite.workspace, typeId, records);
  }
}

function naming(...expressions: string[]): RevisionTask {
  const prompt = expressions.map((expression) => `{{ ${expression} }}`).join(' ');
  return {
    name: 'Ask',
    taskType: 'conversation',
    prompt,
    abilities: [{ abilityType: 'read_data' }],
    children: [{ name: 'Done', taskType: 'conclude' }],
  };
}

/** An assignment of this member at a task whose prompt has these expressions. */
const stage = (member: TestMember, ...expressions: string[]) =>
  stageAssignment(suite.workspace, naming(...expressions), { member });

/** The data of the member in the context of such an assignment. */
async function dataNamed(member: TestMember, ...expressions: string[]): Promise<CelContext['member']> {
  const staged = await stage(member, ...expressions);
  const { database, workspaceId } = suite.workspace;
  const context = await database.inWorkspace(workspaceId, async (tx) => {
    const assignment = await findAssignment(tx, staged.assignmentId);
    const chat = await findChat(tx, staged.chatId);
    if (assignment === undefined || chat === undefined) throw new Error('the assignment is gone');
    return celContextOf(await assemble(tx, staged.clock.now(), chat, assignment));
  });
  return context.member;
}

const places = (records: CelContext['member']['data'][string] | undefined) =>
  (records ?? []).map(({ place }) => place);

describe('the data of a member in expressions', () => {
  it('holds the 200 newest records of a type, oldest first, and names the type in partial_data', async () => {
    const member = await addMember(suite.workspace);
    const type = await addType();
    await fill(member, type.id, 210, 1);

    const { data, partial_data } = await dataNamed(member, `size(member.data.${type.slug})`);

    expect(places(data[type.slug])).toEqual(Array.from({ length: 200 }, (_, index) => index + 10));
    expect(partial_data).toEqual([type.slug]);
  });

  it('holds at most 512 KiB of records, with a share for each type', async () => {
    const member = await addMember(suite.workspace);
    const [crowded, small] = [await addType(), await addType()];
    await fill(member, small.id, 5, 1_000);
    await fill(member, crowded.id, 40, 30_000);

    const { data, partial_data } = await dataNamed(
      member,
      `member.data.${crowded.slug}.size()`,
      `member.data["${small.slug}"].size()`,
    );

    expect(places(data[crowded.slug])).toEqual(Array.from({ length: 17 }, (_, index) => index + 23));
    expect(places(data[small.slug])).toEqual([0, 1, 2, 3, 4]);
    expect(partial_data).toEqual([crowded.slug]);
    expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(512 * 1_024);
  });

  it('holds a single record of the largest size in full', async () => {
    const member = await addMember(suite.workspace);
    const type = await addType(false);
    const ones = Array.from({ length: 8_000 }, () => 1);
    const fieldValues = Object.fromEntries(texts.map((text) => [text, ones]));
    await addRecords(suite.workspace, type.id, [{ memberId: member.memberId, fieldValues }]);

    const { form_data, partial_data } = await dataNamed(member, `has(member.form_data.${type.slug}.text_0)`);

    expect(form_data[type.slug]).toEqual(fieldValues);
    expect(partial_data).toEqual([]);
  });

  it('omits types that the definition does not name', async () => {
    const member = await addMember(suite.workspace);
    const [named, unnamed] = [await addType(), await addType()];
    await fill(member, named.id, 1, 1);
    await fill(member, unnamed.id, 1, 1);

    const { data } = await dataNamed(member, `member.data.${named.slug}.size()`);

    expect(Object.keys(data)).toEqual([named.slug]);
  });

  it('includes every type when an expression computes the name of the type', async () => {
    const member = await addMember(suite.workspace);
    const type = await addType();
    await fill(member, type.id, 1, 1);

    const { data } = await dataNamed(member, 'member.data[member.locale].size()');

    expect(Object.keys(data)).toContain(type.slug);
  });
});

describe('read_data', () => {
  it('returns the newest records that fit into 64 KiB, with a note that there are more', async () => {
    const member = await addMember(suite.workspace);
    const type = await addType();
    await fill(member, type.id, 12, 20_000);
    const staged = await stage(member, 'member.name');

    const { toolCallIds } = await new Turn(staged).run(call(['read_data', { dataType: type.slug }]));
    const result = await toolResult(staged, toolCallIds[0] ?? '');

    expect(result).toMatchObject({ ok: true, note: 'Only the newest records are here.' });
    expect(places((result as { records: { place: number }[] }).records)).toEqual([9, 10, 11]);
  });
});

/** A member with 200 records, each a list of 200 numbers. Comparing all of them takes hundreds of milliseconds. */
async function crowdedMember() {
  const type = await addType(true, [{ slug: 'list', name: 'List', fieldType: 'json' }]);
  const member = await addMember(suite.workspace);
  const list = Array.from({ length: 200 }, () => 1);
  const records = Array.from({ length: 200 }, () => ({ memberId: member.memberId, fieldValues: { list } }));
  await addRecords(suite.workspace, type.id, records);
  const all = `member.data.${type.slug}`;
  return { member, cheap: `${all}.size() > 0`, costly: `${all}.exists(x, ${all}.exists(y, x != y))` };
}

/** Gives a published task an expression that the previous release accepted and this one rejects. */
async function publishAsBefore(staged: StagedAssignment, name: string, changes: Record<string, unknown>) {
  await suite.workspace.database.inWorkspace(staged.workspaceId, async (tx) => {
    await tx('workflow_tasks').where({ revision_id: staged.revisionId, name }).update(changes);
  });
}

describe('an expression that takes too long', () => {
  const failed = { needsResponse: true, needsResponseReason: 'expression_failed' };

  it('leaves the assignment at its task and alerts a colleague', async () => {
    const { member, cheap, costly } = await crowdedMember();
    const tasks: RevisionTask = {
      name: 'Wait',
      taskType: 'wait',
      configuration: { for: 'PT1H' },
      autoNext: true,
      children: [{ ...naming(), name: 'Chosen', celCondition: cheap }],
    };
    const staged = await stageAssignment(suite.workspace, tasks, { member });
    await publishAsBefore(staged, 'Chosen', { cel_condition: costly });
    staged.clock.advance(hours(2));

    const next = await staged.advance();

    expect(next).toMatchObject({ kind: 'wait', taskName: 'Wait' });
    expect(await staged.chat()).toMatchObject(failed);
    expect(await staged.assignment()).toMatchObject({ status: 'active' });
  });

  it('leaves a decision undecided and alerts a colleague', async () => {
    const { member, cheap, costly } = await crowdedMember();
    const children = [{ ...naming(), name: 'Chosen', celCondition: `!(${cheap})` }];
    const decision: RevisionTask = { name: 'Which', taskType: 'decision', children };
    const staged = await stageAssignment(suite.workspace, decision, { member });
    await publishAsBefore(staged, 'Chosen', { cel_condition: costly });

    expect(await staged.advance()).toMatchObject({ kind: 'wait', taskName: 'Which' });

    expect(await staged.chat()).toMatchObject({ ...failed, standingReason: 'expression_failed' });
    expect(await staged.task('Which')).toMatchObject({ completedAt: null });
  });

  it('alerts a colleague once when a wait is for it, and the time limit ends the wait', async () => {
    const { member, cheap, costly } = await crowdedMember();
    const waiting: RevisionTask = {
      name: 'Wait',
      taskType: 'wait',
      configuration: { condition: `!(${cheap})`, atMost: 'PT1H' },
      autoNext: true,
      children: [naming()],
    };
    const staged = await stageAssignment(suite.workspace, waiting, { member });
    await publishAsBefore(staged, 'Wait', { configuration: { condition: costly, atMost: 'PT1H' } });
    const calls: string[] = [];
    onTestFinished(observeAlerts(({ reason }) => void calls.push(reason)));

    const state =
      'its condition, or those of the next tasks, cannot be evaluated; waits for the time to come';
    expect(await staged.advance()).toMatchObject({ kind: 'wait', taskName: 'Wait', state });
    await staged.advance();

    expect(await staged.chat()).toMatchObject(failed);
    expect(calls).toEqual(['expression_failed']);
    staged.clock.advance(hours(1));
    await staged.advance();
    expect(await staged.task('Wait')).toMatchObject({ endedBy: 'time_limit' });
    expect((await staged.chat()).needsResponse).toBe(false);
  });

  it('alerts a colleague when it is in the prompt, and waits until the member writes again', async () => {
    const { member, cheap, costly } = await crowdedMember();
    const staged = await stage(member, cheap);
    await publishAsBefore(staged, 'Ask', { prompt: `{{ ${costly} }}` });

    const prepared = await new Turn(staged).prepare();

    expect(prepared).toEqual({ kind: 'settled', result: { kind: 'nothing_to_say' } });
    expect(await staged.chat()).toMatchObject(failed);
    expect(await staged.advance()).toMatchObject({ kind: 'wait' });
  });
});
