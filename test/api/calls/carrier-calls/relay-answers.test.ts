import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { selectBridgesOfCall } from '../../../../db/calls/call-bridges.js';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { type StagedCall, stageCall } from '../../../support/calls/staged-call.js';
import { type FreeChat, stageFreeChat } from '../../../support/chats/free-chat.js';
import { catalogueWithoutRealtime } from '../../../support/lib/models.js';
import { MovedClock } from '../../../support/lib/moved-clock.js';
import { addMember } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';
import { useSignedApi } from '../../channels/carrier-messages/signed-api.js';

const { workspace } = useWorkspace();
const api = useSignedApi(() => workspace.database, { models: catalogueWithoutRealtime() });

beforeAll(async () => {
  await createAssistant(workspace.context(), { name: 'Voice', instructions: 'Talk.', isDefault: true });
});

describe('a call for which no realtime model can be had', () => {
  let call: StagedCall;
  let chat: FreeChat;
  let form: { CallSid: string; CallStatus: string };
  let handler: string;
  let proceed: string;
  beforeEach(async () => {
    const member = await addMember(workspace, { role: workspace.roles.member, values: { locale: 'de' } });
    chat = await stageFreeChat(workspace, { member });
    call = await stageCall(workspace, new MovedClock(), chat.chatId);
    await call.advance();
    const { carrierCallId, phoneNumberId, uuid } = await call.row();
    form = { CallSid: carrierCallId ?? '', CallStatus: 'in-progress' };
    handler = workspace.path(`/chats/outbound-call-handler/${phoneNumberId}/${chat.chatId}/${call.callId}`);
    proceed = workspace.path(`/carrier-calls/${uuid}/continue`);
  });
  const bridges = () => workspace.within((tx) => selectBridgesOfCall(tx, call.callId));

  it('is joined by text in the language of the member, and asks what follows at the end of the session', async () => {
    const { status, body } = await api.call(handler, form);
    expect(status).toBe(200);
    expect(body).toContain(
      '<ConversationRelay url="wss://streams.example.com/api/v2/call-streams" language="de-DE"',
    );
    expect(body).toMatch(/<Parameter name="token" value="[\w-]{43}"\/>/);
    expect(body).toContain(`${proceed}" method="POST">`);
    expect(body).not.toContain('<Stream');
    expect(await api.call(handler, form)).toMatchObject({
      body: expect.stringContaining('language="de-DE"'),
    });
    expect(await bridges()).toHaveLength(1);
  });

  it('is joined in the usual language of the carrier if that does not speak the other', async () => {
    await api.call(handler, form);
    const { body } = await api.call(proceed, { ...form, SessionStatus: 'failed', ErrorCode: '64101' });
    expect(body).toContain('<ConversationRelay');
    expect(body).not.toContain('language=');
    expect(await bridges()).toHaveLength(1);
  });

  it('is joined again after a session that was lost, in its language', async () => {
    await call.bridge({ beganAt: new Date(), endedAt: new Date(), endReason: 'caller_left' });
    const { body } = await api.call(proceed, { ...form, SessionStatus: 'failed' });
    expect(body).toContain('language="de-DE"');
    expect(await bridges()).toHaveLength(2);
  });

  it('is not joined again when the person has hung up, which the carrier asks about as well', async () => {
    await call.bridge({ beganAt: new Date() });
    const { body } = await api.call(proceed, {
      ...form,
      CallStatus: 'completed',
      SessionStatus: 'completed',
    });
    expect(body).toContain('<Hangup/>');
    expect(await bridges()).toHaveLength(1);
  });
});
