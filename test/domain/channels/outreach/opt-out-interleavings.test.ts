import { describe, expect, it } from 'vitest';
import { lockMember } from '../../../../db/people/members.js';
import type { Tx } from '../../../../db/tx.js';
import { holdOptOuts } from '../../../../domain/channels/outreach/claim-under-lock.js';
import { refusalOf } from '../../../../domain/channels/outreach/gate.js';
import {
  optMemberOutOfCalls,
  optOutBySaying,
  optOutOfSms,
} from '../../../../domain/channels/outreach/opt-outs.js';
import { stageCall } from '../../../support/calls/staged-call.js';
import { stageDeliveries } from '../../../support/chats/delivery-stage.js';
import { stageFreeChat } from '../../../support/chats/free-chat.js';
import { useDeliveries } from '../../../support/chats/use-deliveries.js';
import { whenWaitedFor } from '../../../support/db/locks.js';
import { addMember } from '../../../support/workspace/factories.js';

const { workspace, clock, stage, claim } = useDeliveries();

const stop = (tx: Tx) =>
  optOutOfSms(tx, {
    phone: stage.member.row.phone ?? '',
    sender: stage.number,
    source: 'keyword',
    now: clock.now(),
  });

describe('an opt-out beside messages', () => {
  it('is waited for by a claim that begins while it is written, and then heeded', async () => {
    const { delivery, message } = await stage.write('Hello');
    let claiming: ReturnType<typeof claim> | undefined;
    await workspace.within(async (tx) => {
      await stop(tx);
      claiming = claim(delivery);
      await whenWaitedFor(tx);
    });
    expect(await claiming).toEqual({ kind: 'settled' });
    expect(await stage.message(message.uuid)).toMatchObject({ smsDeliveryFailureReason: 'opted_out' });
  });

  it('waits for a claim that has asked before it, so that none goes out after it is confirmed', async () => {
    const { delivery } = await stage.write('Hello');
    const order: string[] = [];
    let stopping: Promise<void> | undefined;
    // A claim in the middle: it holds what a claim holds from its question until its commit.
    await workspace.within(async (tx) => {
      await holdOptOuts(tx, { memberId: stage.member.memberId, recipient: delivery.recipient });
      stopping = workspace.within(stop).then(() => void order.push('opted out'));
      await whenWaitedFor(tx);
      order.push('claimed');
    });
    await stopping;
    expect(order).toEqual(['claimed', 'opted out']);
  });

  it.each(['queued', 'queued again'] as const)('stops what is %s', async (how) => {
    const { delivery } = await stage.write('Hello');
    if (how === 'queued again') {
      expect(await claim(delivery)).toMatchObject({ kind: 'claimed' });
      await workspace.within((tx) =>
        tx('deliveries').where({ id: delivery.id }).update({ state: 'queued', claim_token: null }),
      );
    }
    await workspace.within(stop);
    expect(await claim(delivery)).toEqual({ kind: 'settled' });
  });

  it('concerns the member and the number, also where the opt-out came by another of its numbers', async () => {
    const { delivery } = await stage.write('Hello');
    const before = stage.member.row;
    await workspace.within((tx) => tx('members').where({ id: before.id }).update({ phone: '+12025550987' }));
    await workspace.within(async (tx) => {
      const member = await lockMember(tx, before.id);
      if (member === undefined) throw new Error('the member is gone');
      await optOutBySaying(tx, member, ['sms'], { source: 'agent' }, clock.now());
    });
    expect(await claim(delivery)).toEqual({ kind: 'settled' });
  });

  it('lets claims of other members go on', async () => {
    const other = await stageDeliveries(workspace, clock);
    const { delivery } = await other.write('Hello');
    await workspace.within(async (tx) => {
      await stop(tx);
      expect(await claim(delivery)).toMatchObject({ kind: 'claimed' });
    });
  });

  it('holds what agents and tasks begin while it is unclear, and not what colleagues answer', async () => {
    await workspace.within((tx) =>
      tx('chats').where({ id: stage.chatId }).update({ paused: true, paused_reason: 'opt_out_unclear' }),
    );
    const { memberId, row } = stage.member;
    const outreach = {
      channel: 'phone-sms',
      memberId,
      recipient: row.phone ?? '',
      now: clock.now(),
    } as const;
    const ask = (purpose: 'task' | 'agent_initiated' | 'reply') =>
      workspace.within((tx) => refusalOf(tx, { ...outreach, purpose }));
    expect(await ask('task')).toBe('opted_out');
    expect(await ask('agent_initiated')).toBe('opted_out');
    expect(await ask('reply')).toBeUndefined();
    await workspace.within((tx) => tx('chats').where({ id: stage.chatId }).update({ paused: false }));
    expect(await ask('task')).toBeUndefined();
  });
});

describe('an opt-out of calls', () => {
  async function place() {
    const member = await addMember(workspace, { role: workspace.roles.member });
    const chat = await stageFreeChat(workspace, { member });
    return { member, call: await stageCall(workspace, clock, chat.chatId) };
  }

  it('stops a call that was asked for, and leaves SMS', async () => {
    const { member, call } = await place();
    await optMemberOutOfCalls(workspace.context(workspace.admin, clock), member.memberId);
    await call.advance();
    expect(call.calls.created).toEqual([]);
    expect(await call.row()).toMatchObject({ status: 'canceled', blockedReason: 'opted_out' });
    const { delivery } = await stage.write('Hello');
    expect(await claim(delivery)).toMatchObject({ kind: 'claimed' });
  });

  it('is waited for by a claim that begins while it is written', async () => {
    const { member, call } = await place();
    let dialling: Promise<unknown> | undefined;
    await workspace.within(async (tx) => {
      const row = await lockMember(tx, member.memberId);
      if (row === undefined) throw new Error('the member is gone');
      await optOutBySaying(tx, row, ['calls'], { source: 'agent' }, clock.now());
      dialling = call.advance();
      await whenWaitedFor(tx);
    });
    await dialling;
    expect(call.calls.created).toEqual([]);
  });
});
