import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { liveOutreach } from '../../../../../domain/calls/live-outreach.js';
import { claimDelivery } from '../../../../../domain/channels/deliveries/claim-delivery.js';
import { recordDeliveryNews } from '../../../../../domain/channels/deliveries/record-delivery-news.js';
import { settleByReport } from '../../../../../domain/channels/email/inbound/settle-by-report.js';
import { liftEmailOptOuts } from '../../../../../domain/channels/email/opt-outs.js';
import { setUnsubscribed } from '../../../../../domain/channels/email/unsubscribe.js';
import { liftOwnSmsOptOut, optMemberOutOfSms } from '../../../../../domain/channels/outreach/opt-outs.js';
import { receiveSms } from '../../../../../domain/conversations/chats/receive-sms.js';
import { type DeliveryStage, stageDeliveries } from '../../../../support/chats/delivery-stage.js';
import { type EmailStage, type QueuedEmail, stageEmails } from '../../../../support/chats/email-stage.js';
import { mailroomOf } from '../../../../support/emails/hand-in.js';
import { mimeOf, receivingServer } from '../../../../support/emails/mime.js';
import { days, MovedClock } from '../../../../support/lib/moved-clock.js';
import { scratchStorage } from '../../../../support/storage/scratch-storage.js';
import { toldDuring } from '../../../../support/webhooks/told-events.js';
import { addPhoneNumber } from '../../../../support/workspace/definitions.js';
import { actorOf, uniquePhone } from '../../../../support/workspace/factories.js';
import { addInbox } from '../../../../support/workspace/inboxes.js';
import { useWorkspace } from '../../../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace({ storesEvents: true });
let clock: MovedClock;
beforeEach(() => {
  clock = new MovedClock();
});

const context = () => ({ db: workspace.database, clock, outreach: liveOutreach });
/** What was told of opt-outs meanwhile. */
const during = async (work: () => Promise<unknown>) =>
  (await toldDuring(workspace, work)).flatMap(({ event, channel, source, member }) => {
    if (event !== 'member:opted_out' && event !== 'member:opted_in') return [];
    const how = source === undefined ? '' : ` by ${source}`;
    return [
      { told: `${event.slice('member:'.length)} ${channel}${how}`, memberId: (member as { id: number }).id },
    ];
  });
const twenty = <T>(act: () => Promise<T>) => Promise.all(Array.from({ length: 20 }, act));

describe('an opt-out of SMS', () => {
  let stage: DeliveryStage;
  beforeEach(async () => {
    stage = await stageDeliveries(workspace, clock);
  });
  const text = (body: string, from = stage.member.row.phone ?? '') =>
    receiveSms(context(), { carrierMessageId: `SM${randomUUID()}`, from, to: stage.number, body });
  const ask = () => optMemberOutOfSms(workspace.context(), stage.member.memberId);
  const lift = () => {
    const actor = actorOf(workspace, { member: stage.member, kind: 'session' });
    return liftOwnSmsOptOut({ ...workspace.context(stage.member), actor }, stage.member.memberId);
  };
  const refused = async () => {
    const { delivery } = await stage.write('Good morning');
    const ref = { workspaceId: workspace.workspaceId, deliveryId: delivery.id };
    await claimDelivery(context(), ref, randomUUID());
    await recordDeliveryNews(context(), ref, 1, { state: 'failed', errorCode: '21610' });
  };
  const told = (what: string) => [{ told: what, memberId: stage.member.memberId }];

  it.each([
    ['a word', () => text('STOP'), 'keyword'],
    ['a request', () => ask(), 'request'],
    ['the carrier, which refuses a message', () => refused(), 'carrier'],
  ])('is told by %s, once until it is lifted', async (_what, act, source) => {
    expect(await during(act)).toEqual(told(`opted_out sms by ${source}`));
    expect(await during(async () => [await text('STOP'), await ask(), await ask()])).toEqual([]);
    expect(await during(() => text('START'))).toEqual(told('opted_in sms'));
    expect(await during(() => text('START'))).toEqual([]);
    expect(await during(act)).toEqual(told(`opted_out sms by ${source}`));
    expect(await during(lift)).toEqual(told('opted_in sms'));
    expect(await during(lift)).toEqual([]);
  });

  it('is told once where it is said twenty times, and asked for, at once', async () => {
    const events = await during(() => twenty(() => Promise.all([text('STOP'), ask()])));

    expect(events).toHaveLength(1);
  });

  it('is told of a stranger, who is a member from the word on, and of a sender that is no number', async () => {
    expect(await during(() => text('STOP', uniquePhone()))).toMatchObject([
      { told: 'opted_out sms by keyword' },
    ]);
    const { number } = await addPhoneNumber(workspace);
    const say = (body: string) =>
      receiveSms(context(), { carrierMessageId: `SM${randomUUID()}`, from: 'BANK', to: number, body });
    expect(await during(() => say('STOP'))).toMatchObject([{ told: 'opted_out sms by keyword' }]);
    expect(await during(() => say('STOP'))).toEqual([]);
    expect(await during(() => say('START'))).toMatchObject([{ told: 'opted_in sms' }]);
  });

  it('is not told where nobody is opted out', async () => {
    expect(await during(async () => [await text('START'), await text('HELP'), await text('Hello')])).toEqual(
      [],
    );
  });
});

