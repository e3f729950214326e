import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { selectOpenDeliveries } from '../../../../db/channels/deliveries.js';
import { insertEmailOptOut } from '../../../../db/channels/email-opt-outs.js';
import { findEmailOfDelivery } from '../../../../db/channels/emails.js';
import type { InboxRow } from '../../../../db/channels/inboxes.js';
import { insertUnprovedIdentifiers } from '../../../../db/people/unproved-identifiers.js';
import { awaitTime } from '../../../../domain/channels/deliveries/await-time.js';
import { claimDelivery } from '../../../../domain/channels/deliveries/claim-delivery.js';
import { setUnsubscribed } from '../../../../domain/channels/email/unsubscribe.js';
import { updateInbox } from '../../../../domain/channels/inboxes/update-inbox.js';
import { weekdays } from '../../../../domain/channels/outreach/quiet-hours.js';
import { deleteMember } from '../../../../domain/people/members/delete-member.js';
import { updateMember } from '../../../../domain/people/members/update-member.js';
import { type StagedAssignment, stageAssignment } from '../../../support/chats/staged-assignment.js';
import { testEncryption } from '../../../support/lib/encryption.js';
import { hours } from '../../../support/lib/moved-clock.js';
import { addMember, createWorkspace, type TestMember } from '../../../support/workspace/factories.js';
import { addInbox, testInboxPolicy } from '../../../support/workspace/inboxes.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';
import { call, runToolCall, Turn, toolResult } from '../take-round.js';

const suite = useWorkspace();
let desk: InboxRow;
let other: InboxRow;
beforeAll(async () => {
  [desk, other] = [await addInbox(suite.workspace), await addInbox(suite.workspace)];
});

const email = { subject: 'Your visit', text: 'On **Monday**.' };

/** A web chat of a member, in which the agent may send emails and is due. */
async function stage(config: Record<string, unknown> = { inbox: desk.address }, member?: TestMember) {
  const abilities = [{ abilityType: 'send_email', config }, { abilityType: 'send_sms' }];
  const talk = { name: 'Talk', taskType: 'conversation', prompt: 'Talk.', abilities };
  const theirs = member ?? (await addMember(suite.workspace));
  const rootTask = { ...talk, autoNext: true };
  const staged = await stageAssignment(suite.workspace, rootTask, { member: theirs });
  await staged.memberWrites('Please send it by email');
  return { staged, member: theirs };
}
type Staged = Awaited<ReturnType<typeof stage>>;

/** Runs a call in a turn of its own. @returns what the model is told */
async function send({ staged }: Pick<Staged, 'staged'>, input: object = email): Promise<unknown> {
  const { toolCallIds } = await new Turn(staged).run(call(['send_email', input]));
  return toolResult(staged, toolCallIds[0] ?? '');
}

const within = <T>(work: Parameters<typeof suite.workspace.database.inWorkspace<T>>[1]) =>
  suite.workspace.database.inWorkspace(suite.workspace.workspaceId, work);
const queued = ({ chatId }: StagedAssignment) =>
  within(async (tx) => {
    const deliveries = await selectOpenDeliveries(tx, chatId);
    return Promise.all(
      deliveries.map(async (delivery) => ({
        ...delivery,
        email: await findEmailOfDelivery(tx, delivery.id),
      })),
    );
  });
const inboxes = () => ({
  ...suite.workspace.context(),
  encryption: testEncryption,
  policy: testInboxPolicy,
});
/** A call that is refused leaves nothing that the member could take for an email. */
async function expectRefused(staged: Pick<Staged, 'staged'>, error: string): Promise<void> {
  expect(await send(staged)).toEqual({ ok: false, error });
  expect(await queued(staged.staged)).toEqual([]);
  expect((await staged.staged.messages()).filter(({ content }) => content === email.text)).toEqual([]);
}

