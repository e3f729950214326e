import { describe, expect, it } from 'vitest';
import { describeCurrentTask } from '../../../domain/assignments/inspect-assignment.js';
import { updateAssignment } from '../../../domain/assignments/update-assignment.js';
import { updateChat } from '../../../domain/conversations/chats/update-chat.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { applyLabelChange } from '../../../domain/kernel/apply-label-change.js';
import { createLabel, deleteLabel, updateLabel } from '../../../domain/kernel/labels.js';
import { memberLabels } from '../../../domain/people/member-labels/member-labels.js';
import { updateMember } from '../../../domain/people/members/update-member.js';
import { createDataRecord } from '../../../domain/records/data-records/create-data-record.js';
import { deleteDataRecord } from '../../../domain/records/data-records/delete-data-record.js';
import { writeRecord } from '../../../domain/records/data-records/write-record.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import { pokesOf } from '../../support/chats/pokes-of.js';
import { type StagedAssignment, stageAssignment } from '../../support/chats/staged-assignment.js';
import { days, hours, minutes } from '../../support/lib/moved-clock.js';
import { addMember, randomTag, type TestMember } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace();
const stage = (rootTask: RevisionTask, options = {}) => stageAssignment(suite.workspace, rootTask, options);

const talk = (name: string, more: Partial<RevisionTask> = {}): RevisionTask => ({
  name,
  taskType: 'conversation',
  abilities: [{ abilityType: 'conclude' }],
  ...more,
});
/** Tells by its branch whether the time limit came first. */
const wait = (configuration: Record<string, unknown>): RevisionTask => ({
  name: 'Wait',
  taskType: 'wait',
  configuration,
  autoNext: true,
  children: [talk('Late', { celCondition: '"Wait" in tasks.timed_out' }), talk('In time')],
});

/** How often a change pokes the run. */
async function pokesBy(staged: StagedAssignment, change: () => Promise<unknown>): Promise<number> {
  const before = await pokesOf(suite.workspace, staged);
  await change();
  return (await pokesOf(suite.workspace, staged)) - before;
}

/** A data type with a text, and a way to write a record of it for a member. */
async function visits(isCollection = true) {
  const slug = `visits_${randomTag()}`;
  const context = suite.workspace.context();
  const type = await createDataType(context, {
    name: 'Visits',
    slug,
    isCollection,
    fields: [{ slug: 'place', name: 'Place', fieldType: 'text' }],
  });
  const write = ({ memberId }: TestMember, place: string) =>
    createDataRecord(context, type.id, { memberId, fieldValues: { place } });
  return { slug, typeId: type.id, write };
}

const rename = ({ memberId }: TestMember, name = `Name ${randomTag()}`) =>
  updateMember(suite.workspace.context(), memberId, { name });

