import { beforeAll, describe, expect, it } from 'vitest';
import { insertLabel, removeLabel } from '../../../../db/lib/labels.js';
import { memberLabelTable, pinMemberLabels } from '../../../../db/people/member-labels.js';
import { lockIdentifiers, lockMembers } from '../../../../db/people/write-members.js';
import { applyLabelChange } from '../../../../domain/kernel/apply-label-change.js';
import { memberLabels } from '../../../../domain/people/member-labels/member-labels.js';
import {
  type AddedMember,
  addMembers,
  type NewMember,
} from '../../../../domain/people/members/add-member.js';
import { changeMembers, type MemberChange } from '../../../../domain/people/members/change-member.js';
import { importMemberRows } from '../../../../domain/people/members/transfer/import-batch.js';
import { whenWaitedFor, whenWaiting } from '../../../support/db/locks.js';
import { addMemberRow, randomTag, uniqueEmail, uniquePhone } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const setup = useWorkspace({ storesEvents: true });
let memberRoleId: number;
const now = new Date('2030-01-02T03:04:05.678Z');

beforeAll(() => {
  memberRoleId = setup.workspace.roles.member.id;
});

const add = (...members: Omit<NewMember, 'isVouchedFor'>[]) =>
  setup.workspace.within((tx) =>
    addMembers(
      tx,
      { now },
      members.map((member) => ({ ...member, isVouchedFor: true })),
    ),
  );
const change = (...changes: MemberChange[]) =>
  setup.workspace.within((tx) => changeMembers(tx, { now }, changes));
const person = (values = {}) => addMemberRow(setup.workspace, { memberRoleId, ...values });
const newLabel = (name = 'Label') =>
  setup.workspace.within((tx) =>
    insertLabel(tx, memberLabelTable, { name, slug: `label-${randomTag()}`, color: '#112233' }, now),
  );

/** With what its run does. */
const deletionOf = async (labelId: number) => {
  const { workspaceId } = setup.workspace;
  const existed = await setup.workspace.within((tx) => removeLabel(tx, memberLabelTable, labelId));
  await applyLabelChange(setup.workspace.context(), memberLabels, { workspaceId, labelId });
  return existed;
};

/** The events about a member, in order. */
const eventsOf = async (memberId: number) => {
  const rows = await setup.workspace.within(async (tx) =>
    tx<{ body: string }>('events').where('event_type', 'member:updated').orderBy('id').select('body'),
  );
  return rows.map(({ body }) => JSON.parse(body).member).filter(({ id }) => id === memberId);
};
const countWith = async (email: string) =>
  (await setup.workspace.within(async (tx) => tx('members').where({ email }).select('id'))).length;

describe('addMembers', () => {
  it('adds many members in order, with labels sorted by name, in a fixed number of statements', async () => {
    const [zebra, ant] = [await newLabel('Zebra'), await newLabel('Ant')];
    const members = Array.from({ length: 500 }, (_, index) => ({
      values: { memberRoleId, name: `Person ${index}`, email: uniqueEmail() },
      labelIds: [zebra.id, ant.id],
    }));

    const added = await add(...members);

    expect(added.map((one) => (one.status === 'created' ? one.member.name : one.status))).toEqual(
      members.map(({ values }) => values.name),
    );
    const ids = added.flatMap((one) => (one.status === 'created' ? one.member.id : []));
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    expect(added[0]).toMatchObject({
      status: 'created',
      member: {
        kind: 'human',
        memberRoleName: 'Member',
        phone: null,
        notifySms: true,
        createdAt: now,
        labels: [
          { id: ant.id, name: 'Ant' },
          { id: zebra.id, name: 'Zebra' },
        ],
      },
    });
  });

  it('reports each identifier that is taken and by which member, and adds the other members', async () => {
    const known = await person({ externalId: `ext-${randomTag()}` });
    const email = uniqueEmail();

    const added = await add(
      { values: { memberRoleId, email, name: 'First' } },
      { values: { memberRoleId, email } },
      { values: { memberRoleId, email: uniqueEmail(), phone: known.phone, externalId: known.externalId } },
    );

    const first = added[0]?.status === 'created' ? added[0].member : undefined;
    expect(first).toMatchObject({ email, name: 'First' });
    expect(added.slice(1)).toEqual([
      { status: 'taken', taken: { email: first?.id } },
      { status: 'taken', taken: { phone: known.id, externalId: known.id } },
    ]);
  });

  it('adds one of fifty members with the same email that are added at once', async () => {
    const email = uniqueEmail();

    const added = await Promise.all(
      Array.from({ length: 50 }, () => add({ values: { memberRoleId, email, phone: uniquePhone() } })),
    );

    const created = added.flatMap(([one]) => (one?.status === 'created' ? one.member.id : []));
    expect(created).toHaveLength(1);
    expect(added.flat().filter(({ status }) => status !== 'created')).toEqual(
      Array.from({ length: 49 }, () => ({ status: 'taken', taken: { email: created[0] } })),
    );
    expect(await countWith(email)).toBe(1);
  });

  it('ignores a label that no longer exists', async () => {
    const label = await newLabel();

    const [added] = await add({ values: { memberRoleId, name: 'A' }, labelIds: [987_654_321, label.id] });

    expect(added).toMatchObject({ status: 'created', member: { labels: [{ id: label.id }] } });
  });
});

