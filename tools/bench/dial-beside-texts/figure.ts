import { setTimeout as pause } from 'node:timers/promises';
import { createChat } from '../../../domain/conversations/chats/create-chat.js';
import { addPhoneNumber } from '../../../test/support/workspace/definitions.js';
import { addMember } from '../../../test/support/workspace/factories.js';
import type { Figure } from '../figure.js';
import type { Stage } from '../stage/stage.js';
import { addAssistant, ask, send, sendJson } from '../support/ask.js';
import { reachedByCarrier } from '../support/carrier.js';
import { countRows } from '../support/count.js';
import { concurrently, durationOf } from '../support/durations.js';

const carrierSimulator = new URL('carrier.ts', import.meta.url);
const slowTexts = 120;
/** How long the carrier takes for a message: four in a row of the worker's thirty slots fill sixteen seconds. */
const slowMs = 4_000;
const writersAtOnce = 4;

/** The time from a request for a call to the carrier's record of it, while messages of the same workspace are slow. */
export const dialBesideTexts: Figure = {
  name: 'dial-beside-texts',
  title: 'Request to dialled call beside 120 slow SMS',
  unit: 'ms',
  target: { ratioAtMost: 3 },
  async prepare(stage) {
    const { workspace } = stage;
    const carrier = await stage.startScript(carrierSimulator);
    const { port, env } = await reachedByCarrier(carrier.url);
    const [api] = await Promise.all([stage.startApi({ env, port }), stage.startWorker({ env })]);
    await addAssistant(stage);
    const { id: phoneNumberId } = await addPhoneNumber(workspace, { voiceEnabled: true, smsEnabled: true });
    const simulator = `${carrier.url}/simulator`;
    /** Each call is to another person, who is on the phone already. */
    const dial = async () => {
      const { memberId, row } = await addMember(workspace, { role: workspace.roles.member });
      const handset = encodeURIComponent(row.phone ?? '');
      await sendJson(`${simulator}/handsets/${handset}/plans`, 'PUT', [{ outcome: 'busy' }]);
      const { id } = await createChat(workspace.context(), { channel: 'web-chat', memberId });
      return durationOf(async () => {
        await ask(stage, api, 'POST', `/chats/${id}/outbound-call`, { body: { phoneNumberId, chatId: id } });
        while ((await send(`${simulator}/calls?handset=${handset}`)) === '[]') await pause(5);
      });
    };
    const chats: number[] = [];
    for (let made = 0; made < slowTexts; made += 1) {
      const { memberId, row } = await addMember(workspace, { role: workspace.roles.member });
      const chat = { channel: 'phone-sms', memberId, phoneNumberId } as const;
      chats.push((await createChat(workspace.context(), chat)).id);
      await sendJson(`${simulator}/knobs`, 'POST', { handset: row.phone, latencyMs: slowMs });
    }
    const writeAll = () => {
      const left = [...chats];
      return concurrently(slowTexts, writersAtOnce, () =>
        ask(stage, api, 'POST', `/chats/${left.pop()}/send-assistant-message`, {
          body: { message: 'Hello' },
        }),
      );
    };
    const allAreSent = async () => {
      while ((await countUnsent(stage)) > 0) await pause(100);
    };
    return {
      floor: async () => {
        await allAreSent();
        return dial();
      },
      measured: async () => {
        await allAreSent();
        await writeAll();
        const measured = await dial();
        if ((await countUnsent(stage)) === 0) throw new Error('the messages were sent before the call');
        return measured;
      },
    };
  },
};

const countUnsent = (stage: Stage) =>
  countRows(stage, `from deliveries where state in ('queued', 'claimed')`);