describe('an opt-out of email', () => {
  let stage: EmailStage;
  let queued: QueuedEmail;
  beforeEach(async () => {
    stage = await stageEmails(workspace, clock, {
      inbox: await addInbox(workspace, { authservId: receivingServer }),
    });
    const said = await stage.say('Good morning');
    if (typeof said === 'string') throw new Error(`not queued: ${said}`);
    queued = said;
  });
  const link = () => ({
    workspaceUuid: workspace.workspaceUuid,
    token: queued.email.unsubscribeToken ?? '',
  });
  const unsubscribe = (isUnsubscribed = true) => setUnsubscribed(context(), link(), isUnsubscribed);
  const complain = () =>
    workspace.within((tx) => {
      const report = { kind: 'complaint', status: null, messageId: null } as const;
      return settleByReport(tx, queued.email, { ...report, recipients: [], byToken: true }, clock.now());
    });
  const bounce = async () => {
    const ref = { workspaceId: workspace.workspaceId, deliveryId: queued.delivery.id };
    await claimDelivery(context(), ref, randomUUID());
    await recordDeliveryNews(context(), ref, 1, { state: 'failed', errorCode: '5.1.1' });
  };
  const write = async () => {
    const { storage, remove } = scratchStorage();
    onTestFinished(remove);
    const room = mailroomOf(workspace, stage.inbox, { clock, storage });
    await room.handIn(mimeOf({ from: stage.address, to: stage.inbox.address }));
  };
  const lift = () => liftEmailOptOuts(workspace.context(), stage.member.memberId);
  const told = (what: string) => [{ told: what, memberId: stage.member.memberId }];

  it('is told by the link of an email, once until it is lifted', async () => {
    expect(await during(() => twenty(() => unsubscribe()))).toEqual(told('opted_out email by link'));
    expect(await during(() => twenty(() => unsubscribe(false)))).toEqual(told('opted_in email'));
    expect(await during(() => unsubscribe(false))).toEqual([]);
  });

  it('is told by a complaint, once, and not by a second way', async () => {
    expect(await during(complain)).toEqual(told('opted_out email by complaint'));
    expect(await during(async () => [await complain(), await unsubscribe()])).toEqual([]);
    // One of two is lifted.
    expect(await during(() => unsubscribe(false))).toEqual([]);
    expect(await during(() => write())).toEqual([]);
  });

  it('is told by a bounce, and ends by a mail of the member', async () => {
    expect(await during(bounce)).toEqual(told('opted_out email by bounce'));
    clock.advance(days(1));
    expect(await during(write)).toEqual(told('opted_in email'));
    expect(await during(write)).toEqual([]);
  });

  it('by a bounce ends by a request', async () => {
    await bounce();
    expect(await during(lift)).toEqual(told('opted_in email'));
    expect(await during(lift)).toEqual([]);
  });
});
