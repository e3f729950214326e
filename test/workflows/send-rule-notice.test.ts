import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EventRuleNoticeRow, patchNotice } from '../../db/events/event-rule-notices.js';
import type { EventRuleRow } from '../../db/events/event-rules.js';
import { disableRule } from '../../domain/events/event-rules/disable-rule.js';
import { enableEventRule } from '../../domain/events/event-rules/enable-event-rule.js';
import { waitFor } from '../support/lib/wait-for.js';
import { startSystem, type TestSystem } from '../support/system/system.js';
import { addEventRule } from '../support/webhooks/event-rules.js';
import {
  addMemberRow,
  createWorkspace,
  type TestWorkspace,
  uniqueEmail,
} from '../support/workspace/factories.js';
import { proveEmail } from '../support/workspace/prove-email.js';
import { readable, recordRun, summariesOf } from './histories.js';

let system: TestSystem;
/** How far the service’s clock is ahead of the real time. */
let aheadMs = 0;
const now = () => new Date(Date.now() + aheadMs);

beforeAll(async () => {
  system = await startSystem({ clock: { now }, worker: false });
  await system.startWorker();
});
afterAll(() => system.stop());

interface Scene {
  workspace: TestWorkspace;
  rule: EventRuleRow;
  email: string;
}

/** A workspace with a rule and one admin with a proved email. */
async function scene(name = 'Records to the archive'): Promise<Scene> {
  const workspace = await createWorkspace(system.database, { name: 'Demo Clinic' });
  const { email } = await proveEmail(workspace, workspace.admin.memberId);
  const url = 'https://receiver.example.com:8443/hooks?token=secret-in-url';
  return { workspace, email, rule: await addEventRule(workspace, { name, url }) };
}

function change(workspace: TestWorkspace, values: object): Promise<unknown> {
  return workspace.within((tx) => tx('members').where({ id: workspace.admin.memberId }).update(values));
}

function disable({ workspace, rule }: Scene, reason: 'gone' | 'failing' = 'gone'): Promise<void> {
  return system.database.inWorkspace(workspace.workspaceId, (tx) =>
    disableRule(tx, { eventRuleId: rule.id, reason, now: now() }),
  );
}

type Notice = Pick<EventRuleNoticeRow, 'id' | 'uuid'> & {
  failure_reason: string | null;
  sent_at: Date | null;
};

function notices({ workspace, rule }: Scene): Promise<Notice[]> {
  return system.database.inWorkspace(workspace.workspaceId, async (tx) =>
    tx('event_rule_notices').where({ event_rule_id: rule.id }).orderBy('id'),
  );
}

async function notice(of: Scene): Promise<Notice> {
  const [only, ...more] = await notices(of);
  if (only === undefined || more.length > 0) throw new Error('there is not just one notice');
  return only;
}

/** The outcome of the run, which the relay may not have started yet. */
const outcome = ({ uuid }: Notice) =>
  waitFor(
    'the run has ended',
    async () => (await system.run('sendRuleNotice', uuid).result()).outcome as string,
  );

