import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { patchDelivery } from '../../../../db/channels/deliveries.js';
import {
  findEmailOptOut,
  hideEmailOptOuts,
  insertEmailOptOut,
} from '../../../../db/channels/email-opt-outs.js';
import {
  findEmailByToken,
  findSentByMessageIds,
  insertEmail,
  patchEmail,
} from '../../../../db/channels/emails.js';
import { patchInbox } from '../../../../db/channels/inboxes.js';
import { claimDelivery } from '../../../../domain/channels/deliveries/claim-delivery.js';
import { prepareDeliveryLookup } from '../../../../domain/channels/deliveries/delivery-lookup.js';
import { nextDelivery } from '../../../../domain/channels/deliveries/next-delivery.js';
import { recordDeliveryNews } from '../../../../domain/channels/deliveries/record-delivery-news.js';
import { type DeliveryNews, settleDelivery } from '../../../../domain/channels/deliveries/settle-delivery.js';
import { plusAddress } from '../../../../domain/channels/email/addresses.js';
import type { EmailToSend } from '../../../../domain/channels/email/email-to-send.js';
import { setUnsubscribed } from '../../../../domain/channels/email/unsubscribe.js';
import {
  maxEmailsADay,
  maxStartedByRelayADay,
  refusalOf,
} from '../../../../domain/channels/outreach/gate.js';
import { createWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/create-workflow-definition.js';
import { deleteMember } from '../../../../domain/people/members/delete-member.js';
import { updateMember } from '../../../../domain/people/members/update-member.js';
import { type EmailStage, type QueuedEmail, stageEmails } from '../../../support/chats/email-stage.js';
import { hours, MovedClock, minutes } from '../../../support/lib/moved-clock.js';
import { addMember } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();
let clock: MovedClock;
let stage: EmailStage;
beforeEach(async () => {
  clock = new MovedClock();
  stage = await stageEmails(workspace, clock);
});

const context = () => ({ db: workspace.database, clock });
const refOf = ({ delivery }: QueuedEmail) => ({
  workspaceId: workspace.workspaceId,
  deliveryId: delivery.id,
});
const claim = (queued: QueuedEmail) => claimDelivery(context(), refOf(queued), randomUUID());
const tell = (queued: QueuedEmail, news: Omit<DeliveryNews, 'learntBy'>, attempt = 1) =>
  recordDeliveryNews(context(), refOf(queued), attempt, news);
const now = (queued: QueuedEmail) => stage.queued(queued.message.uuid);
async function said(text: string, options: { forTask?: boolean } = {}): Promise<QueuedEmail> {
  const queued = await stage.say(text, options);
  if (typeof queued === 'string') throw new Error(`not queued: ${queued}`);
  return queued;
}
const unsubscribe = ({ email }: QueuedEmail, isUnsubscribed = true) =>
  setUnsubscribed(
    context(),
    { workspaceUuid: workspace.workspaceUuid, token: email.unsubscribeToken ?? '' },
    isUnsubscribed,
  );

const workspaceName = async () =>
  (await workspace.database.identity.workspaces.findById(workspace.workspaceId))?.name ?? '';

describe('the email of a message', () => {
  it('has its ids, tokens and addresses before it is sent, the same in each attempt', async () => {
    const queued = await stage.write('Hello');
    const { email, message } = queued;
    const first = await claim(queued);
    await tell(queued, { state: 'failed', errorCode: '4.2.0' });
    clock.advance(minutes(6));
    const second = await claim(queued);

    expect(message).toMatchObject({ emailId: email.id, inboxId: stage.inbox.id });
    expect(email).toMatchObject({
      direction: 'out',
      rfcMessageId: expect.stringMatching(/^[0-9a-f-]{36}@inboxes\.example$/),
      inReplyTo: null,
      referenceIds: [email.rfcMessageId],
      subject: await workspaceName(),
      fromAddress: stage.inbox.address,
      toAddress: stage.address,
      unsubscribeToken: null,
      automatic: false,
    });
    expect(first).toMatchObject({
      from: stage.inbox.address,
      to: stage.address,
      attempt: 1,
      email: {
        messageId: email.rfcMessageId,
        replyTo: plusAddress(stage.inbox.address, 'reply', email.replyToken ?? ''),
        returnPath: plusAddress(stage.inbox.address, 'return', email.returnToken ?? ''),
        autoSubmitted: null,
        server: null,
      },
    });
    expect(second).toEqual({ ...first, attempt: 2 });
  });

  it('is about the title of its chat, else about its workflow', async () => {
    const definition = await createWorkflowDefinition(workspace.context(), { name: 'Knee school' });
    const titled = await stageEmails(workspace, clock, { title: 'Your knee' });
    expect((await titled.write('Hello')).email.subject).toBe('Your knee');
    await workspace.within((tx) =>
      tx('chats').where({ id: stage.chatId }).update({ definition_id: definition.id }),
    );
    expect((await stage.write('Hello')).email.subject).toBe('Knee school');
  });

  it('is in the language of the member, else of the workspace, and ends with who sends it', async () => {
    const postalAddress = '1 Main Street, Springfield';
    await workspace.database.identity.workspaces.update(workspace.workspaceId, { postalAddress });
    const sender = `${await workspaceName()}, ${postalAddress}`;
    const locale = async (of: string | null) => {
      await workspace.within((tx) => tx('members').where({ email: stage.address }).update({ locale: of }));
      return (await claim(await stage.write('Hello'))) as { email?: EmailToSend };
    };
    expect((await locale('de-AT')).email).toMatchObject({
      locale: 'de-AT',
      footer: { sender, unsubscribe: 'Abbestellen', lang: 'de' },
    });
    expect((await locale(null)).email).toMatchObject({ locale: 'en-US', footer: { lang: 'en' } });
  });

  it('continues the thread, and names the id that the relay has given', async () => {
    const first = await stage.write('Hello');
    await claim(first);
    await tell(first, { state: 'sent', carrierMessageId: 'relayed@relay.example' });
    const question = 'question@patients.example';
    await workspace.within((tx) =>
      insertEmail(tx, {
        inboxId: stage.inbox.id,
        chatId: stage.chatId,
        direction: 'in',
        rfcMessageId: question,
        referenceIds: [first.email.rfcMessageId ?? '', 'relayed@relay.example'],
        subject: 'AW: The Clinic',
        fromAddress: stage.address,
        toAddress: stage.inbox.address,
        automatic: false,
        createdAt: clock.now(),
      }),
    );

    const { email } = await stage.write('An answer');

    expect(email).toMatchObject({ inReplyTo: question, subject: 'Re: The Clinic' });
    expect(email.referenceIds).toEqual([
      first.email.rfcMessageId,
      'relayed@relay.example',
      question,
      email.rfcMessageId,
    ]);
    const ids = [first.email.rfcMessageId ?? '', 'relayed@relay.example'];
    for (const id of ids)
      expect(await workspace.within((tx) => findSentByMessageIds(tx, [id]))).toMatchObject([
        { id: first.email.id },
      ]);
  });

  it('keeps the references of a long thread short, with the first of them', async () => {
    let last = await stage.write('Hello');
    const [first] = last.email.referenceIds;
    for (let count = 0; count < 25; count += 1) last = await stage.write(`${count}`);
    expect(last.email.referenceIds).toHaveLength(20);
    expect(last.email.referenceIds[0]).toBe(first);
    expect(last.email.referenceIds.at(-1)).toBe(last.email.rfcMessageId);
  });

  it('takes the chat’s title as its subject, on one line', async () => {
    stage = await stageEmails(workspace, clock, { title: 'Your visit' });
    expect((await stage.write('Hello')).email.subject).toBe('Your visit');
  });

  it('is found by tokens until they are revoked; reports of what was not delivered always are', async () => {
    const { email } = await said('Hello', { forTask: true });
    const found = (kind: 'reply' | 'return' | 'unsubscribe', token: string | null) =>
      workspace.within(async (tx) => (await findEmailByToken(tx, kind, token ?? ''))?.id);
    expect(await found('reply', email.replyToken)).toBe(email.id);
    expect(await found('return', email.replyToken)).toBeUndefined();
    await workspace.within((tx) =>
      tx('emails').where({ id: email.id }).update({ tokens_revoked_at: clock.now() }),
    );
    expect(await found('reply', email.replyToken)).toBeUndefined();
    expect(await found('unsubscribe', email.unsubscribeToken)).toBeUndefined();
    expect(await found('return', email.returnToken)).toBe(email.id);
  });
});

describe('who wrote an email', () => {
  it('decides about Auto-Submitted and the link to unsubscribe', async () => {
    const shown = async (queued: QueuedEmail) => {
      const claimed = await claim(queued);
      if (claimed.kind !== 'claimed') throw new Error('not claimed');
      return [claimed.email?.autoSubmitted, claimed.email?.unsubscribeToken !== null];
    };
    const byTask = await said('A reminder', { forTask: true });
    const byAgent = await said('Are you there?');
    const byColleague = await stage.write('Hello');
    await stage.memberWrites('A question');
    const reply = await said('An answer');

    expect(await shown(byTask)).toEqual(['auto-generated', true]);
    expect(await shown(byAgent)).toEqual(['auto-generated', true]);
    expect(await shown(byColleague)).toEqual([null, false]);
    expect(await shown(reply)).toEqual(['auto-replied', false]);
  });
});

describe('unsubscribing', () => {
  it('between queueing and sending stops what a task has begun, and a colleague is alerted', async () => {
    const queued = await said('A reminder', { forTask: true });
    await unsubscribe(queued);

    expect(await claim(queued)).toEqual({ kind: 'settled' });

    expect((await now(queued)).message).toMatchObject({
      smsDeliveryStatus: 'failed',
      smsDeliveryFailureReason: 'opted_out',
    });
    expect(await stage.chat()).toMatchObject({ needsResponse: true, needsResponseReason: 'delivery_failed' });
  });

  it('stops what agents and tasks begin, at every queueing, and leaves answers', async () => {
    const queued = await said('Are you there?');
    await Promise.all([unsubscribe(queued), unsubscribe(queued)]);
    expect(await unsubscribe(queued)).toMatchObject({ fromName: 'The Clinic', optOut: 'link' });

    expect(await stage.say('Hello again')).toBe('opted_out');
    expect(await stage.say('A reminder', { forTask: true })).toBe('opted_out');
    await stage.memberWrites('A question');
    expect(typeof (await stage.say('An answer'))).toBe('object');
    clock.advance(hours(25));
    expect(await stage.say('Hello again')).toBe('opted_out');

    expect(await unsubscribe(queued, false)).toMatchObject({ optOut: undefined });
    expect(typeof (await stage.say('Hello again'))).toBe('object');
  });

  it('belongs to the address, whoever has it', async () => {
    await unsubscribe(await said('Are you there?'));
    const { address } = stage;
    await updateMember(workspace.context(), stage.member.memberId, { email: `moved-${address}` });
    expect(typeof (await stage.say('Hello again'))).toBe('object');

    const next = await addMember(workspace, { values: { email: address } });
    stage = await stageEmails(workspace, clock, { memberId: next.memberId });
    expect(await stage.say('Hello')).toBe('opted_out');
  });

  it('is not lifted by whoever manages members, and leaves the notices of the service', async () => {
    await unsubscribe(await said('Are you there?'));
    await updateMember(workspace.context(), stage.member.memberId, { notifyEmail: true });
    expect(await stage.say('Hello again')).toBe('opted_out');
    const notice = {
      purpose: 'notice',
      channel: 'email',
      recipient: stage.address,
      now: clock.now(),
    } as const;
    const refusal = await workspace.within((tx) =>
      refusalOf(tx, { ...notice, memberId: stage.member.memberId }),
    );
    expect(refusal).not.toBe('opted_out');
  });

  it('is kept as a digest when the address is erased, also beside an earlier one', async () => {
    for (const _time of [1, 2]) {
      const optOut = { recipient: stage.address, optedOutAt: clock.now(), source: 'link' } as const;
      await workspace.within((tx) => insertEmailOptOut(tx, optOut));
      await workspace.within((tx) => hideEmailOptOuts(tx, stage.address));
      const rows = await workspace.within((tx) => tx('email_opt_outs').where({ recipient: stage.address }));
      expect(rows).toEqual([]);
      expect(await workspace.within((tx) => findEmailOptOut(tx, stage.address, clock.now()))).toBe('link');
    }
  });

  it('finds nothing with the token of another workspace, or of none', async () => {
    const link = { workspaceUuid: workspace.workspaceUuid, token: 'a'.repeat(26) };
    await expect(setUnsubscribed(context(), link, true)).rejects.toThrow();
    const { email } = await said('Are you there?');
    const elsewhere = { workspaceUuid: randomUUID(), token: email.unsubscribeToken ?? '' };
    await expect(setUnsubscribed(context(), elsewhere, true)).rejects.toThrow();
  });
});

describe('the gate of email', () => {
  it('sends nothing of what is queued for a member who was deleted, and alerts nobody', async () => {
    const queued = await said('Are you there?');
    await deleteMember(workspace.context(), stage.member.memberId);

    expect(await claim(queued)).toEqual({ kind: 'settled' });
    expect((await now(queued)).delivery).toMatchObject({ state: 'failed', failureReason: 'member_deleted' });
    expect(await stage.chat()).toMatchObject({ needsResponse: false });
  });

  it('obeys notifyEmail when a message is queued and when it is sent, and passes replies', async () => {
    const queued = await said('Are you there?');
    await updateMember(workspace.context(), stage.member.memberId, { notifyEmail: false });

    expect(await claim(queued)).toEqual({ kind: 'settled' });
    expect((await now(queued)).delivery.failureReason).toBe('notifications_disabled');
    expect(await stage.say('Hello')).toBe('notifications_disabled');
    await stage.memberWrites('A question');
    expect(typeof (await stage.say('An answer'))).toBe('object');
  });

  it('stops replies too where the recipient’s server has reported a complaint or no mailbox', async () => {
    const report = (source: 'complaint' | 'bounce') =>
      workspace.within((tx) =>
        insertEmailOptOut(tx, { recipient: stage.address, optedOutAt: clock.now(), source }),
      );
    await stage.memberWrites('A question');
    await report('bounce');
    expect(await stage.say('An answer')).toBe('opted_out');
    clock.advance(hours(24 * 31));
    await stage.memberWrites('Another question');
    expect(typeof (await stage.say('An answer'))).toBe('object');
    await report('complaint');
    clock.advance(hours(24 * 365));
    expect(await stage.say('An answer')).toBe('opted_out');
  });

  it(`stops at ${maxEmailsADay} emails a day to an address`, async () => {
    const { delivery, message } = await said('Hello');
    await workspace.within((tx) =>
      tx.raw(
        `with copies as (
           insert into messages (workspace_id, chat_id, role, author, content)
           select workspace_id, chat_id, 'assistant', 'agent', content from messages, generate_series(2, ?) where id = ?
           returning id)
         insert into deliveries (workspace_id, chat_id, message_id, channel, purpose, sender, recipient, expires_at, created_at)
         select d.workspace_id, d.chat_id, c.id, d.channel, d.purpose, d.sender, d.recipient, d.expires_at, d.created_at
         from deliveries d, copies c where d.id = ?`,
        [maxEmailsADay, message.id, delivery.id],
      ),
    );
    expect(await stage.say('One too many')).toBe('daily_cap');
  });
});

describe('the bound of the relay', () => {
  // The workspace is that of all tests.
  afterEach(() =>
    workspace.within((tx) => tx('emails').whereLike('unsubscribe_token', 'of-the-bound-%').delete()),
  );

  it(`stops a workspace that begins more than ${maxStartedByRelayADay} emails a day, and leaves replies`, async () => {
    const { email } = await said('Hello');
    await workspace.within((tx) =>
      tx.raw(
        `insert into emails (workspace_id, inbox_id, direction, subject, from_address, to_address, unsubscribe_token, automatic, created_at)
         select workspace_id, inbox_id, direction, subject, from_address, to_address, 'of-the-bound-' || n, automatic, created_at
         from emails, generate_series(2, ?) n where id = ?`,
        [maxStartedByRelayADay, email.id],
      ),
    );
    expect(await stage.say('One too many')).toBe('daily_cap');

    const smtp = { smtpHost: 'mail.clinic.example', smtpPort: 465, smtpSecurity: 'tls' } as const;
    const ownServer = { ...smtp, updatedAt: clock.now() };
    await workspace.within((tx) => patchInbox(tx, stage.inbox.id, ownServer));
    expect(typeof (await stage.say('By a server of its own'))).toBe('object');
    const relayed = { smtpHost: null, smtpPort: null, smtpSecurity: null, updatedAt: clock.now() };
    await workspace.within((tx) => patchInbox(tx, stage.inbox.id, relayed));
    await stage.memberWrites('A question');
    expect(typeof (await stage.say('An answer'))).toBe('object');
    clock.advance(hours(25));
    expect(typeof (await stage.say('The next day'))).toBe('object');
  });
});

describe('what a mail server answers', () => {
  it('defers an email for a day, without dropping it when the member writes again', async () => {
    const queued = await stage.write('Hello');
    let attempts = 0;
    for (;;) {
      const claimed = await claim(queued);
      if (claimed.kind !== 'claimed') break;
      attempts += 1;
      await tell(queued, { state: 'failed', errorCode: '4.7.1' }, attempts);
      if (attempts === 2) {
        await stage.memberWrites('Still there?');
        await stage.write('Yes');
      }
      const { notBefore, state } = (await now(queued)).delivery;
      if (state !== 'queued' || notBefore === null) break;
      clock.advance(notBefore.getTime() - clock.now().getTime());
    }
    expect(attempts).toBeGreaterThan(6);
    const { delivery } = await now(queued);
    expect(delivery).toMatchObject({ state: 'failed', failureReason: 'email_deferred', errorCode: '4.7.1' });
    expect(clock.now().getTime() - delivery.createdAt.getTime()).toBeGreaterThan(hours(15));
  });

  it('that a mailbox does not exist is final, alerts a colleague, and stops further emails to it', async () => {
    const queued = await stage.write('Hello');
    await claim(queued);
    await tell(queued, { state: 'failed', errorCode: '5.1.1' });

    const { message } = await now(queued);
    expect(message).toMatchObject({
      smsDeliveryErrorCode: '5.1.1',
      smsDeliveryFailureReason: 'unknown_address',
    });
    expect(await stage.chat()).toMatchObject({ needsResponseReason: 'delivery_failed' });
    expect(await workspace.within((tx) => findEmailOptOut(tx, stage.address, clock.now()))).toBe('bounce');
  });

  it('is not asked for a receipt, and a late report settles the email once', async () => {
    const queued = await stage.write('Hello');
    await claim(queued);
    await tell(queued, { state: 'sent', carrierMessageId: queued.email.rfcMessageId ?? '' });
    clock.advance(hours(72));
    expect(
      await nextDelivery(context(), { workspaceId: workspace.workspaceId, chatId: stage.chatId }),
    ).toEqual({ kind: 'idle' });

    for (let count = 0; count < 10; count += 1) {
      const { delivery } = await now(queued);
      const news = {
        state: 'failed',
        errorCode: count === 0 ? '5.2.1' : '5.7.1',
        learntBy: 'callback',
      } as const;
      await workspace.within((tx) => settleDelivery(tx, delivery, news, clock.now()));
    }
    expect((await now(queued)).message).toMatchObject({ smsDeliveryFailureReason: 'mailbox_disabled' });
  });
});

describe('a report that comes before the answer of the mail server', () => {
  it('settles the email, whose id at the relay is noted all the same', async () => {
    const queued = await stage.write('Hello');
    await claim(queued);
    const report = { state: 'failed', errorCode: '5.7.1', learntBy: 'callback' } as const;
    await workspace.within(async (tx) =>
      settleDelivery(tx, (await now(queued)).delivery, report, clock.now()),
    );

    await tell(queued, { state: 'sent', carrierMessageId: 'given@relay.example' });

    const { delivery, email } = await now(queued);
    expect(delivery).toMatchObject({
      state: 'failed',
      errorCode: '5.7.1',
      carrierMessageId: 'given@relay.example',
    });
    expect(await workspace.within((tx) => findSentByMessageIds(tx, ['given@relay.example']))).toEqual([
      email,
    ]);
  });

  it('and defers it leaves the id for replies, and the email is tried again', async () => {
    const queued = await stage.write('Hello');
    await claim(queued);
    const report = { state: 'failed', errorCode: '4.2.0', learntBy: 'callback' } as const;
    await workspace.within(async (tx) =>
      settleDelivery(tx, (await now(queued)).delivery, report, clock.now()),
    );

    await tell(queued, { state: 'sent', carrierMessageId: 'given@relay.example' });

    const { delivery, email } = await now(queued);
    expect(delivery).toMatchObject({ state: 'queued', carrierMessageId: null });
    expect(email.relayMessageId).toBe('given@relay.example');
  });

  it('leaves the id of an attempt alone that is not the latest', async () => {
    const queued = await stage.write('Hello');
    await claim(queued);
    await tell(queued, { state: 'sent', carrierMessageId: 'late@relay.example' }, 2);
    expect((await now(queued)).email.relayMessageId).toBeNull();
  });
});

describe('a claim of a worker that cannot send email', () => {
  const resolve = (queued: QueuedEmail) => prepareDeliveryLookup(context(), refOf(queued));
  const claimElsewhere = ({ delivery }: QueuedEmail, attempts: number) =>
    workspace.within((tx) =>
      patchDelivery(tx, delivery.id, {
        state: 'claimed',
        claimedAt: clock.now(),
        claimToken: randomUUID(),
        outcomeUnknown: true,
        attempts,
      }),
    );

  it('is queued again, before the first attempt and after others', async () => {
    const queued = await stage.write('Hello');
    await claimElsewhere(queued, 1);
    expect(await resolve(queued)).toBeUndefined();
    expect((await now(queued)).delivery).toMatchObject({ state: 'queued', attempts: 0, claimToken: null });

    expect(await claim(queued)).toMatchObject({ kind: 'claimed', attempt: 1 });
    await tell(queued, { state: 'failed', errorCode: '4.2.0' });
    await claimElsewhere(queued, 2);
    expect(await resolve(queued)).toBeUndefined();
    clock.advance(minutes(6));
    expect(await claim(queued)).toMatchObject({ kind: 'claimed', attempt: 2 });
  });

  it('is told from one whose outcome is unknown, which is not made again', async () => {
    const queued = await stage.write('Hello');
    await claim(queued);
    expect(await resolve(queued)).toMatchObject({ attempt: 1 });
    expect((await now(queued)).delivery.state).toBe('claimed');
    await workspace.within((tx) => patchEmail(tx, queued.email.id, { begunAttempt: null }));
    expect(await resolve(queued)).toMatchObject({ attempt: 1 });
  });
});

describe('an inbox', () => {
  it('that is disabled sends nothing that is queued, and nothing more is queued', async () => {
    const queued = await stage.write('Hello');
    await workspace.within((tx) =>
      patchInbox(tx, stage.inbox.id, { enabled: false, updatedAt: clock.now() }),
    );

    expect(await claim(queued)).toEqual({ kind: 'settled' });
    expect((await now(queued)).delivery.failureReason).toBe('missing_inbox');
    expect(await stage.say('Hello')).toBe('missing_inbox');
  });

  it('is claimed with the name, signature and server that it has then', async () => {
    const queued = await stage.write('Hello');
    const changes = {
      fromName: 'Night desk',
      signature: 'Yours',
      smtpHost: 'mail.clinic.example',
      smtpPort: 465,
    };
    await workspace.within((tx) =>
      patchInbox(tx, stage.inbox.id, { ...changes, smtpSecurity: 'tls', updatedAt: clock.now() }),
    );
    expect(await claim(queued)).toMatchObject({
      email: {
        fromName: 'Night desk',
        signature: 'Yours',
        server: { host: 'mail.clinic.example', port: 465 },
      },
    });
  });
});

it('an email in a chat whose member has no address is refused, and says why', async () => {
  await updateMember(workspace.context(), stage.member.memberId, { email: null });
  expect(await stage.say('Hello')).toBe('missing_email');
});

it('deliveries of earlier attempts keep their claims when an email expires', async () => {
  const queued = await stage.write('Hello');
  await workspace.within((tx) => patchDelivery(tx, queued.delivery.id, { expiresAt: clock.now() }));
  expect(await claim(queued)).toEqual({ kind: 'settled' });
  expect((await now(queued)).delivery.failureReason).toBe('expired');
});
