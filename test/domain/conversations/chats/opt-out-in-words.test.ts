import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { hasOptedOutOfCalls } from '../../../../db/channels/opt-out-proofs.js';
import { findChat } from '../../../../db/conversations/chats.js';
import { findMember } from '../../../../db/people/members.js';
import { listOptOuts } from '../../../../domain/channels/outreach/opt-outs.js';
import { receiveSms } from '../../../../domain/conversations/chats/receive-sms.js';
import { addPhoneNumber } from '../../../support/workspace/definitions.js';
import { addMember, type TestMember } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();
let number: { id: number; number: string };
let member: TestMember;
beforeEach(async () => {
  number = await addPhoneNumber(workspace);
  member = await addMember(workspace, { role: workspace.roles.member });
});

const proofs = () => listOptOuts(workspace.context(), member.memberId);
async function receive(body: string, more: { missedAt?: Date } = {}) {
  const carrierMessageId = `SM${randomUUID().replaceAll('-', '')}`;
  const from = member.row.phone ?? '';
  const sms = { carrierMessageId, from, to: number.number, body, ...more };
  const answer = await receiveSms(workspace.context(), sms);
  const again = await receiveSms(workspace.context(), sms);
  expect(again).toEqual({});
  return workspace.within(async (tx) => {
    const message = await tx('messages').where({ carrier_message_id: carrierMessageId }).first();
    const chat = await findChat(tx, Number(message.chat_id));
    const current = await findMember(tx, member.memberId);
    return { answer, message, chat, optedOut: current?.smsOptedOutAt !== null };
  });
}

describe('an SMS that opts out in words of its own', () => {
  it.each(['Please stop texting me', 'lopettakaa viestit heti kiitos', "ne m'envoyez plus rien svp"])(
    'is obeyed, confirmed once and told to a colleague, with its proof: %s',
    async (body) => {
      const { answer, chat, optedOut } = await receive(body);
      expect(optedOut).toBe(true);
      expect(answer.reply).toMatch(/unsubscribed/);
      expect(chat).toMatchObject({ needsResponse: true, needsResponseReason: 'opted_out' });
      expect(chat?.version).toBe(chat?.handledVersion);
      expect(await proofs()).toMatchObject([
        { channel: 'sms', source: 'words', heardOn: 'phone-sms', words: body, byMemberId: null },
      ]);
      expect((await receive(body)).answer).toEqual({});
    },
  );

  it('keeps the proof of a keyword, and notes that START has lifted it', async () => {
    await receive('STOP');
    expect(await proofs()).toMatchObject([{ source: 'keyword', words: 'STOP', liftedAt: null }]);
    await receive('START');
    expect(await proofs()).toMatchObject([{ source: 'keyword', liftedAt: expect.any(Date) }]);
  });

  it('may mean calls alone, which START does not lift', async () => {
    const { answer, optedOut } = await receive("Please don't call me again");
    expect(optedOut).toBe(false);
    expect(answer.reply).toMatch(/not call you/);
    const whose = { memberId: member.memberId, recipient: null };
    expect(await workspace.within((tx) => hasOptedOutOfCalls(tx, whose))).toBe(true);
    await receive('START');
    expect(await workspace.within((tx) => hasOptedOutOfCalls(tx, whose))).toBe(true);
  });

  it('takes effect late, without an answer', async () => {
    const { answer, optedOut } = await receive('stop sending me messages please', {
      missedAt: new Date(Date.now() - 5 * 3_600_000),
    });
    expect(answer).toEqual({});
    expect(optedOut).toBe(true);
  });

  it('is obeyed from a sender that is no phone number', async () => {
    const carrierMessageId = `SM${randomUUID().replaceAll('-', '')}`;
    const sms = { carrierMessageId, from: 'CLINIC', to: number.number, body: 'please stop texting me' };
    await receiveSms(workspace.context(), sms);
    const rows = await workspace.within((tx) => tx('opt_out_proofs').where({ recipient: 'CLINIC' }));
    expect(rows).toMatchObject([{ source: 'words', channel: 'sms' }]);
  });
});

describe('an SMS that may opt out', () => {
  it.each(["Don't text me before 9", 'How do I unsubscribe?', 'wrong number'])(
    'silences the agent and asks a person: %s',
    async (body) => {
      const { answer, chat, optedOut } = await receive(body);
      expect(answer).toEqual({});
      expect(optedOut).toBe(false);
      expect(await proofs()).toEqual([]);
      expect(chat).toMatchObject({
        paused: true,
        pausedReason: 'opt_out_unclear',
        needsResponse: true,
        needsResponseReason: 'opt_out_unclear',
      });
    },
  );

  it('is an ordinary message where it only has the words', async () => {
    const { chat, optedOut } = await receive("Please don't stop sending me reminders");
    expect(optedOut).toBe(false);
    expect(chat).toMatchObject({ paused: false });
    expect(chat?.needsResponseReason).not.toBe('opt_out_unclear');
  });
});