describe('the sendRuleNotice run', () => {
  it.each([
    ['gone', 'status 410'],
    ['failing', 'for five days'],
  ] as const)('mails the admin that a rule was disabled and why: %s', async (reason, why) => {
    const made = await scene();
    await disable(made, reason);
    expect(await outcome(await notice(made))).toBe('sent');

    const [message, ...more] = await system.mail.sentTo(made.email);
    expect(more).toEqual([]);
    expect(message?.subject).toBe('An event rule was disabled');
    const parts = ['"Records to the archive"', '"Demo Clinic"', why, `/event-rules/${made.rule.id}/enable`];
    for (const part of parts) expect(message?.text).toContain(part);
    for (const word of ['receiver.example.com', 'secret-in-url']) expect(message?.text).not.toContain(word);
    expect(await notice(made)).toMatchObject({ sent_at: expect.any(Date), failure_reason: null });
  });

  it('quotes and sanitises names from users', async () => {
    const made = await scene(
      'One\r\nBcc: other@example.com\n\n4. <b>See</b> https://evil.example or call +1 555 010 0100',
    );
    await disable(made);
    expect(await outcome(await notice(made))).toBe('sent');
    const [message] = await system.mail.sentTo(made.email);
    expect(message?.subject).toBe('An event rule was disabled');
    expect(message?.text).toContain('"One Bcc other example com 4 b See b https evil example or c…"');
    expect(message?.text.split('\n').filter((line) => line.startsWith('4.'))).toEqual([]);
    for (const part of ['evil.example', '<b>', '010 0100', '@']) expect(message?.text).not.toContain(part);
    expect(await system.mail.sentTo('other@example.com')).toEqual([]);
  });

  it('mails each admin, even if the mail to another fails', async () => {
    const made = await scene();
    const memberRoleId = made.workspace.roles.admin.id;
    const addAdmin = async () => {
      const { id } = await addMemberRow(made.workspace, { memberRoleId });
      return (await proveEmail(made.workspace, id)).email;
    };
    const [refused, other] = [await addAdmin(), await addAdmin()];
    await system.mail.plan({ to: refused, reply: 550 });
    await disable(made);
    expect(await Promise.all((await notices(made)).map(outcome))).toEqual(['sent', 'failed', 'sent']);
    expect((await notices(made))[1]).toMatchObject({ failure_reason: 'mail_550', sent_at: null });
    expect(await system.mail.sentTo(other)).toHaveLength(1);
  });

  it('retries after a temporary mail error, and sends once', async () => {
    const made = await scene();
    await system.mail.plan({ to: made.email, reply: 451 });
    await disable(made);
    expect(await outcome(await notice(made))).toBe('sent');
    expect(await system.mail.sentTo(made.email)).toHaveLength(1);
  });

  it('never retries if it is unknown whether the mail was sent', async () => {
    const made = await scene();
    await system.mail.plan({ to: made.email, hangUp: true });
    await disable(made);
    expect(await outcome(await notice(made))).toBe('unknown_outcome');
    expect(await system.mail.sentTo(made.email)).toHaveLength(1);
    expect(await notice(made)).toMatchObject({ failure_reason: 'unknown_outcome', sent_at: null });
  });

  it('sends nothing if a crashed worker has claimed the notice', async () => {
    const made = await scene();
    await system.stopWorker();
    await disable(made);
    const { id } = await notice(made);
    await system.database.inWorkspace(made.workspace.workspaceId, (tx) =>
      patchNotice(tx, id, { claimedAt: now() }),
    );
    await system.startWorker();
    expect(await outcome(await notice(made))).toBe('claimed_before');
    expect(await system.mail.sentTo(made.email)).toEqual([]);
  });

  it('sends nothing out of date: rule enabled again, disabled anew or deleted, or notice days old', async () => {
    const [enabled, anew, deleted, old] = [await scene(), await scene(), await scene(), await scene()];
    await system.stopWorker();
    for (const made of [enabled, anew, deleted, old]) await disable(made);
    const context = { ...enabled.workspace.context(), clock: { now } };
    await enableEventRule(context, enabled.rule.id);
    await enableEventRule({ ...anew.workspace.context(), clock: { now } }, anew.rule.id);
    aheadMs += 1_000;
    await disable(anew, 'failing');
    await system.database.inWorkspace(deleted.workspace.workspaceId, (tx) =>
      tx('event_rules').where({ id: deleted.rule.id }).update({ deleted_at: now() }),
    );
    await system.database.inWorkspace(old.workspace.workspaceId, async (tx) => {
      const before = new Date(now().getTime() - 3 * 24 * 3_600_000);
      await tx('event_rules').where({ id: old.rule.id }).update({ disabled_at: before });
      await tx('event_rule_notices').where({ event_rule_id: old.rule.id }).update({ created_at: before });
    });
    await system.startWorker();

    for (const made of [enabled, deleted, old]) {
      expect(await outcome(await notice(made))).toBe('out_of_date');
      expect(await system.mail.sentTo(made.email)).toEqual([]);
      expect(await notice(made)).toMatchObject({ failure_reason: 'out_of_date', sent_at: null });
    }
    expect(await Promise.all((await notices(anew)).map(outcome))).toEqual(['out_of_date', 'sent']);
    const sent = await system.mail.sentTo(anew.email);
    expect(sent).toMatchObject([{ text: expect.stringContaining('for five days') }]);
  });

  it('sends nothing to a recipient that is no longer allowed, and stores the reason', async () => {
    const { accounts, memberships } = system.database.identity;
    const left = async ({ workspace }: Scene) => {
      await memberships.remove(workspace.workspaceId, workspace.admin.memberId);
      await change(workspace, { deleted_at: now() });
    };
    const account = (changes: Parameters<typeof accounts.update>[1]) => (made: Scene) =>
      accounts.update(made.workspace.admin.accountId, changes);
    const member = (values: object) => (made: Scene) => change(made.workspace, values);
    const cases: [string, (made: Scene) => Promise<unknown>][] = [
      ['no_admin', (made) => change(made.workspace, { member_role_id: made.workspace.roles.member.id })],
      ['member_deleted', left],
      ['member_disabled', member({ disabled_at: now() })],
      ['member_disabled', account({ enabled: false })],
      ['notifications_disabled', member({ notify_email: false })],
      ['opted_out', account({ optedOut: true })],
      ['no_address', member({ email: null })],
      ['unproved_address', member({ email: uniqueEmail() })],
      ['unproved_address', account({ emailVerifiedAt: null })],
      ['unproved_address', account({ email: uniqueEmail() })],
    ];
    const scenes = await Promise.all(cases.map(() => scene()));
    await system.stopWorker();
    for (const made of scenes) await disable(made);
    for (const [index, [, happen]] of cases.entries()) await happen(scenes[index] as Scene);
    await system.startWorker();

    for (const [index, [reason]] of cases.entries()) {
      const made = scenes[index] as Scene;
      expect(await outcome(await notice(made))).toBe(reason);
      expect(await notice(made)).toMatchObject({ failure_reason: reason, sent_at: null });
      expect(await system.mail.sentTo(made.email)).toEqual([]);
    }
  });
});

describe('the history of the sendRuleNotice run', () => {
  it('describes the steps, without user input', async () => {
    const made = await scene();
    await system.mail.plan({ to: made.email, reply: 451 });
    await disable(made);
    const { uuid, id } = await notice(made);
    expect(await outcome(await notice(made))).toBe('sent');
    const run = system.run('sendRuleNotice', uuid);
    const description = await run.describe();
    expect(description.searchAttributes).toMatchObject({ RuleId: [String(made.rule.id)] });
    const history = await recordRun(run, description.runId, 'sendRuleNotice');
    expect(summariesOf(history)).toEqual([
      `Event rule ${made.rule.id} was disabled (gone): notice ${id}`,
      'Send the notice, unless it is out of date',
    ]);
    for (const text of [made.email, 'Records to', 'receiver.example', 'Demo Clinic']) {
      expect(readable(history)).not.toContain(text);
    }
  });
});
