import { expect, it } from 'vitest';
import { type EventRuleRow, findEventRule, patchEventRule } from '../../../../db/events/event-rules.js';
import { maxNoticesADay } from '../../../../domain/channels/outreach/gate.js';
import { disableRule } from '../../../../domain/events/event-rules/disable-rule.js';
import { type Occurrence, observeOccurrences } from '../../../../domain/kernel/occurrences.js';
import { hours } from '../../../support/lib/moved-clock.js';
import { addEventRule } from '../../../support/webhooks/event-rules.js';
import {
  addMemberRow,
  addRole,
  createWorkspace,
  type TestWorkspace,
  uniqueEmail,
} from '../../../support/workspace/factories.js';
import { proveEmail } from '../../../support/workspace/prove-email.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const setup = useWorkspace();
const now = new Date('2026-03-01T12:00:00Z');

async function scene(): Promise<{ workspace: TestWorkspace; rule: EventRuleRow }> {
  const workspace = await createWorkspace(setup.database.database);
  await proveEmail(workspace, workspace.admin.memberId);
  return { workspace, rule: await addEventRule(workspace) };
}

/** Adds a member with a proved address, an admin by default. */
async function addProved(workspace: TestWorkspace, values: object = {}) {
  const { id } = await addMemberRow(workspace, { memberRoleId: workspace.roles.admin.id, ...values });
  return { id, ...(await proveEmail(workspace, id)) };
}

function disable(
  { workspace, rule }: Awaited<ReturnType<typeof scene>>,
  reason: 'gone' | 'failing' = 'gone',
) {
  return workspace.within((tx) => disableRule(tx, { eventRuleId: rule.id, reason, now }));
}

function read({ workspace, rule }: Awaited<ReturnType<typeof scene>>) {
  return workspace.within(async (tx) => ({
    rule: await findEventRule(tx, rule.id),
    notices: await tx('event_rule_notices').where({ event_rule_id: rule.id }).orderBy('id'),
    runs: await tx('outbox').where({ run_type: 'sendRuleNotice' }).orderBy('id'),
  }));
}

it('disableRule disables the rule and starts a run for the notice to each admin', async () => {
  const made = await scene();
  const { workspace } = made;
  const other = await addProved(workspace);
  await disable(made, 'failing');

  const { rule, notices, runs } = await read(made);
  expect(rule).toMatchObject({ enabled: false, disabledAt: now, disabledReason: 'failing', updatedAt: now });
  expect(notices).toMatchObject([
    { member_id: workspace.admin.memberId, reason: 'failing', created_at: now, claimed_at: null },
    { member_id: other.id, reason: 'failing', sent_at: null, failure_reason: null },
  ]);
  expect(runs.map(({ subject, action, input }) => ({ subject, action, input }))).toEqual(
    notices.map(({ uuid, id }) => ({
      subject: uuid,
      action: 'start',
      input: {
        noticeId: id,
        ruleId: made.rule.id,
        reason: 'failing',
        workspaceId: workspace.workspaceId,
        workspaceUuid: workspace.workspaceUuid,
      },
    })),
  );
});

it('disableRule notifies only human admins who accept mail, at addresses that they have proved', async () => {
  const made = await scene();
  const { workspace } = made;
  const { identity } = workspace.database;
  const { id: memberRoleId } = await addRole(workspace, { permissions: ['event_rules:write'] });
  const change = (id: number, values: object) =>
    workspace.within((tx) => tx('members').where({ id }).update(values));

  await addProved(workspace, { memberRoleId: workspace.roles.member.id });
  await addProved(workspace, { notifyEmail: false });
  await addProved(workspace, { kind: 'assistant' });
  await change((await addProved(workspace)).id, { deleted_at: now });
  await change((await addProved(workspace)).id, { disabled_at: now });
  await change((await addProved(workspace)).id, { email: null });
  // The address was set by the workspace: there is no account with it, or the account has proved another address.
  await addMemberRow(workspace, { memberRoleId: workspace.roles.admin.id });
  await change((await addProved(workspace)).id, { email: uniqueEmail() });
  await identity.accounts.update((await addProved(workspace)).accountId, { emailVerifiedAt: null });
  await identity.accounts.update((await addProved(workspace)).accountId, { enabled: false });
  await identity.accounts.update((await addProved(workspace)).accountId, { optedOut: true });
  const byPermission = await addProved(workspace, { memberRoleId });
  await disable(made);

  const { notices } = await read(made);
  expect(notices.map(({ member_id }) => member_id)).toEqual([workspace.admin.memberId, byPermission.id]);
});

