import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { noticeActivities } from '../../../activities/channels/notices.js';
import { handoffActivities } from '../../../activities/conversations/handoffs.js';
import { insertChat } from '../../../db/conversations/chats.js';
import { insertHandoffNotices } from '../../../db/events/handoff-notices.js';
import type { HandoffNotices } from '../../../db/identity/models/workspace.js';
import { alertColleague, noPersonNeeded } from '../../../domain/kernel/alert-colleague.js';
import { systemClock } from '../../../domain/lib/clock.js';
import type { Carrier, OutgoingSms } from '../../../providers/carrier/carrier.js';
import { type Mail, MailBusy, type OutgoingMail } from '../../../providers/mail/mail.js';
import { addHeldEmail } from '../../support/emails/held-email.js';
import { hours, minutes } from '../../support/lib/moved-clock.js';
import { addPhoneNumber } from '../../support/workspace/definitions.js';
import { createWorkspace } from '../../support/workspace/factories.js';
import { addInbox } from '../../support/workspace/inboxes.js';
import { proveEmail } from '../../support/workspace/prove-email.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace();

/** A mail server and a carrier that accept everything, and then call `then`. */
class Outbox implements Mail {
  readonly mails: OutgoingMail[] = [];
  readonly texts: OutgoingSms[] = [];
  constructor(readonly then: () => void = () => {}) {}

  async send(message: OutgoingMail): Promise<void> {
    this.mails.push(message);
    this.then();
  }

  async sendSms(sms: OutgoingSms) {
    this.texts.push(sms);
    this.then();
    return { carrierMessageId: 'SM1', status: 'queued' };
  }
}

const activitiesWith = (outbox: Outbox | undefined) =>
  noticeActivities({
    db: suite.database.database,
    clock: systemClock,
    mail: outbox,
    carrier: outbox as unknown as Carrier | undefined,
    publicUrl: 'https://service.example.com',
  });

/** A notice to an admin of a workspace in which two chats wait, and a function that sends it. */
async function scene(outbox: Outbox | undefined, channel: 'email' | 'sms' = 'email') {
  const workspace = await createWorkspace(suite.database.database, { name: 'Demo Clinic' });
  const { workspaceId, database, admin } = workspace;
  const { email, accountId } = await proveEmail(workspace, admin.memberId);
  const number = await addPhoneNumber(workspace);
  const setting: HandoffNotices = {
    channels: [channel],
    memberRoleIds: [workspace.roles.admin.id],
    memberIds: [],
    reasons: ['handoff'],
    everyMinutes: 15,
    heldEmails: true,
    phoneNumberId: number.id,
  };
  await database.identity.workspaces.update(workspaceId, { handoffNotices: setting });
  const inside: typeof database.inWorkspace<unknown> = database.inWorkspace.bind(database);
  const phone = admin.row.phone ?? '';
  await database.identity.accounts.update(accountId, { phone, phoneVerifiedAt: new Date() });
  const notice = await database.inWorkspace(workspaceId, async (tx) => {
    for (const title of ['Kim Sample and her fever', 'Lee Sample']) {
      const memberId = workspace.member.memberId;
      const chat = await insertChat(tx, { channel: 'web-chat', chatType: 'simple', memberId, title });
      await alertColleague(tx, chat, 'handoff');
    }
    const [row] = await insertHandoffNotices(tx, [
      { memberId: admin.memberId, channel, createdAt: systemClock.now() },
    ]);
    if (row === undefined) throw new Error('no notice was stored');
    return row;
  });
  const read = () =>
    inside(workspaceId, async (tx) => tx('handoff_notices').where({ id: notice.id }).first());
  const change = (table: string, values: object) =>
    inside(workspaceId, async (tx) => tx(table).update(values));
  const input = { workspaceId, noticeId: notice.id };
  const send = () => activitiesWith(outbox).sendHandoffNotice(input);
  return { workspace, email, phone, number, setting, read, change, send };
}