describe('a wait for a condition', () => {
  it('is over at once where the condition holds already', async () => {
    const staged = await stage(wait({ condition: 'chat.channel == "web-chat"', atMost: 'P1D' }));

    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'In time' });
    expect(await staged.task('Wait')).toMatchObject({ endedBy: 'condition', dueAt: null });
  });

  it('continues when a record of the member makes it true, which pokes the run', async () => {
    const { slug, write } = await visits(false);
    const { member } = suite.workspace;
    const staged = await stage(
      wait({ condition: `member.form_data.${slug}.place == "Home"`, atMost: 'P3D' }),
    );
    const dueAt = staged.clock.now().getTime() + days(3);

    expect(await staged.advance()).toEqual({
      kind: 'wait',
      taskName: 'Wait',
      walk: ['Wait'],
      state: 'waits for its condition to hold, or for the time to come',
      until: staged.clock.now().getTime() + minutes(1),
      dueAt,
    });
    expect(await pokesBy(staged, () => write(member, 'Home'))).toBe(1);
    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'In time' });
    expect((await staged.task('Wait')).completedAt).toEqual(staged.clock.now());
  });

  it('stays where the change does not make it true', async () => {
    const { slug, write } = await visits(false);
    const staged = await stage(wait({ condition: `member.form_data.${slug}.place == "Home"` }));

    await write(suite.workspace.member, 'Away');

    expect(await staged.advance()).toMatchObject({
      kind: 'wait',
      state: 'waits for its condition to hold',
      dueAt: null,
    });
    expect((await staged.chat()).needsResponse).toBe(false);
  });

  it.each<[string, string, (staged: StagedAssignment, member: TestMember) => Promise<unknown>]>([
    ['the member', 'member.name == "Grown"', (_staged, member) => rename(member, 'Grown')],
    [
      'the assignment',
      'assignment.outcome == "good"',
      ({ assignmentId }) => updateAssignment(suite.workspace.context(), assignmentId, { outcome: 'good' }),
    ],
    ['messages', 'chat.message_count > 0', (staged) => staged.memberWrites('Hello')],
    [
      'the pause of the chat',
      'chat.paused',
      ({ chatId }) => updateChat(suite.workspace.context(), chatId, { paused: true }),
    ],
  ])('continues when a change of %s makes it true, which pokes the run', async (_what, condition, change) => {
    const member = await addMember(suite.workspace);
    const staged = await stage(wait({ condition }), { member });
    await staged.advance();

    expect(await pokesBy(staged, () => change(staged, member))).toBeGreaterThan(0);

    await staged.advance();
    expect(await staged.currentTask()).toBe('In time');
  });

  it('continues when a record is deleted', async () => {
    const { slug, typeId, write } = await visits();
    const member = await addMember(suite.workspace);
    const { id } = await write(member, 'Home');
    const staged = await stage(wait({ condition: `!("${slug}" in member.data)` }), { member });
    const none = await stage(wait({ condition: `size(member.data.${slug}) == 0` }), { member });
    await staged.advance();

    await deleteDataRecord(suite.workspace.context(), typeId, id);

    expect(await none.advance()).toMatchObject({ taskName: 'In time' });
  });

  it.each<[string, (id: number) => Promise<unknown>]>([
    [
      'renamed',
      (id) => updateLabel(suite.workspace.context(), memberLabels, id, { slug: `s${randomTag()}` }),
    ],
    ['deleted', (id) => deleteLabel(suite.workspace.context(), memberLabels, id)],
  ])('continues when a label of the member is %s', async (_what, change) => {
    const context = suite.workspace.context();
    const slug = `l${randomTag()}`;
    const { id } = await createLabel(context, memberLabels, { name: slug, slug });
    const member = await addMember(suite.workspace);
    await updateMember(context, member.memberId, { labelIds: [id] });
    const staged = await stage(wait({ condition: `!("${slug}" in member.labels)` }), { member });
    await staged.advance();

    expect(await pokesBy(staged, () => change(id))).toBe(0);
    const { workspaceId } = suite.workspace;
    const apply = () => applyLabelChange(context, memberLabels, { workspaceId, labelId: id });
    expect(await pokesBy(staged, apply)).toBe(1);

    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'In time' });
  });

  it('takes the branch of the time limit when that comes first', async () => {
    const staged = await stage(wait({ condition: 'assignment.is_test', atMost: 'P1D' }));
    await staged.advance();

    staged.clock.advance(days(1));

    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'Late' });
    expect(await staged.task('Wait')).toMatchObject({ endedBy: 'time_limit' });
  });

  it('counts as in time where the condition holds when the limit comes', async () => {
    const { slug, write } = await visits(false);
    const staged = await stage(wait({ condition: `member.form_data.${slug}.place != ""`, atMost: 'P1D' }));
    await staged.advance();

    await write(suite.workspace.member, 'Home');
    staged.clock.advance(days(2));

    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'In time' });
  });

  it('is looked at again after a minute and then daily, in case a wake-up was lost', async () => {
    const staged = await stage(wait({ condition: 'assignment.is_test' }));
    const begun = staged.clock.now().getTime();

    expect(await staged.advance()).toMatchObject({ until: begun + minutes(1) });
    staged.clock.advance(minutes(1));
    expect(await staged.advance()).toMatchObject({ until: begun + minutes(1) + days(1) });
  });

  it('finds what a transaction wrote that was in progress when the wait began', async () => {
    const { slug } = await visits(false);
    const member = await addMember(suite.workspace);
    const { database, workspaceId } = suite.workspace;
    const begun = await database.inWorkspace(workspaceId, async (tx) => {
      await writeRecord(tx, recordOf(slug, member, suite.workspace.context().clock.now()));
      return stage(wait({ condition: `member.form_data.${slug}.place != ""` }), { member });
    });

    expect(await pokesOf(suite.workspace, begun)).toBe(0);
    begun.clock.advance(minutes(1));
    expect(await begun.advance()).toMatchObject({ kind: 'turn', taskName: 'In time' });
  });

  it('rests while its chat is archived', async () => {
    const staged = await stage(wait({ condition: 'member.name == "Later"' }));
    await updateChat(suite.workspace.context(), staged.chatId, { archived: true });

    expect(await staged.advance()).toEqual({
      kind: 'wait',
      taskName: 'Wait',
      walk: ['Wait'],
      state: 'archived, rests until the chat is opened again',
    });
  });
});

function recordOf(dataTypeSlug: string, { memberId }: TestMember, now: Date) {
  return {
    dataTypeSlug,
    memberId,
    values: { place: 'Home' },
    assignmentTaskId: null,
    isCollecting: true,
    asMember: false,
    fileGiver: null,
    defaultRegion: 'US',
    actorMemberId: memberId,
    now,
  };
}

