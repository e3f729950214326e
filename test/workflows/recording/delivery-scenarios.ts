import { waitFor } from '../../support/lib/wait-for.js';
import type { Scenarios } from './scenario.js';

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
};