it('disableRule reports to operators when no admin has a proved address, and the rule keeps its reason', async () => {
  const made = await scene();
  const { workspace } = made;
  await workspace.database.identity.accounts.update(workspace.admin.accountId, { emailVerifiedAt: null });
  const told: Occurrence[] = [];
  const stop = observeOccurrences((happening) => told.push(happening));
  await disable(made);
  stop();

  const { rule, notices } = await read(made);
  expect(notices).toEqual([]);
  expect(rule).toMatchObject({ enabled: false, disabledReason: 'gone' });
  const { workspaceId } = workspace;
  expect(told.filter((happening) => happening.workspaceId === workspaceId)).toEqual([
    { kind: 'rule_disabled', workspaceId, reason: 'gone' },
    { kind: 'notice_not_sent', workspaceId, reason: 'nobody_to_tell' },
  ]);
});

it('disableRule notifies an admin at most twenty times a day', async () => {
  const made = await scene();
  const { workspace } = made;
  await workspace.within(async (tx) => {
    const notice = {
      workspace_id: workspace.workspaceId,
      event_rule_id: made.rule.id,
      member_id: workspace.admin.memberId,
      reason: 'gone',
    };
    const claimed = (msAgo: number, more: object) => {
      const at = new Date(now.getTime() - msAgo);
      return { ...notice, created_at: at, claimed_at: at, ...more };
    };
    const rows = Array.from({ length: maxNoticesADay - 1 }, (_, index) => claimed(index, { sent_at: now }));
    await tx('event_rule_notices').insert([
      ...rows,
      claimed(1, { failure_reason: 'unproved_address' }),
      claimed(hours(24), { sent_at: now }),
    ]);
  });
  const count = async () => (await read(made)).notices.length;
  const before = await count();

  const second = { workspace, rule: await addEventRule(workspace) };
  await disable(second);
  expect((await read(second)).notices).toHaveLength(1);
  await workspace.within((tx) =>
    tx('event_rule_notices').where({ event_rule_id: second.rule.id }).update({ claimed_at: now }),
  );
  await disable(made);
  expect(await count()).toBe(before);

  const third = { workspace, rule: await addEventRule(workspace) };
  await workspace.within((tx) =>
    disableRule(tx, { eventRuleId: third.rule.id, reason: 'gone', now: new Date(now.getTime() + hours(24)) }),
  );
  expect((await read(third)).notices).toHaveLength(1);
});

it('disableRule notifies an admin who has been told all day that chats wait', async () => {
  const made = await scene();
  const { workspace } = made;
  await workspace.within(async (tx) => {
    const sent = {
      workspace_id: workspace.workspaceId,
      member_id: workspace.admin.memberId,
      channel: 'email',
    };
    const times = { created_at: now, claimed_at: now, sent_at: now };
    await tx('handoff_notices').insert(Array.from({ length: 96 }, () => ({ ...sent, ...times })));
  });
  await disable(made);
  expect((await read(made)).notices).toHaveLength(1);
});

it('disableRule notifies at most fifty admins', async () => {
  const made = await scene();
  const { workspace } = made;
  for (let count = 0; count < 51; count += 1) await addProved(workspace);
  await disable(made);
  expect((await read(made)).notices).toHaveLength(50);
});

it('disableRule disables and notifies once when it is called many times at once', async () => {
  const made = await scene();
  await Promise.all(
    Array.from({ length: 50 }, (_, index) => disable(made, index % 2 === 0 ? 'gone' : 'failing')),
  );
  const { notices, runs } = await read(made);
  expect(notices).toHaveLength(1);
  expect(runs).toHaveLength(1);
});

it('disableRule leaves a rule unchanged that a member disabled or deleted', async () => {
  const [disabled, deleted] = [await scene(), await scene()];
  const before = new Date('2026-02-01T00:00:00Z');
  const changes = { enabled: false, disabledAt: before, disabledReason: 'by_member' as const };
  await disabled.workspace.within((tx) => patchEventRule(tx, disabled.rule.id, changes));
  await deleted.workspace.within((tx) => patchEventRule(tx, deleted.rule.id, { deletedAt: before }));
  await Promise.all([disable(disabled), disable(deleted)]);

  expect(await read(disabled)).toMatchObject({ rule: changes, notices: [], runs: [] });
  expect(await read(deleted)).toMatchObject({ rule: undefined, notices: [], runs: [] });
});