describe('send_email', () => {
  it('queues one email to the member’s address, however often its activity is repeated', async () => {
    const { staged, member } = await stage();
    const result = await new Turn(staged).take(call(['send_email', email]));
    const [toolCallId = ''] = result.kind === 'tools' ? result.toolCallIds : [];
    await Promise.all([1, 2, 3, 4].map(() => runToolCall(staged, toolCallId)));
    await runToolCall(staged, toolCallId);

    expect(await toolResult(staged, toolCallId)).toEqual({ ok: true });
    expect(await queued(staged)).toMatchObject([
      {
        channel: 'email',
        purpose: 'agent_initiated',
        sender: desk.address,
        recipient: member.row.email,
        email: {
          subject: 'Your visit',
          inReplyTo: null,
          automatic: true,
          unsubscribeToken: expect.any(String),
          chatId: staged.chatId,
        },
      },
    ]);
    const messages = await staged.messages();
    expect(messages.filter(({ content }) => content === email.text)).toMatchObject([
      { role: 'assistant', author: 'agent', inboxId: desk.id },
    ]);
  });

  it('makes no header of a subject, and a thread of each email', async () => {
    const staged = await stage();
    await send(staged, { ...email, subject: 'Visit\r\nBcc: other@patients.example\u2028X: y' });
    await send(staged);
    const [first, second] = await queued(staged.staged);
    expect(first?.email?.subject).toBe('Visit Bcc: other@patients.example X: y');
    expect(second?.email).toMatchObject({
      subject: 'Your visit',
      inReplyTo: null,
      referenceIds: [second?.email?.rfcMessageId],
    });
  });

  it('takes no recipient from the model', async () => {
    const staged = await stage();
    expect(await send(staged, { ...email, to: 'other@patients.example' })).toMatchObject({
      error: 'invalid_arguments',
    });
    expect(await queued(staged.staged)).toEqual([]);
  });

  it('is not offered in a chat by email, whose replies are emails', async () => {
    const talk = { name: 'Talk', taskType: 'conversation', prompt: 'Talk.', autoNext: true };
    const ability = { abilityType: 'send_email', config: { inbox: desk.address } };
    const member = await addMember(suite.workspace);
    const staged = await stageAssignment(
      suite.workspace,
      { ...talk, abilities: [ability] },
      { channel: 'email', inboxId: desk.id, member },
    );
    await staged.memberWrites('Hello');
    expect(await send({ staged })).toEqual({ ok: false, error: 'tool_not_available' });
  });

  it('sends nothing to who has unsubscribed, although the member has just written', async () => {
    const staged = await stage();
    await send(staged);
    const [first] = await queued(staged.staged);
    const link = {
      workspaceUuid: suite.workspace.workspaceUuid,
      token: first?.email?.unsubscribeToken ?? '',
    };
    await setUnsubscribed(suite.workspace.context(), link, true);

    expect(await send(staged)).toEqual({ ok: false, error: 'opted_out' });
    // What was queued before is not sent either.
    const ref = { workspaceId: suite.workspace.workspaceId, deliveryId: first?.id ?? 0 };
    expect(await claimDelivery(suite.workspace.context(), ref, randomUUID())).toEqual({ kind: 'settled' });
    expect(await staged.staged.chat()).toMatchObject({ needsResponseReason: 'delivery_failed' });
  });

  it('sends nothing to a member that was deleted since', async () => {
    const staged = await stage();
    await send(staged);
    const [first] = await queued(staged.staged);
    await deleteMember(suite.workspace.context(), staged.member.memberId);
    const ref = { workspaceId: suite.workspace.workspaceId, deliveryId: first?.id ?? 0 };
    expect(await claimDelivery(suite.workspace.context(), ref, randomUUID())).toEqual({ kind: 'settled' });
  });

  it.each<[string, string, (staged: Staged) => Promise<unknown>]>([
    [
      'a member without an address',
      'missing_email',
      ({ member }) => updateMember(suite.workspace.context(), member.memberId, { email: null }),
    ],
    [
      'a member that wants no email',
      'notifications_disabled',
      ({ member }) => updateMember(suite.workspace.context(), member.memberId, { notifyEmail: false }),
    ],
    [
      'an address that a server has said not to exist',
      'opted_out',
      ({ member, staged }) =>
        within((tx) =>
          insertEmailOptOut(tx, {
            recipient: member.row.email ?? '',
            optedOutAt: staged.clock.now(),
            source: 'bounce',
          }),
        ),
    ],
  ])('refuses %s: %s', async (_, error, change) => {
    const staged = await stage();
    await change(staged);
    await expectRefused(staged, error);
  });

  it('refuses an address that a form gave, until a colleague vouches for it, and so does send_sms', async () => {
    const member = await addMember(suite.workspace, { values: { phone: '+12025550143' } });
    const staged = await stage(undefined, member);
    const { memberId } = member;
    const unproved = async (channel: 'email' | 'phone', address: string) =>
      within((tx) =>
        insertUnprovedIdentifiers(tx, [{ memberId, channel, address }], staged.staged.clock.now()),
      );
    // A pending address is not the one that is written to.
    await unproved('email', 'pending@patients.example');
    expect(await send(staged)).toEqual({ ok: true });
    await unproved('email', member.row.email ?? '');
    await unproved('phone', '+12025550143');
    expect(await send(staged)).toEqual({ ok: false, error: 'unproved_address' });
    const { toolCallIds } = await new Turn(staged.staged).run(call(['send_sms', { text: 'Hello' }]));
    expect(await toolResult(staged.staged, toolCallIds[0] ?? '')).toEqual({
      ok: false,
      error: 'unproved_address',
    });
    expect(await queued(staged.staged)).toHaveLength(1);
    expect((await staged.staged.messages()).filter(({ content }) => content === 'Hello')).toEqual([]);

    await updateMember(suite.workspace.context(), memberId, { email: member.row.email });
    expect(await send(staged)).toEqual({ ok: true });
  });

  it('has an inbox: the one that the ability names, or the only one', async () => {
    const named = await stage({ inbox: other.address });
    await send(named);
    expect(await queued(named.staged)).toMatchObject([{ sender: other.address }]);

    await expectRefused(await stage({}), 'missing_inbox');
    await updateInbox(inboxes(), other.id, { enabled: false });
    expect(await send(named)).toEqual({ ok: false, error: 'missing_inbox' });
    const byDefault = await stage({});
    expect(await send(byDefault)).toEqual({ ok: true });
    expect(await queued(byDefault.staged)).toMatchObject([{ sender: desk.address }]);

    const elsewhere = await addInbox(await createWorkspace(suite.workspace.database));
    await expectRefused(await stage({ inbox: elsewhere.address }), 'missing_inbox');
  });

  it('is sent after quiet hours although the chat went on, unless its assignment was cancelled', async () => {
    const { staged } = await stage();
    const { clock } = staged;
    clock.advance(hours(25));
    const clockTime = (moment: Date) => moment.toISOString().slice(11, 16);
    const [from, to] = [hours(-1), hours(3)].map((ms) => clockTime(new Date(clock.now().getTime() + ms)));
    await suite.workspace.database.identity.workspaces.update(suite.workspace.workspaceId, {
      quietHours: { from: from ?? '', to: to ?? '', days: [...weekdays] },
    });
    try {
      await send({ staged });
      await send({ staged });
      const [first, second] = await queued(staged);
      const context = { db: suite.workspace.database, clock };
      const isDue = async (deliveryId = 0) =>
        awaitTime(context, { workspaceId: suite.workspace.workspaceId, deliveryId });
      expect(await isDue(first?.id)).toBe(false);
      expect(await isDue(second?.id)).toBe(false);
      await staged.memberWrites('Thanks');
      await within(async (tx) =>
        tx('assignment_tasks')
          .where({ assignment_id: staged.assignmentId })
          .update({ completed_at: clock.now() }),
      );
      await within(async (tx) =>
        tx('chats')
          .where({ id: staged.chatId })
          .update({ paused: true, paused_by_member_id: suite.workspace.admin.memberId }),
      );
      clock.advance(hours(4));
      expect(await isDue(first?.id)).toBe(true);

      await within(async (tx) =>
        tx('assignments')
          .where({ id: staged.assignmentId })
          .update({ status: 'cancelled', concluded_at: clock.now() }),
      );
      expect(await isDue(second?.id)).toBe(false);
      expect(await staged.chat()).toMatchObject({ needsResponseReason: 'delivery_failed' });
    } finally {
      await suite.workspace.database.identity.workspaces.update(suite.workspace.workspaceId, {
        quietHours: null,
      });
    }
  });

  it('sends ten in a chat within 24 hours', async () => {
    const staged = await stage();
    for (let count = 0; count < 10; count += 1) expect(await send(staged)).toEqual({ ok: true });
    expect(await send(staged)).toEqual({ ok: false, error: 'too_many_emails' });
    staged.staged.clock.advance(hours(25));
    await staged.staged.memberWrites('Once more');
    expect(await send(staged)).toEqual({ ok: true });
  });

  it('waits for the approval of a colleague where its author says so', async () => {
    const { staged } = await stage({ inbox: desk.address, requiresApproval: true });
    const { endsTurn } = await new Turn(staged).run(call(['send_email', email]));
    expect(endsTurn).toBe(true);
    expect(await queued(staged)).toEqual([]);
    expect(await staged.chat()).toMatchObject({ needsResponseReason: 'approval' });
  });
});
