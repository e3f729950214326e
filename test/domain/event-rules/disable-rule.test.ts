import { expect, it } from 'vitest';
import { type EventRuleRow, findEventRule, updateEventRule } from '../../../db/queries/event-rules.js';
import { disableRule } from '../../../domain/event-rules/disable-rule.js';
import { addEventRule } from '../../support/event-rules.js';
import { addMemberRow, addRole, createWorkspace, type TestWorkspace } from '../../support/factories.js';
import { useWorkspace } from '../../support/use-workspace.js';

const setup = useWorkspace();
const now = new Date('2026-03-01T12:00:00Z');

async function scene(): Promise<{ workspace: TestWorkspace; rule: EventRuleRow }> {
  const workspace = await createWorkspace(setup.database.database);
  return { workspace, rule: await addEventRule(workspace) };
}

function disable(
  { workspace, rule }: Awaited<ReturnType<typeof scene>>,
  reason: 'gone' | 'failing' = 'gone',
) {
  return workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
    disableRule(tx, { eventRuleId: rule.id, reason, now }),
  );
}

function read({ workspace, rule }: Awaited<ReturnType<typeof scene>>) {
  return workspace.database.inWorkspace(workspace.workspaceId, async (tx) => ({
    rule: await findEventRule(tx, rule.id),
    notices: await tx('event_rule_notices').where({ event_rule_id: rule.id }).orderBy('id'),
    runs: await tx('outbox').where({ run_type: 'sendRuleNotice' }).orderBy('id'),
  }));
}

it('disables the rule, and has each admin told in a run of its own', async () => {
  const made = await scene();
  const { workspace } = made;
  const other = await addMemberRow(workspace, { memberRoleId: workspace.roles.admin.id });
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

it('tells nobody who is no admin, cannot be written to, is gone or wants no mail', async () => {
  const made = await scene();
  const { workspace } = made;
  const { id: memberRoleId } = await addRole(workspace, { permissions: ['event_rules:write'] });
  const admin = { memberRoleId: workspace.roles.admin.id };
  await addMemberRow(workspace, { ...admin, email: null });
  await addMemberRow(workspace, { ...admin, notifyEmail: false });
  await addMemberRow(workspace, { ...admin, kind: 'assistant' });
  const gone = await addMemberRow(workspace, admin);
  await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
    tx('members').where({ id: gone.id }).update({ deleted_at: now }),
  );
  const byPermission = await addMemberRow(workspace, { memberRoleId });
  await disable(made);

  const { notices } = await read(made);
  expect(notices.map(({ member_id }) => member_id)).toEqual([workspace.admin.memberId, byPermission.id]);
});

it('tells fifty at most', async () => {
  const made = await scene();
  const { workspace } = made;
  for (let count = 0; count < 51; count += 1) {
    await addMemberRow(workspace, { memberRoleId: workspace.roles.admin.id });
  }
  await disable(made);
  expect((await read(made)).notices).toHaveLength(50);
});

it('does so once, however many find out at once', async () => {
  const made = await scene();
  await Promise.all(
    Array.from({ length: 50 }, (_, index) => disable(made, index % 2 === 0 ? 'gone' : 'failing')),
  );
  const { notices, runs } = await read(made);
  expect(notices).toHaveLength(1);
  expect(runs).toHaveLength(1);
});

it('leaves one that a member disabled or deleted as it is', async () => {
  const [disabled, deleted] = [await scene(), await scene()];
  const before = new Date('2026-02-01T00:00:00Z');
  const changes = { enabled: false, disabledAt: before, disabledReason: 'by_member' as const };
  await disabled.workspace.database.inWorkspace(disabled.workspace.workspaceId, (tx) =>
    updateEventRule(tx, disabled.rule.id, changes),
  );
  await deleted.workspace.database.inWorkspace(deleted.workspace.workspaceId, (tx) =>
    updateEventRule(tx, deleted.rule.id, { deletedAt: before }),
  );
  await Promise.all([disable(disabled), disable(deleted)]);

  expect(await read(disabled)).toMatchObject({ rule: changes, notices: [], runs: [] });
  expect(await read(deleted)).toMatchObject({ rule: undefined, notices: [], runs: [] });
});