describe('sendHandoffNotice', () => {
  it('mails how many chats wait, without names and words, and without an address that nobody can open', async () => {
    const outbox = new Outbox();
    const { email, read, send } = await scene(outbox);
    expect(await send()).toEqual({ outcome: 'sent' });
    const [mail] = outbox.mails;
    expect(mail).toMatchObject({ to: email, subject: 'Chats wait for a person' });
    expect(mail?.text).toContain('"Demo Clinic", 2 chats wait for a person');
    expect(mail?.text).not.toMatch(/http|GET|handoffNotices/);
    for (const word of ['Kim', 'fever', 'Lee']) expect(mail?.text).not.toContain(word);
    expect(await read()).toMatchObject({ sent_at: expect.any(Date), failure_reason: null });
  });

  it('mails how many emails are held, without their words and addresses', async () => {
    const outbox = new Outbox();
    const { workspace, change, send } = await scene(outbox);
    const inbox = await addInbox(workspace);
    await workspace.within((tx) =>
      addHeldEmail(tx, inbox, new Date(0), { subject: 'You have won', fromAddress: 'eve@attacker.example' }),
    );
    expect(await send()).toEqual({ outcome: 'sent' });
    await change('chats', { needs_response: false, needs_response_reason: null, needs_response_since: null });
    await change('handoff_notices', { claimed_at: null, claim_token: null, sent_at: null });
    expect(await send()).toEqual({ outcome: 'sent' });
    const [both, alone] = outbox.mails;
    expect(both?.subject).toBe('Chats and emails wait for a person');
    expect(both?.text).toContain('2 chats and 1 email wait for a person');
    expect(both?.text).toContain('The first email has waited since 1970-01-01 00:00 UTC');
    expect(both?.text).toMatch(/The first chat has waited since 20\d\d-/);
    expect(alone?.subject).toBe('Emails wait for a person');
    expect(alone?.text).toContain('1 email waits for a person');
    for (const word of ['won', 'attacker']) expect(`${both?.text}${alone?.text}`).not.toContain(word);
  });

  it.each([
    ['a notice was written within four hours', hours(1), 0, 'out_of_date'],
    ['they were held before an earlier notice', hours(5), hours(6), 'out_of_date'],
    ['they were held since an earlier notice', hours(5), 0, 'sent'],
  ])('of emails alone: %s', async (_what, noticeMs, heldMs, outcome) => {
    const outbox = new Outbox();
    const { workspace, change, send } = await scene(outbox);
    const inbox = await addInbox(workspace);
    const now = systemClock.now().getTime();
    await workspace.within(async (tx) => {
      await addHeldEmail(tx, inbox, new Date(now - heldMs - minutes(1)));
      const { id: _id, ...row } = await tx('handoff_notices').first();
      const before = { ...row, uuid: randomUUID(), created_at: new Date(now - noticeMs) };
      await tx('handoff_notices').insert(before);
    });
    await change('chats', { needs_response: false, needs_response_reason: null, needs_response_since: null });
    expect(await send()).toEqual({ outcome });
    expect(outbox.mails).toHaveLength(outcome === 'sent' ? 1 : 0);
  });

  it('sends nothing for held emails where the setting leaves them out', async () => {
    const outbox = new Outbox();
    const { workspace, setting, change, send } = await scene(outbox);
    const inbox = await addInbox(workspace);
    await workspace.within((tx) => addHeldEmail(tx, inbox, new Date()));
    await change('chats', { needs_response: false, needs_response_reason: null, needs_response_since: null });
    await workspace.database.identity.workspaces.update(workspace.workspaceId, {
      handoffNotices: { ...setting, heldEmails: false },
    });
    expect(await send()).toEqual({ outcome: 'out_of_date' });
    expect(outbox.mails).toEqual([]);
  });

  it.each(['email', 'sms'] as const)('names where people answer, by %s', async (channel) => {
    const outbox = new Outbox();
    const { workspace, setting, send } = await scene(outbox, channel);
    const queueUrl = 'https://desk.clinic.example/waiting';
    await workspace.database.identity.workspaces.update(workspace.workspaceId, {
      handoffNotices: { ...setting, queueUrl },
    });
    expect(await send()).toEqual({ outcome: 'sent' });
    expect(outbox.mails[0]?.text ?? outbox.texts[0]?.body).toContain(queueUrl);
  });

  it('sends an SMS from the number of the setting', async () => {
    const outbox = new Outbox();
    const { phone, number, send } = await scene(outbox, 'sms');
    expect(await send()).toEqual({ outcome: 'sent' });
    expect(outbox.texts).toEqual([
      {
        from: number.number,
        to: phone,
        body: expect.stringMatching(
          /^"Demo Clinic": 2 chats wait for a person, the first chat since [\d -]+:\d\d UTC\.$/,
        ),
      },
    ]);
    expect(outbox.mails).toEqual([]);
  });

  it('sends once when it is called many times at once', async () => {
    const outbox = new Outbox();
    const { send } = await scene(outbox);
    const outcomes = await Promise.all(Array.from({ length: 50 }, send));
    expect(outcomes.filter(({ outcome }) => outcome === 'sent')).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome === 'claimed_before')).toHaveLength(49);
    expect(outbox.mails).toHaveLength(1);
  });

  it.each(['email', 'sms'] as const)(
    'sends once when its worker dies after the %s was accepted',
    async (channel) => {
      const outbox = new Outbox(() => {
        throw new Error('the worker died');
      });
      const { send } = await scene(outbox, channel);
      await expect(send()).rejects.toThrow('the worker died');
      expect(await send()).toEqual({ outcome: 'claimed_before' });
      expect(outbox.mails.length + outbox.texts.length).toBe(1);
    },
  );

  it('releases the notice for a retry when the mail server is busy', async () => {
    let busy = true;
    const outbox = new Outbox(() => {
      if (busy) throw new MailBusy('451');
    });
    const { read, send } = await scene(outbox);
    await expect(send()).rejects.toMatchObject({ type: 'mail_busy', nonRetryable: false });
    expect(await read()).toMatchObject({ claimed_at: null, failure_reason: null });
    busy = false;
    expect(await send()).toEqual({ outcome: 'sent' });
  });

  it.each(['email', 'sms'] as const)('says so where nothing sends a notice by %s', async (channel) => {
    const { send } = await scene(undefined, channel);
    expect(await send()).toEqual({ outcome: 'not_configured' });
  });

  it('sends nothing out of date: chats answered, setting changed, notice an hour old', async () => {
    const outbox = new Outbox();
    const [answered, off, moved, old] = [
      await scene(outbox),
      await scene(outbox),
      await scene(outbox),
      await scene(outbox),
    ];
    await answered.change('chats', { needs_response: noPersonNeeded.needsResponse });
    const { workspaces } = suite.database.database.identity;
    await workspaces.update(off.workspace.workspaceId, { handoffNotices: null });
    const eventsOnly = { ...moved.setting, channels: ['event' as const] };
    await workspaces.update(moved.workspace.workspaceId, { handoffNotices: eventsOnly });
    await old.change('handoff_notices', { created_at: new Date(Date.now() - 3_600_001) });
    for (const { send } of [answered, off, moved, old])
      expect(await send()).toEqual({ outcome: 'out_of_date' });
    expect(outbox.mails).toEqual([]);
  });

  it('sends nothing to a person who may not get it any more', async () => {
    const outbox = new Outbox();
    const [demoted, quiet, numberless] = [
      await scene(outbox),
      await scene(outbox),
      await scene(outbox, 'sms'),
    ];
    await demoted.change('members', { member_role_id: demoted.workspace.roles.member.id });
    await quiet.change('members', { notify_email: false });
    const { workspaces } = suite.database.database.identity;
    const without = { ...numberless.setting, phoneNumberId: 987_654_321 };
    await workspaces.update(numberless.workspace.workspaceId, { handoffNotices: without });
    expect(await demoted.send()).toEqual({ outcome: 'no_permission' });
    expect(await quiet.send()).toEqual({ outcome: 'notifications_disabled' });
    expect(await numberless.send()).toEqual({ outcome: 'no_phone_number' });
    expect([...outbox.mails, ...outbox.texts]).toEqual([]);
  });
});

