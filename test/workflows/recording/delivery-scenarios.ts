import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { waitFor } from '../../support/lib/wait-for.js';
import type { SmsWorkspace } from '../../support/system/sms-workspace.js';
import type { TestSystem } from '../../support/system/system.js';
import { addPhoneNumber } from '../../support/workspace/definitions.js';
import { addInbox } from '../../support/workspace/inboxes.js';
import type { Scenarios } from './scenario.js';

const hour = 3_600_000;
const clockTime = (ahead: number) => new Date(Date.now() + ahead).toISOString().slice(11, 16);

/** A colleague opens a chat with a message. @returns its uuid */
async function open({ asAdmin }: SmsWorkspace, chat: object): Promise<{ id: number; uuid: string }> {
  const { status, body } = await asAdmin('POST', '/chats', { assistantEnabled: false, ...chat });
  if (status !== 201) throw new Error(`the chat was answered with ${status}`);
  return body;
}

/** Waits until operators read this of the run. */
const waits = (system: TestSystem, chatUuid: string, text: string) =>
  waitFor(`the run waits: ${text}`, async () => {
    const details = await system
      .run('deliverMessages', chatUuid)
      .query<object>('__temporal_workflow_metadata')
      .catch(() => ({}));
    return JSON.stringify(details).includes(text);
  });

export const deliveryScenarios: Scenarios = {
  'deliver-messages-unknown-outcome': async (system, workspace) => {
    const chat = await workspace.openChat();
    const handset = chat.texter.phone;
    await system.carrier.turn({ handset, dropConnectionAfterAccept: 1, late: [1_500, 1_500] });
    for (const message of ['one', 'two']) await chat.post(message);
    await waitFor('both are with the carrier', async () => (await chat.carried()).length === 2);
    await system.run('deliverMessages', chat.chatUuid).result();
    return `deliveries-${chat.chatUuid}`;
  },

  'deliver-messages': async (system, workspace) => {
    const chat = await workspace.openChat();
    await system.carrier.turn({ handset: chat.texter.phone, busy: { rate: 1, retryAfterSeconds: 1 } });
    for (const message of ['one', 'two']) await chat.post(message);
    await chat.settled();
    return `deliveries-${chat.chatUuid}`;
  },

  'deliver-messages-email': async (system, workspace) => {
    const inbox = await addInbox(workspace);
    const { memberId, row } = await workspace.addTexter();
    const to = row.email ?? '';
    await system.mail.plan({ to: '*', at: 'MAIL', reply: 451, text: '4.3.2 Busy' });
    const chat = await open(workspace, {
      channel: 'email',
      inboxId: inbox.id,
      memberId,
      initialMessage: 'one',
    });
    await system.mail.plan({ to, hangUp: true });
    await workspace.asAdmin('POST', `/chats/${chat.id}/send-assistant-message`, { message: 'two' });
    await waitFor('both are with the mail server', async () => (await system.mail.sentTo(to)).length === 2);
    await system.run('deliverMessages', chat.uuid).result();
    return `deliveries-${chat.uuid}`;
  },

  'deliver-messages-quiet-hours': async (system, workspace) => {
    const { asAdmin, select } = workspace;
    const quietHours = { from: clockTime(-2 * hour), to: clockTime(2 * hour) };
    await asAdmin('PUT', '', { timezone: 'UTC', quietHours });
    const tree: RevisionTask = {
      name: 'Remind',
      taskType: 'message',
      configuration: { text: 'Come at ten.' },
      children: [
        { name: 'End', taskType: 'conclude', choicePrompt: 'End', configuration: { outcome: 'done' } },
      ],
    };
    const { chatId, chatUuid } = await workspace.begin(await workspace.publish(tree));
    await waits(system, chatUuid, 'the end of the quiet hours');
    await asAdmin('PUT', '', { quietHours: null });
    // As if it were later.
    await select(
      `update deliveries set held_until = now(), not_before = now() where chat_id = ${chatId} returning id`,
    );
    await system.run('deliverMessages', chatUuid).signal('poke');
    await system.run('deliverMessages', chatUuid).result();
    return `deliveries-${chatUuid}`;
  },

  'deliver-messages-pace': async (system, workspace) => {
    const { id: phoneNumberId } = await addPhoneNumber(workspace, { segmentsPerSecond: 2 });
    const opened: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { memberId } = await workspace.addTexter();
      const initialMessage = 'x'.repeat(1_400);
      opened.push(
        (await open(workspace, { channel: 'phone-sms', phoneNumberId, memberId, initialMessage })).uuid,
      );
    }
    const last = opened.at(-1) ?? '';
    await waits(system, last, 'its slot in the pace');
    await system.run('deliverMessages', last).result();
    return `deliveries-${last}`;
  },
};