describe('a wait for an event', () => {
  it.each([
    ['data_record:created', 'a new record of the member'],
    ['data_record:changed', 'a new or changed record of the member'],
  ])('continues on %s after the entry, not before', async (event, words) => {
    const { write } = await visits();
    const member = await addMember(suite.workspace);
    await write(member, 'Before');
    const staged = await stage(wait({ event, atMost: 'PT8H' }), { member });

    expect(await staged.advance()).toMatchObject({
      kind: 'wait',
      state: `waits for ${words}, or for the time to come`,
    });
    expect(await pokesBy(staged, () => write(member, 'After'))).toBe(1);
    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'In time' });
    expect(await staged.task('Wait')).toMatchObject({ endedBy: 'event' });
  });

  it('continues on member:updated after the entry, also in the same instant', async () => {
    const member = await addMember(suite.workspace);
    await rename(member);
    const staged = await stage(wait({ event: 'member:updated' }), { member });
    await updateMember(staged.context, member.memberId, { name: 'First' });
    await staged.advance();
    const again = await stage(wait({ event: 'member:updated' }), { member });
    expect(await again.advance()).toMatchObject({ kind: 'wait', taskName: 'Wait' });

    await updateMember(again.context, member.memberId, { name: 'Second' });

    expect(await staged.currentTask()).toBe('In time');
    expect(await again.advance()).toMatchObject({ kind: 'turn', taskName: 'In time' });
  });

  it('continues on chat:replied', async () => {
    const staged = await stage(wait({ event: 'chat:replied', atMost: 'P1D' }));
    expect(await staged.advance()).toMatchObject({ kind: 'wait', until: expect.any(Number) });

    await staged.memberWrites('Here I am');

    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'In time' });
  });

  it('is not taken for that of another member, nor for another event', async () => {
    const { write } = await visits();
    const member = await addMember(suite.workspace);
    const staged = await stage(wait({ event: 'member:updated' }), { member });
    await staged.advance();

    expect(await pokesBy(staged, () => write(member, 'Home'))).toBe(0);
    expect(await pokesBy(staged, () => rename(suite.workspace.member))).toBe(0);

    expect(await staged.advance()).toMatchObject({ kind: 'wait' });
  });

  it('takes the branch of the time limit when that comes first', async () => {
    const staged = await stage(wait({ event: 'data_record:updated', atMost: 'PT1H' }));
    await staged.advance();

    staged.clock.advance(hours(1));

    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'Late' });
  });

  it('is found if it was written before the entry and committed after it', async () => {
    const { slug } = await visits();
    const member = await addMember(suite.workspace);
    const { database, workspaceId } = suite.workspace;
    const staged = await database.inWorkspace(workspaceId, async (tx) => {
      await writeRecord(tx, recordOf(slug, member, suite.workspace.context().clock.now()));
      const begun = await stage(wait({ event: 'data_record:created' }), { member });
      expect(await begun.advance()).toMatchObject({ kind: 'wait' });
      return begun;
    });

    staged.clock.advance(minutes(1));

    expect(await staged.advance()).toMatchObject({ kind: 'turn', taskName: 'In time' });
  });
});

describe('a wait for a time', () => {
  it('is in tasks.timed_out if a reply would have ended it, and not otherwise', async () => {
    const asked = await stage(wait({ for: 'PT1H', unlessReply: true }));
    const paused = await stage(wait({ for: 'PT1H' }));
    for (const staged of [asked, paused]) staged.clock.advance(hours(1));

    expect(await asked.advance()).toMatchObject({ taskName: 'Late' });
    expect(await paused.advance()).toMatchObject({ taskName: 'In time' });
    expect(await paused.task('Wait')).toMatchObject({ endedBy: 'time' });
  });

  it('is poked by no change of the member', async () => {
    const { write } = await visits();
    const member = await addMember(suite.workspace);
    const staged = await stage(wait({ for: 'P1D' }), { member });

    expect(await pokesBy(staged, () => write(member, 'Home'))).toBe(0);
    expect(await pokesBy(staged, () => rename(member))).toBe(0);
  });
});

describe('describeCurrentTask at a wait', () => {
  it('says what it waits for, until when', async () => {
    const staged = await stage(wait({ event: 'chat:replied', atMost: 'P1D' }));

    const { state, row } = await describeCurrentTask(suite.workspace.context(), staged.assignmentId);

    expect(state).toBe('waits for a message of the member, or for the time to come');
    expect(row.dueAt).toEqual(new Date(staged.clock.now().getTime() + days(1)));
  });
});
