import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { insertDelivery, patchDelivery } from '../../../../db/channels/deliveries.js';
import { insertMessage } from '../../../../db/conversations/messages.js';
import { findMember } from '../../../../db/people/members.js';
import type { Tx } from '../../../../db/tx.js';
import { claimDelivery } from '../../../../domain/channels/deliveries/claim-delivery.js';
import { queueSms } from '../../../../domain/channels/deliveries/queue-delivery.js';
import {
  maxMessagesADay,
  maxStartedToNumberADay,
  refusalOf,
} from '../../../../domain/channels/outreach/gate.js';
import {
  liftOwnSmsOptOut,
  optInToSms,
  optMemberOutOfSms,
  optOutOfSms,
} from '../../../../domain/channels/outreach/opt-outs.js';
import { deleteMember } from '../../../../domain/people/members/delete-member.js';
import { updateMember } from '../../../../domain/people/members/update-member.js';
import { type FreeChat, stageFreeChat } from '../../../support/chats/free-chat.js';
import { days, hours } from '../../../support/lib/moved-clock.js';
import { actorOf, addMember, type TestMember } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();
let member: TestMember;
let chat: FreeChat;

beforeEach(async () => {
  member = await addMember(workspace, { values: { phone: newPhone() } });
  chat = await stageFreeChat(workspace, { member, channel: 'phone-sms' });
});

let phones = 0;
function newPhone(): string {
  phones += 1;
  return `+1202555${String(1_000 + phones).padStart(4, '0')}`;
}

const memberNow = () => workspace.within((tx) => findMember(tx, member.memberId));
const phoneNow = async () => (await memberNow())?.phone ?? '';
const change = (changes: Parameters<typeof updateMember>[2]) =>
  updateMember(workspace.context(), member.memberId, changes);
const stop = async () => {
  const optOut = { phone: await phoneNow(), sender: '+12025550100', now: chat.clock.now() };
  return workspace.within((tx) => optOutOfSms(tx, { ...optOut, source: 'keyword' }));
};
const addMessage = (tx: Tx) =>
  insertMessage(tx, { chatId: chat.chatId, role: 'assistant', author: 'agent', content: 'Hello' });
/** Queues an SMS in the chat; resolves to the reason if it cannot go out. */
const say = () =>
  workspace.within(async (tx) => queueSms(tx, await chat.chat(), await addMessage(tx), chat.clock.now()));

describe('an SMS opt-out', () => {
  it('applies to every number of the workspace', async () => {
    await stop();
    chat = await stageFreeChat(workspace, { member, channel: 'phone-sms' });
    expect(await say()).toBe('opted_out');
  });

  it('follows the member to a new phone number, and stays with the old number', async () => {
    const before = await phoneNow();
    await stop();
    await change({ phone: newPhone() });
    expect(await say()).toBe('opted_out');

    const next = await addMember(workspace, { values: { phone: before } });
    chat = await stageFreeChat(workspace, { member: next, channel: 'phone-sms' });
    expect(await say()).toBe('opted_out');
  });

  it('is lifted by START and by the member, and by no other member', async () => {
    await stop();
    await expect(liftOwnSmsOptOut(workspace.context(), member.memberId)).rejects.toThrow();
    expect(await say()).toBe('opted_out');

    const withoutAccount = { ...member, accountId: null };
    for (const actor of [
      actorOf(workspace, { member }),
      actorOf(workspace, { member, kind: 'oauth_token' }),
      actorOf(workspace, { member: withoutAccount, kind: 'session' }),
    ]) {
      const refused = liftOwnSmsOptOut({ ...chat.context, actor }, member.memberId);
      await expect(refused).rejects.toMatchObject({ code: 'opted_out' });
    }
    expect(await say()).toBe('opted_out');

    const inPerson = { ...chat.context, actor: actorOf(workspace, { member, kind: 'session' }) };
    await liftOwnSmsOptOut(inPerson, member.memberId);
    expect(await say()).toBeUndefined();
    await stop();
    const phone = await phoneNow();
    await workspace.within((tx) => optInToSms(tx, phone, new Date()));
    expect(await say()).toBeUndefined();
  });

  it('can be set by the member and by a manager of members, and keeps its first time', async () => {
    await optMemberOutOfSms(workspace.context(), member.memberId);
    const first = (await memberNow())?.smsOptedOutAt;
    expect(first).not.toBeNull();
    await optMemberOutOfSms(chat.context, member.memberId);

    expect((await memberNow())?.smsOptedOutAt).toEqual(first);
    const stranger = workspace.context(await addMember(workspace));
    await expect(optMemberOutOfSms(stranger, member.memberId)).rejects.toThrow();
    expect(await say()).toBe('opted_out');
  });

  it('prevents the model call and alerts a colleague', async () => {
    await chat.memberWrites('What about my appointment?');
    await stop();

    expect(await chat.advance()).toEqual({ kind: 'idle' });
    const handedOver = { needsResponse: true, needsResponseReason: 'member_unreachable' };
    expect(await chat.chat()).toMatchObject(handedOver);
    expect(await chat.advance()).toEqual({ kind: 'idle' });
  });
});

