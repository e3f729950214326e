import { describe, expect, it } from 'vitest';
import { noticeActivities } from '../../activities/channels/notices.js';
import { addUsage } from '../../domain/agent/model-calls.js';
import { updateCreditBudget } from '../../domain/agent/usage/credit-budget.js';
import { disableRule } from '../../domain/events/event-rules/disable-rule.js';
import { systemClock } from '../../domain/lib/clock.js';
import { type Mail, MailBusy, type OutgoingMail } from '../../providers/mail/mail.js';
import { addEventRule } from '../support/webhooks/event-rules.js';
import { createWorkspace } from '../support/workspace/factories.js';
import { proveEmail } from '../support/workspace/prove-email.js';
import { useWorkspace } from '../support/workspace/use-workspace.js';

const suite = useWorkspace();

/** A mail server that accepts every mail, and then calls `then`. */
class Mailbox implements Mail {
  readonly taken: OutgoingMail[] = [];
  constructor(readonly then: () => void = () => {}) {}

  async send(message: OutgoingMail): Promise<void> {
    this.taken.push(message);
    this.then();
  }
}

const activitiesWith = (mail: Mail | undefined) =>
  noticeActivities({
    db: suite.database.database,
    clock: systemClock,
    mail,
    carrier: undefined,
    publicUrl: 'https://service.example.com',
  });

/** A notice in a workspace of its own, and a function that sends it. */
async function scene(mail: Mail | undefined) {
  const workspace = await createWorkspace(suite.database.database);
  const { workspaceId, database } = workspace;
  await proveEmail(workspace, workspace.admin.memberId);
  const { id: eventRuleId } = await addEventRule(workspace);
  const read = () =>
    database.inWorkspace(workspaceId, (tx) =>
      tx('event_rule_notices').where({ event_rule_id: eventRuleId }).first(),
    );
  await database.inWorkspace(workspaceId, (tx) =>
    disableRule(tx, { eventRuleId, reason: 'gone', now: systemClock.now() }),
  );
  const input = { workspaceId, noticeId: Number((await read()).id) };
  const { sendRuleNotice } = activitiesWith(mail);
  return { read, send: () => sendRuleNotice(input) };
}

describe('sendRuleNotice', () => {
  it('marks the notice as failed when no mail server is configured', async () => {
    const { read, send } = await scene(undefined);
    expect(await send()).toEqual({ outcome: 'mail_not_configured' });
    expect(await read()).toMatchObject({ failure_reason: 'mail_not_configured', sent_at: null });
  });

  it('sends the notice once when it is called many times at once', async () => {
    const mailbox = new Mailbox();
    const { read, send } = await scene(mailbox);
    const outcomes = await Promise.all(Array.from({ length: 50 }, send));
    expect(outcomes.filter(({ outcome }) => outcome === 'sent')).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome === 'claimed_before')).toHaveLength(49);
    expect(mailbox.taken).toHaveLength(1);
    expect(await read()).toMatchObject({ sent_at: expect.any(Date), failure_reason: null });
  });

  it('sends the notice once when its worker dies after the mail server accepted it', async () => {
    const mailbox = new Mailbox(() => {
      throw new Error('the worker died');
    });
    const { send } = await scene(mailbox);
    await expect(send()).rejects.toThrow('the worker died');
    expect(await send()).toEqual({ outcome: 'claimed_before' });
    expect(mailbox.taken).toHaveLength(1);
  });

  it('releases the notice for a retry when the mail server is busy, and fails with a code', async () => {
    let busy = true;
    const mailbox = new Mailbox(() => {
      if (busy) throw new MailBusy('451');
    });
    const { read, send } = await scene(mailbox);
    await expect(send()).rejects.toMatchObject({ type: 'mail_busy', nonRetryable: false });
    expect(await read()).toMatchObject({ claimed_at: null, failure_reason: null });
    busy = false;
    expect(await send()).toEqual({ outcome: 'sent' });
  });

  it('sends nothing for a notice that does not exist', async () => {
    const mailbox = new Mailbox();
    const { sendRuleNotice } = activitiesWith(mailbox);
    const { workspaceId } = suite.workspace;
    expect(await sendRuleNotice({ workspaceId, noticeId: 1_000_000 })).toEqual({ outcome: 'notice_gone' });
    expect(mailbox.taken).toEqual([]);
  });

  it.each([
    [
      { monthlyCredits: 100 },
      80,
      'The credits of the month run out',
      'agents stop and hand their chats over',
    ],
    [{ monthlyCredits: 100 }, 100, 'The credits of the month are used up', 'Agents have stopped'],
    [
      { monthlyCredits: 100, extraUsageEnabled: true },
      130,
      'The credits of the month are used up',
      'agents go on',
    ],
  ])('tells of credits that run out: budget %j, %i used', async (budget, used, subject, text) => {
    const mailbox = new Mailbox();
    const { workspace, send } = await creditScene(mailbox, budget, used);

    expect(await send()).toEqual({ outcome: 'sent' });

    expect(mailbox.taken).toMatchObject([{ subject, text: expect.stringContaining(text) }]);
    expect(mailbox.taken[0]?.text).toContain(`/w/${workspace.workspaceUuid}/credit-budget`);
  });

  it('sends nothing about credits when the budget was raised meanwhile', async () => {
    const mailbox = new Mailbox();
    const { workspace, send } = await creditScene(mailbox, { monthlyCredits: 100 }, 100);
    await updateCreditBudget(workspace.context(), { monthlyCredits: 1_000 });

    expect(await send()).toEqual({ outcome: 'out_of_date' });
    expect(mailbox.taken).toEqual([]);
  });
});

/** The notice to the admin of a workspace with a budget, of which so much is used. */
async function creditScene(mail: Mail, budget: Parameters<typeof updateCreditBudget>[1], used: number) {
  const workspace = await createWorkspace(suite.database.database);
  const { workspaceId, database, member } = workspace;
  await proveEmail(workspace, workspace.admin.memberId);
  await updateCreditBudget(workspace.context(), budget);
  const tokens = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, totalTokens: 0 };
  const silent = { audioInputTokens: 0, audioOutputTokens: 0 };
  const of = { memberId: member.memberId, definitionId: null, modelId: 'openai:chat:gpt-5' };
  const { id } = await database.inWorkspace(workspaceId, async (tx) => {
    await addUsage(tx, of, { ...tokens, ...silent, credits: used }, systemClock.now());
    return tx('event_rule_notices').first('id');
  });
  const { sendRuleNotice } = activitiesWith(mail);
  return { workspace, send: () => sendRuleNotice({ workspaceId, noticeId: Number(id) }) };
}
