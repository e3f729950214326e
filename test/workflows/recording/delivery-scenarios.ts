import { waitFor } from '../../support/lib/wait-for.js';
import type { SmsConversation, SmsWorkspace } from '../../support/system/sms-workspace.js';
import type { Scenarios } from './scenario.js';

/** What goes out through the carrier. */
export const deliveryScenarios: Scenarios = {
  'deliver-messages-unknown-outcome': async (system, workspace) => {
    const chat = await workspace.openChat();
    await system.carrier.turn({
      handset: chat.texter.phone,
      dropConnectionAfterAccept: 1,
      late: [1_500, 1_500],
    });
    for (const content of ['one', 'two']) await post(workspace, chat, content);
    await waitFor('both are with the carrier', async () => (await chat.carried()).length === 2);
    await system.run('deliverMessages', chat.chatUuid).result();
    return `deliveries-${chat.chatUuid}`;
  },

  'deliver-messages': async (system, workspace) => {
    const chat = await workspace.openChat();
    await system.carrier.turn({ handset: chat.texter.phone, busy: { rate: 1, retryAfterSeconds: 1 } });
    for (const content of ['one', 'two']) await post(workspace, chat, content);
    await chat.settled();
    return `deliveries-${chat.chatUuid}`;
  },
};

async function post(workspace: SmsWorkspace, chat: SmsConversation, content: string): Promise<void> {
  const path = `/chats/${chat.chatId}/send-assistant-message`;
  await workspace.asAdmin('POST', path, { message: content });
}
