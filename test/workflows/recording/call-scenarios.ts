import { waitFor } from '../../support/lib/wait-for.js';
import type { SmsWorkspace } from '../../support/system/sms-workspace.js';
import { addPhoneNumber } from '../../support/workspace/definitions.js';
import type { Scenarios } from './scenario.js';

/** Has a texter called. @returns the uuid of the call */
async function call(workspace: SmsWorkspace, chatId: number): Promise<string> {
  const { id: phoneNumberId } = await addPhoneNumber(workspace, { voiceEnabled: true });
  const { status } = await workspace.asAdmin('POST', `/chats/${chatId}/outbound-call`, {
    phoneNumberId,
    chatId,
  });
  if (status !== 201) throw new Error(`the call was answered with ${status}`);
  const [row] = await workspace.select<{ uuid: string }>(
    `select uuid from phone_calls where chat_id = ${chatId} order by id desc limit 1`,
  );
  return row?.uuid ?? '';
}

export const callScenarios: Scenarios = {
  'run-voice-call-busy': async (system, workspace) => {
    const { chatId, texter } = await workspace.openChat();
    await system.carrier.turn({ handset: texter.phone, busy: { rate: 1, retryAfterSeconds: 1 } });
    await system.carrier.calls.plan(texter.phone, { outcome: 'busy' });
    const uuid = await call(workspace, chatId);
    await waitFor('the carrier was busy', async () => {
      const [row] = await workspace.select<{ tried: boolean }>(
        `select attempts > 0 and claimed_at is null as tried from phone_calls where uuid = '${uuid}'`,
      );
      return row?.tried === true;
    });
    await system.carrier.turn({ handset: texter.phone, busy: null });
    await system.run('runVoiceCall', uuid).result();
    return `call-${uuid}`;
  },

  'run-voice-call': async (system, workspace) => {
    const { chatId, texter } = await workspace.openChat();
    await system.carrier.turn({ handset: texter.phone, billedAfterMs: 0 });
    await system.carrier.calls.plan(texter.phone, { script: [{ hangUp: true }] });
    const uuid = await call(workspace, chatId);
    await waitFor('the call has ended', async () => {
      const [row] = await workspace.select<{ ended: boolean }>(
        `select bill_due_at is not null as ended from phone_calls where uuid = '${uuid}'`,
      );
      return row?.ended === true;
    });
    // As if it were later.
    await workspace.select(`update phone_calls set bill_due_at = now() where uuid = '${uuid}' returning id`);
    await system.run('runVoiceCall', uuid).signal('poke');
    await system.run('runVoiceCall', uuid).result();
    return `call-${uuid}`;
  },
};