describe('disabled notifications', () => {
  it('block messages, unless they answer a recent message of the member', async () => {
    await change({ notifySms: false });
    expect(await say()).toBe('notifications_disabled');

    await chat.memberWrites('Are you there?');
    expect(await say()).toBeUndefined();
    chat.clock.advance(hours(25));
    expect(await say()).toBe('notifications_disabled');
  });

  it('block messages when the account has opted out, unless they answer the member', async () => {
    const { identity } = workspace.database;
    const { accountId } = member;
    await identity.accounts.update(accountId, { optedOut: true, updatedAt: new Date() });
    expect(await say()).toBe('opted_out');

    await chat.memberWrites('Are you there?');
    expect(await say()).toBeUndefined();
  });

  it('apply to each channel separately', async () => {
    await change({ notifyEmail: false });
    const ask = (channel: 'email' | 'phone-voice') =>
      workspace.within((tx) => {
        const to = { memberId: member.memberId, recipient: 'somebody@example.com' };
        return refusalOf(tx, { ...to, purpose: 'agent_initiated', channel, now: chat.clock.now() });
      });

    expect(await ask('email')).toBe('notifications_disabled');
    expect(await ask('phone-voice')).toBeUndefined();
    await change({ notifyVoice: false });
    expect(await ask('phone-voice')).toBe('notifications_disabled');
  });
});

describe('the daily limit of messages to a member', () => {
  it('blocks further messages, and allows as many again on another day', async () => {
    const recipient = await phoneNow();
    await workspace.within(async (tx) => {
      for (let index = 0; index < maxMessagesADay; index += 1) {
        const message = await addMessage(tx);
        const route = { sender: '+12025550100', recipient, channel: 'phone-sms', purpose: 'reply' } as const;
        const expiresAt = new Date(chat.clock.now().getTime() + days(1));
        const delivery = { chatId: chat.chatId, messageId: message.id, expiresAt, orderGroup: null };
        await insertDelivery(tx, { ...delivery, ...route });
      }
    });

    expect(await say()).toBe('daily_cap');
    chat.clock.advance(days(2));
    expect(await say()).toBeUndefined();
  });
});