describe('tellOfWaitingChats', () => {
  const withNews = async () => [
    ...(
      await suite.database.database.identity.walks.workspacesDue({ waiting_chats: systemClock.now() })
    ).keys(),
  ];
  const pass = () => {
    const logger = pino({ level: 'silent' });
    const { tellOfWaitingChats } = handoffActivities({
      db: suite.database.database,
      clock: systemClock,
      logger,
    });
    return new MockActivityEnvironment().run(tellOfWaitingChats);
  };

  const ago = (milliseconds: number) => new Date(Date.now() - milliseconds);
  it.each<[string, string, object]>([
    ['a chat begins to wait', 'chats', { needs_response_since: ago(minutes(1)) }],
    ['a chat that is muted begins to wait', 'chats', { needs_response_since: ago(minutes(1)), muted: true }],
    ['a claim ends', 'chats', { claimed_until: ago(minutes(1)) }],
    ['a snooze ends', 'chats', { snoozed_until: ago(minutes(1)) }],
    ['a snooze is ended', 'chats', { reopened_at: ago(minutes(1)) }],
    ['a mail is held', 'inbound_emails', { settled_at: ago(minutes(1)) }],
  ])('looks at a workspace when %s, and not before or afterwards', async (_what, table, news) => {
    const { workspace, setting, change } = await scene(undefined);
    const inbox = await addInbox(workspace);
    const { workspaceId, database } = workspace;
    await database.inWorkspace(workspaceId, (tx) => addHeldEmail(tx, inbox, ago(hours(2))));
    await change('chats', { needs_response_since: ago(hours(2)) });
    const handoffNotices = { ...setting, everyMinutes: 0 };
    await database.identity.workspaces.update(workspaceId, { handoffNotices });
    await pass();
    await change('handoff_tellings', { looked_until: ago(hours(1)), events_until: ago(hours(1)) });
    await change('handoff_tellings', { emails_told_until: ago(hours(1)), told_at: ago(hours(5)) });
    expect(await withNews()).not.toContain(workspaceId);

    await change(table, news);
    expect(await withNews()).toContain(workspaceId);
    expect(await pass()).toMatchObject({ failed: 0 });
    expect(await withNews()).not.toContain(workspaceId);
  });

  it('looks at the workspaces with the setting only, and goes on after one that fails', async () => {
    const [failing, working] = [await scene(undefined), await scene(undefined)];
    const { workspaces } = suite.database.database.identity;
    const broken = { ...failing.setting, channels: null as unknown as [] };
    await workspaces.update(failing.workspace.workspaceId, { handoffNotices: broken });
    const listed = await withNews();
    expect(listed).toContain(working.workspace.workspaceId);
    expect(listed).not.toContain(suite.workspace.workspaceId);

    const found = await pass();

    expect(found).toMatchObject({ failed: 1 });
    const looked = await working.workspace.within(async (tx) => tx('handoff_tellings').first());
    expect(looked).toBeDefined();
  });
});