describe('changeMembers', () => {
  it('writes an event with the new state for each member that changes', async () => {
    const [one, two, three] = [await person(), await person(), await person()];
    const label = await newLabel();

    const changed = await change(
      { member: one, changes: { name: 'New', description: null } },
      { member: two, changes: { name: two.name, email: two.email } },
      { member: three, changes: {}, labelIds: [label.id] },
    );

    expect(changed).toMatchObject([
      { status: 'updated', member: { name: 'New', updatedAt: now } },
      { status: 'unchanged', member: { name: two.name, updatedAt: two.updatedAt } },
      { status: 'updated', member: { labels: [{ id: label.id }] } },
    ]);
    expect(await eventsOf(one.id)).toMatchObject([{ name: 'New', updatedAt: now.toISOString() }]);
    expect(await eventsOf(two.id)).toEqual([]);
    expect(await eventsOf(three.id)).toMatchObject([{ labels: [{ id: label.id, slug: label.slug }] }]);
    const again = await change({ member: three, changes: {}, labelIds: [label.id, label.id] });
    expect(again).toMatchObject([{ status: 'unchanged' }]);
    expect(await eventsOf(three.id)).toHaveLength(1);
  });

  it('replaces labels, and keeps those that stay', async () => {
    const [gone, kept, added] = [await newLabel('A'), await newLabel('B'), await newLabel('C')];
    const member = await person();
    await change({ member, changes: {}, labelIds: [gone.id, kept.id] });

    const [result] = await change({ member, changes: {}, labelIds: [added.id, kept.id] });

    expect(result).toMatchObject({ status: 'updated', member: { labels: [{ name: 'B' }, { name: 'C' }] } });
    expect(await change({ member, changes: { name: 'X' } })).toMatchObject([
      { member: { labels: [{ name: 'B' }, { name: 'C' }] } },
    ]);
    expect(await change({ member, changes: {}, labelIds: [] })).toMatchObject([{ member: { labels: [] } }]);
  });

  it('applies several changes of one member in order, with one event for the last state', async () => {
    const member = await person();

    const changed = await change(
      { member, changes: { name: 'First', locale: 'de' } },
      { member, changes: { name: 'Second' } },
    );

    expect(changed).toMatchObject([
      { status: 'updated', member: { name: 'First' } },
      { status: 'updated', member: { name: 'Second', locale: 'de' } },
    ]);
    expect(await eventsOf(member.id)).toMatchObject([{ name: 'Second', locale: 'de' }]);
  });

  it('reports each identifier that is taken, also by an earlier change of the same call, and applies the others', async () => {
    const [one, two, three] = [await person(), await person(), await person()];
    const email = uniqueEmail();

    const changed = await change(
      { member: one, changes: { email } },
      { member: two, changes: { email, name: 'Never' } },
      { member: three, changes: { phone: two.phone } },
    );

    expect(changed).toMatchObject([
      { status: 'updated' },
      { status: 'taken', taken: { email: one.id } },
      { status: 'taken', taken: { phone: two.id } },
    ]);
    expect(await eventsOf(two.id)).toEqual([]);
  });

  it('reports a missing member as gone', async () => {
    expect(await change({ member: { id: 987_654_321 }, changes: { name: 'A' } })).toEqual([
      { status: 'gone' },
    ]);
  });

  it('stores neither change nor event when the transaction is rolled back', async () => {
    const member = await person();

    await expect(
      setup.workspace.within(async (tx) => {
        await changeMembers(tx, { now }, [{ member, changes: { name: 'Never' } }]);
        throw new Error('for the test');
      }),
    ).rejects.toThrow('for the test');

    expect(await eventsOf(member.id)).toEqual([]);
    expect(await change({ member, changes: { name: member.name } })).toMatchObject([{ status: 'unchanged' }]);
  });

  it('applies fifty changes of one member at once, each on the result of the one before', async () => {
    const member = await person();

    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        change({
          member,
          changes: index % 2 === 0 ? { name: `Name ${index}` } : { locale: `de-x-a${index}` },
        }),
      ),
    );

    const events = await eventsOf(member.id);
    expect(events).toHaveLength(50);
    const [last] = await change({ member, changes: {} });
    const { name, locale } = events.at(-1);
    expect(last).toMatchObject({ member: { name, locale } });
    for (const [index, event] of events.entries()) {
      const before = events[index - 1] ?? { name: member.name, locale: null };
      expect([before.name === event.name, before.locale === event.locale].filter(Boolean)).toHaveLength(1);
    }
  });
});

