import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findOpenTransfer } from '../../../../db/calls/call-transfers.js';
import { maxCallMs } from '../../../../domain/calls/call-times.js';
import { requestTransfer } from '../../../../domain/calls/transfers/request-transfer.js';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { type StagedCall, stageCall } from '../../../support/calls/staged-call.js';
import { stageFreeChat } from '../../../support/chats/free-chat.js';
import { MovedClock } from '../../../support/lib/moved-clock.js';
import { addMember } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';
import { useSignedApi } from '../../channels/carrier-messages/signed-api.js';

const { workspace } = useWorkspace();
const api = useSignedApi(() => workspace.database);
const hangUp = '<?xml version="1.0" encoding="UTF-8"?><Response><Hangup/></Response>';
const nothing = '<?xml version="1.0" encoding="UTF-8"?><Response/>';
const target = { name: 'front_desk', phoneNumber: '+14155550110', ringSeconds: 20 };
const facts = 'Wants an <appointment> & is "in pain".';

beforeAll(async () => {
  await createAssistant(workspace.context(), { name: 'Voice', instructions: 'Talk.', isDefault: true });
});

let call: StagedCall;
let sid: string;
let callbacks: string;
beforeEach(async () => {
  const member = await addMember(workspace, { role: workspace.roles.member });
  const chat = await stageFreeChat(workspace, { member });
  call = await stageCall(workspace, new MovedClock(), chat.chatId);
  await call.advance();
  await call.reports({ status: 'in-progress' });
  await call.bridge({ endedAt: new Date(), endReason: 'transfer' });
  const row = await call.row();
  sid = row.carrierCallId ?? '';
  callbacks = workspace.path(`/carrier-calls/${row.uuid}`);
});

const transfer = () =>
  call.inCall((tx, locked) =>
    requestTransfer(tx, locked.call, { toolCallId: `call_${randomUUID()}`, target, facts }, new Date()),
  );
const proceed = async (CallSid = sid): Promise<string> =>
  (await api.call(`${callbacks}/continue`, { CallSid, CallStatus: 'in-progress' })).body;

/** The transfer that the carrier was told to dial. */
async function dialled(): Promise<string> {
  await proceed();
  const open = await workspace.within((tx) => findOpenTransfer(tx, call.callId));
  if (open === undefined) throw new Error('nothing is transferred');
  return `${callbacks}/transfers/${open.uuid}`;
}
const result = async (path: string, DialCallStatus: string, CallSid = sid): Promise<string> =>
  (await api.call(`${path}/result`, { CallSid, DialCallStatus })).body;

const tokenIn = (answer: string) => /name="token" value="([^"]+)"/.exec(answer)?.[1];

describe('a transfer', () => {
  it('is dialled from the number of the call, the same however often the carrier asks', async () => {
    await transfer();
    const answers = [await proceed(), await proceed()];
    expect(answers[0]).toBe(answers[1]);
    expect(answers[0]).toMatch(
      /<Dial action="[^"]+\/transfers\/[\w-]{36}\/result" method="POST" callerId="\+\d+" timeout="20" timeLimit="7200"><Number url="[^"]+\/announcement" method="POST">\+14155550110<\/Number><\/Dial>/,
    );
  });

  it('has its facts read to the person, as words', async () => {
    await transfer();
    const path = `${await dialled()}/announcement`;
    const announce = async (ParentCallSid: string) =>
      (await api.call(path, { CallSid: 'CA00000000000000000000000000000011', ParentCallSid })).body;
    expect(await announce(sid)).toContain(
      '<Response><Say language="en-US">Wants an &lt;appointment&gt; &amp; is "in pain".</Say></Response>',
    );
    await workspace.database.identity.workspaces.update(workspace.workspaceId, { locale: 'de-AT' });
    expect(await announce(sid)).toContain('<Say language="de-DE">Wants an ');
    await workspace.database.identity.workspaces.update(workspace.workspaceId, { locale: 'en-US' });
    expect(await announce('CA00000000000000000000000000000012')).toBe(nothing);
  });

  it.each(['busy', 'no-answer', 'failed'])(
    'that is %s returns to the agent in a new stream',
    async (word) => {
      await transfer();
      const path = await dialled();
      const first = await result(path, word);
      expect(first).toContain('<Stream ');
      expect(tokenIn(await result(path, 'completed'))).toBe(tokenIn(first));
      await call.reports({ status: 'completed' });
      expect(await call.row()).toMatchObject({ terminationReason: 'forward', carrierStatus: word });
    },
  );

  it('whose person leaves before the caller is there returns to the agent', async () => {
    await transfer();
    const left = { CallSid: sid, DialCallStatus: 'completed', DialBridged: 'false' };
    expect((await api.call(`${await dialled()}/result`, left)).body).toContain('<Stream ');
    await call.reports({ status: 'completed' });
    expect(await call.row()).toMatchObject({ terminationReason: 'forward', carrierStatus: 'no-answer' });
  });

  it('that was answered ends the call', async () => {
    await transfer();
    const answered = { CallSid: sid, DialCallStatus: 'completed', DialBridged: 'true' };
    expect((await api.call(`${await dialled()}/result`, answered)).body).toBe(hangUp);
    await call.reports({ status: 'completed' });
    expect(await call.row()).toMatchObject({ terminationReason: 'forward', carrierStatus: 'completed' });
  });

  it('whose end is reported after that of the call is taken in all the same, once', async () => {
    await transfer();
    const path = await dialled();
    await call.reports({ status: 'completed' });
    expect(await call.row()).toMatchObject({ terminationReason: 'forward', carrierStatus: 'canceled' });
    await result(path, 'completed');
    await result(path, 'busy');
    expect(await call.row()).toMatchObject({
      status: 'completed',
      terminationReason: 'forward',
      carrierStatus: 'completed',
    });
  });

  it('ends when the call is as long as the longest', async () => {
    await transfer();
    const answeredAt = new Date(Date.now() - maxCallMs + 600_000);
    await workspace.within((tx) =>
      tx('phone_calls').where({ id: call.callId }).update({ started_at: answeredAt }),
    );
    const answers = [await proceed(), await proceed()];
    expect(answers[0]).toBe(answers[1]);
    const [, seconds] = /timeLimit="(\d+)"/.exec(answers[0] ?? '') ?? [];
    expect(Number(seconds)).toBeGreaterThan(590);
    expect(Number(seconds)).toBeLessThanOrEqual(600);
  });

  it('whose caller hangs up while it rings is recorded as canceled', async () => {
    await transfer();
    const path = await dialled();
    await call.reports({ status: 'completed' });
    expect(await result(path, 'canceled')).toBe(hangUp);
    expect(await call.row()).toMatchObject({ status: 'completed', terminationReason: 'forward' });
  });

  it('of another call, or that there is not, is hung up', async () => {
    await transfer();
    const path = await dialled();
    expect(await result(path, 'busy', 'CA00000000000000000000000000000013')).toBe(hangUp);
    expect(await result(`${callbacks}/transfers/${randomUUID()}`, 'busy')).toBe(hangUp);
    expect(await result(`${callbacks}/transfers/x`, 'busy')).toBe(hangUp);
    expect(await workspace.within((tx) => findOpenTransfer(tx, call.callId))).toMatchObject({
      state: 'dialing',
    });
  });

  it('is refused without the signature of the carrier', async () => {
    await transfer();
    const path = await dialled();
    expect((await api.callUnsigned(`${path}/result`, { CallSid: sid, DialCallStatus: 'busy' })).status).toBe(
      401,
    );
  });
});