describe('the outreach gate', () => {
  it.each<[string, string, () => Promise<unknown>]>([
    ['messages were switched off', 'notifications_disabled', () => change({ notifySms: false })],
    ['STOP came', 'opted_out', stop],
    ['the member left', 'member_deleted', () => deleteMember(workspace.context(), member.memberId)],
  ])('is checked again when a message is sent, where %s meanwhile', async (_what, failureReason, happen) => {
    expect(await say()).toBeUndefined();
    const { id } = await workspace.within((tx) =>
      tx('deliveries').where({ chat_id: chat.chatId }).first('id'),
    );
    await happen();

    const ref = { workspaceId: workspace.workspaceId, deliveryId: Number(id) };
    const claimed = await claimDelivery(chat.context, ref, '00000000-0000-4000-8000-000000000001');

    expect(claimed).toEqual({ kind: 'settled' });
    const settled = await workspace.within((tx) => patchDelivery(tx, ref.deliveryId, {}));
    expect(settled).toMatchObject({ state: 'failed', failureReason });
  });

  it('is passed by all code that queues messages to members', () => {
    const rooms = ['domain', 'activities', 'api', 'media', 'runtime'];
    const callers = (call: RegExp, folders = rooms) => folders.flatMap(sourceFiles).filter(has(call));
    expect(callers(/\binsertDelivery\(/)).toEqual(['domain/channels/deliveries/queue-delivery.ts']);
    expect(callers(/insert into deliveries/i, [...rooms, 'db'])).toEqual([]);
    const queuing = [
      'domain/channels/deliveries/queue-delivery.ts',
      'domain/conversations/handoffs/tell-of-waiting-chats.ts',
      'domain/events/event-rules/notify-admins.ts',
      'domain/identity/login-codes/issue-login-code.ts',
    ];
    expect(queuing.filter(has(asksGate))).toEqual(queuing);
  });
});

describe('texts that the workspace begins', () => {
  const set = (settings: object) =>
    workspace.database.identity.workspaces.update(workspace.workspaceId, settings);
  const abroad = async () => {
    phones += 1;
    member = await addMember(workspace, { values: { phone: `+53512${34_000 + phones}` } });
    chat = await stageFreeChat(workspace, { member, channel: 'phone-sms' });
  };
  /** As the carrier hands it in. */
  const memberTexts = () =>
    workspace.within((tx) =>
      insertMessage(tx, {
        chatId: chat.chatId,
        role: 'user',
        author: 'member',
        memberId: member.memberId,
        content: 'Hello?',
        carrierMessageId: randomUUID(),
      }),
    );
  afterEach(() => set({ smsCountries: null, smsPerDay: 10_000 }));

  it('go to the country of the number that they are sent from, and to those that the workspace names', async () => {
    expect(await say()).toBeUndefined();
    await abroad();
    expect(await say()).toBe('country_not_allowed');
    await set({ smsCountries: ['US', 'CU'] });
    expect(await say()).toBeUndefined();
    const { id } = await workspace.within((tx) =>
      tx('deliveries').where({ chat_id: chat.chatId }).first('id'),
    );
    await set({ smsCountries: ['US'] });
    const ref = { workspaceId: workspace.workspaceId, deliveryId: Number(id) };
    expect(await claimDelivery(chat.context, ref, randomUUID())).toEqual({ kind: 'settled' });
    expect(await workspace.within((tx) => patchDelivery(tx, ref.deliveryId, {}))).toMatchObject({
      failureReason: 'country_not_allowed',
    });
  });

  it('are none where a person has texted, and is answered within a day, or late, wherever they are', async () => {
    await abroad();
    await memberTexts();
    expect(await say()).toBeUndefined();
    chat.clock.advance(hours(23));
    expect(await say()).toBeUndefined();
    chat.clock.advance(hours(2));
    expect(await say()).toBe('country_not_allowed');
    await memberTexts();
    chat.clock.advance(days(3));
    expect(await say()).toBeUndefined();
  });

  it('are texts to a number that has only been written for through the API', async () => {
    await abroad();
    await chat.memberWrites('Text me.');
    expect(await say()).toBe('country_not_allowed');
  });

  it('are bounded by number and by workspace in a day, and answers are not', async () => {
    for (let count = 0; count < maxStartedToNumberADay; count += 1) expect(await say()).toBeUndefined();
    expect(await say()).toBe('daily_cap');
    await memberTexts();
    expect(await say()).toBeUndefined();
    chat.clock.advance(days(2));
    expect(await say()).toBeUndefined();

    member = await addMember(workspace, { values: { phone: newPhone() } });
    chat = await stageFreeChat(workspace, { member, channel: 'phone-sms' });
    await set({ smsPerDay: 1 });
    expect(await say()).toBe('workspace_daily_cap');
    await memberTexts();
    expect(await say()).toBeUndefined();
  });
});

const asksGate = /\brefusalOf(Code)?\(tx,/;

function has(pattern: RegExp): (file: string) => boolean {
  return (file) => pattern.test(readFileSync(file, 'utf8'));
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
    .sort();
}