it('concurrent writers of many members in any order do not deadlock', async () => {
  const emails = Array.from({ length: 12 }, uniqueEmail);
  const phones = Array.from({ length: 12 }, uniquePhone);
  const people = await Promise.all(emails.map(() => person()));
  const rotated = <T>(list: readonly T[], by: number) => [...list.slice(by), ...list.slice(0, by)];

  const writers = Array.from({ length: 24 }, (_, turn) =>
    setup.workspace.within(async (tx) => {
      await lockIdentifiers(tx, 'many');
      const added: AddedMember[] = [];
      const wanted = rotated(emails, turn % 12).map((email, index) => ({
        values: { memberRoleId, email, phone: rotated(phones, (turn * 5) % 12)[index] ?? null },
        isVouchedFor: true,
      }));
      for (const half of [wanted.slice(0, 6), wanted.slice(6)]) {
        added.push(...(await addMembers(tx, { now }, half)));
      }
      const changed = await changeMembers(
        tx,
        { now },
        rotated(people, (turn * 7) % 12).map((member) => ({ member, changes: { name: `Turn ${turn}` } })),
      );
      return added.filter(({ status }) => status === 'created').length + changed.length;
    }),
  );
  const singles = people.map((member) =>
    change({ member, changes: { email: uniqueEmail(), phone: uniquePhone() } }),
  );

  expect((await Promise.all(writers)).toSorted()).toEqual([...Array.from({ length: 23 }, () => 12), 24]);
  for (const [single] of await Promise.all(singles)) expect(single?.status).toBe('updated');
});

it('deleting labels does not deadlock with adding and removing them on many members', async () => {
  const people = await Promise.all(Array.from({ length: 40 }, () => person()));
  const labels = await Promise.all(Array.from({ length: 6 }, () => newLabel()));
  const ids = labels.map(({ id }) => id);
  // Inserts the links in the opposite order of the members: a deletion in the order of the links would deadlock with
  // the writers.
  for (const member of people.toReversed()) await change({ member, changes: {}, labelIds: ids });
  const all = (labelIds: number[]) => change(...people.map((member) => ({ member, changes: {}, labelIds })));

  const kept = ids[5] ?? 0;
  const deletions = ids.slice(0, 5).map((id) => deletionOf(id));
  const writers = [[], [kept], ids, ids.slice(2), [ids[0] ?? 0], []].map(all);

  expect(await Promise.all(deletions)).toEqual([true, true, true, true, true]);
  for (const results of await Promise.all(writers)) expect(results).toHaveLength(people.length);
  for (const result of await all([kept]))
    expect(result).toMatchObject({ member: { labels: [{ id: kept }] } });
  const links = await setup.workspace.within(async (tx) =>
    tx('member_label_links')
      .whereIn(
        'member_id',
        people.map(({ id }) => id),
      )
      .pluck('member_label_id'),
  );
  expect(new Set(links)).toEqual(new Set([kept]));
});

it('changeMembers adds labels to a locked member while another label of the member is being deleted', async () => {
  const member = await person();
  const [doomed, wanted] = [await newLabel('Doomed'), await newLabel('Wanted')];
  await change({ member, changes: {}, labelIds: [doomed.id] });

  const deleted = await setup.workspace.within(async (tx) => {
    await pinMemberLabels(tx, [wanted.id]);
    await lockMembers(tx, [member.id]);
    const deleting = deletionOf(doomed.id);
    await whenWaitedFor(tx);
    const [added] = await changeMembers(tx, { now }, [{ member, changes: {}, moreLabelIds: [wanted.id] }]);
    expect(added).toMatchObject({ status: 'updated', member: { labels: [{ id: wanted.id }] } });
    return { deleting };
  });

  expect(await deleted.deleting).toBe(true);
  const [left] = await change({ member, changes: {} });
  expect(left).toMatchObject({ member: { labels: [{ id: wanted.id }] } });
});

it('an import that labels members does not deadlock with the deletion of the label', async () => {
  const { workspace } = setup;
  const people = [await person({ email: uniqueEmail() }), await person({ email: uniqueEmail() })];
  const label = await newLabel('Doomed');
  await change(...people.map((member) => ({ member, changes: {}, labelIds: [label.id] })));
  const settings = { columns: ['email', 'name', 'labels'], dataTypeIds: [], newMemberRoleId: memberRoleId };
  const rows = people.map(({ email }, index) => ({
    row: index + 2,
    cells: [email ?? '', 'New', label.slug],
  }));

  // The import has locked the first of them when the deletion begins, and waits for the second.
  const { imported, deleted } = await setup.workspace.within(async (tx) => {
    await lockMembers(tx, [people[1]?.id ?? 0]);
    const { actor, ...context } = workspace.context();
    const begin = async () => ({ actor, settings: { ...settings, blankCells: 'keep' as const } });
    const askedAt = context.clock.now();
    const importing = importMemberRows(context, actor.workspaceId, rows, { askedAt, begin });
    await whenWaiting(workspace, 1);
    const deleting = deletionOf(label.id);
    await whenWaiting(workspace, 2);
    return { imported: importing, deleted: deleting };
  });

  expect(await imported).toEqual(people.map(({ id }) => ({ status: 'updated', memberId: id })));
  expect(await deleted).toBe(true);
});
