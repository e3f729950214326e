import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { insertDelivery, patchDelivery } from '../../../../db/channels/deliveries.js';
import { insertMessage } from '../../../../db/conversations/messages.js';
import type { Tx } from '../../../../db/database.js';
import { findMember } from '../../../../db/people/members.js';
import { claimDelivery } from '../../../../domain/channels/deliveries/claim-delivery.js';
import { queueSms } from '../../../../domain/channels/deliveries/queue-delivery.js';
import { mostMessagesADay, refusalOf } from '../../../../domain/channels/outreach/gate.js';
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

const within = <T>(work: Parameters<typeof workspace.database.inWorkspace<T>>[1]) =>
  workspace.database.inWorkspace(workspace.workspaceId, work);
const memberNow = () => within((tx) => findMember(tx, member.memberId));
const phoneNow = async () => (await memberNow())?.phone ?? '';
const change = (changes: Parameters<typeof updateMember>[2]) =>
  updateMember(workspace.context(), member.memberId, changes);
const stop = async () => {
  const optOut = { phone: await phoneNow(), sender: '+12025550100', now: chat.clock.now() };
  return within((tx) => optOutOfSms(tx, { ...optOut, source: 'keyword' }));
};
const addMessage = (tx: Tx) =>
  insertMessage(tx, { chatId: chat.chatId, role: 'assistant', author: 'agent', content: 'Hello' });
/** Queues an SMS in the chat; resolves to the reason if it cannot go out. */
const say = () =>
  within(async (tx) => queueSms(tx, await chat.chat(), await addMessage(tx), chat.clock.now()));

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
    await within((tx) => optInToSms(tx, phone, new Date()));
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

  it('prevents the model call and calls a person', async () => {
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
      within((tx) => {
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
    await within(async (tx) => {
      for (let index = 0; index < mostMessagesADay; index += 1) {
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
    const { id } = await within((tx) => tx('deliveries').where({ chat_id: chat.chatId }).first('id'));
    await happen();

    const ref = { workspaceId: workspace.workspaceId, deliveryId: Number(id) };
    const claimed = await claimDelivery(chat.context, ref, '00000000-0000-4000-8000-000000000001');

    expect(claimed).toEqual({ kind: 'settled' });
    const settled = await within((tx) => patchDelivery(tx, ref.deliveryId, {}));
    expect(settled).toMatchObject({ state: 'failed', failureReason });
  });

  it('is passed by all code that sends to members', () => {
    const rooms = ['domain', 'activities', 'api', 'media', 'runtime'];
    const callers = (call: RegExp, folders = rooms) => folders.flatMap(sourceFiles).filter(has(call));

    expect(callers(/\binsertDelivery\(/)).toEqual(['domain/channels/deliveries/queue-delivery.ts']);
    expect(callers(/insert into deliveries/i, [...rooms, 'db'])).toEqual([]);
    const handoffs = 'activities/conversations/handoffs.ts';
    const [codes, guard] = ['activities/identity/login-codes.ts', 'activities/kernel/guard-providers.ts'];
    expect(callers(/\.sendSms\(/)).toEqual(['activities/channels/sms-sender.ts', handoffs, codes, guard]);
    expect(callers(/\)\.send\(claim\)/)).toEqual(['activities/channels/deliveries.ts']);
    expect(callers(/\bmail\.send\(/)).toEqual([handoffs, 'activities/events/rule-notices.ts', codes, guard]);
    const queuing = [
      'domain/channels/deliveries/queue-delivery.ts',
      'domain/conversations/handoffs/tell-of-waiting-chats.ts',
      'domain/events/event-rules/admins-to-tell.ts',
      'domain/identity/login-codes/issue-login-code.ts',
    ];
    expect(queuing.filter(has(asksGate))).toEqual(queuing);
  });

  it('is checked by every claim, and every sender claims before it sends', () => {
    const senders = sourceFiles('activities')
      .filter((file) => file !== 'activities/kernel/guard-providers.ts')
      // What it sends was claimed by `deliveries.ts`.
      .filter((file) => file !== 'activities/channels/sms-sender.ts')
      .filter(has(/\.sendSms\(|\)\.send\(claim\)|\bmail\.send\(/));
    expect(senders.filter(has(/\bperformOnce\(/))).toEqual(senders);
    const claim = /from '\.\.\/\.\.\/(domain\/[\w-]+\/[\w-]+\/claim-[\w-]+)\.js'/g;
    const claims = senders.map((file) =>
      [...readFileSync(file, 'utf8').matchAll(claim)].map(([, path]) => `${path}.ts`),
    );

    expect(claims.flat()).toEqual([
      'domain/channels/deliveries/claim-delivery.ts',
      'domain/conversations/handoffs/claim-handoff-notice.ts',
      'domain/events/event-rules/claim-rule-notice.ts',
      'domain/identity/login-codes/claim-login-code.ts',
    ]);
    expect(claims.map((of) => of.length)).toEqual(senders.map(() => 1));
    expect(claims.flat().filter(has(asksGate))).toEqual(claims.flat());
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
