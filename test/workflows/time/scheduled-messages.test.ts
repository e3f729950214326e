import { describe, expect, it } from 'vitest';
import { openWebChat, type WebChat } from '../../support/chats/web-chat.js';
import { days, hours } from '../../support/lib/moved-clock.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { startSkippingSystem } from '../../support/system/skipping-system.js';
import { useSmsWorkspace } from '../../support/system/use-sms-workspace.js';
import { historyChain } from './history-chain.js';

const { system, workspace } = useSmsWorkspace(startSkippingSystem);

const inMs = (ms: number) => new Date(system.clock.now().getTime() + ms).toISOString();

async function schedule({ chatId }: WebChat, ms: number): Promise<{ path: string; uuid: string }> {
  const path = `/chats/${chatId}/send-assistant-message`;
  const sent = await workspace.asAdmin('POST', path, { message: 'How are you?', sendAt: inMs(ms) });
  const { id, uuid } = sent.body.scheduledMessage;
  return { path: `/chats/${chatId}/scheduled-messages/${id}`, uuid };
}

const detailsOf = async (uuid: string) => {
  const run = system.run('sendScheduledMessage', uuid);
  return (await run.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
};
const waits = (uuid: string, until: string) =>
  waitFor(`the run waits until ${until}`, async () =>
    (await detailsOf(uuid).catch(() => '')).includes(until),
  );

describe('the run of a scheduled message', () => {
  it('sends it months later with one timer, in four Actions, and ids only', async () => {
    const chat = await openWebChat({ system, workspace });
    const { path, uuid } = await schedule(chat, days(200));
    const { sendAt } = (await workspace.asAdmin('GET', path)).body;
    await waits(uuid, sendAt);

    await system.skip(days(199));
    expect(await chat.said('assistant')).toEqual([]);
    await system.skip(days(1) + hours(1));

    expect(await system.run('sendScheduledMessage', uuid).result()).toEqual({ outcome: 'sent' });
    expect(await chat.said('assistant')).toEqual(['How are you?']);
    const [run] = await historyChain(system.client, `scheduled-message-${uuid}`);
    const events = run?.events ?? [];
    expect(events.filter((event) => event.timerStartedEventAttributes)).toHaveLength(1);
    expect(events.filter((event) => event.markerRecordedEventAttributes)).toHaveLength(2);
    expect(events.filter((event) => event.activityTaskScheduledEventAttributes)).toHaveLength(0);
    expect(JSON.stringify(run)).not.toContain('How are you');
  });

  it('waits anew when the time is changed, and ends when it is cancelled', async () => {
    const chat = await openWebChat({ system, workspace });
    const { path, uuid } = await schedule(chat, days(1));
    await waits(uuid, (await workspace.asAdmin('GET', path)).body.sendAt);

    const sendAt = inMs(days(30));
    await workspace.asAdmin('PUT', path, { sendAt });
    await waits(uuid, sendAt);
    await system.skip(days(2));
    expect(await chat.said('assistant')).toEqual([]);

    await workspace.asAdmin('DELETE', path);
    expect(await system.run('sendScheduledMessage', uuid).result()).toEqual({ outcome: 'cancelled' });
    expect(await chat.said('assistant')).toEqual([]);
  });
});
