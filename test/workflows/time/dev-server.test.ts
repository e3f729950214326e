import { afterEach, describe, expect, it } from 'vitest';
import type { ReceiptsAskedFor } from '../../../activities/kernel/reconciler.js';
import {
  collectorScheduleId,
  dataRetentionScheduleId,
  dueCrawlsScheduleId,
  keysScheduleId,
  missedMessagesScheduleId,
  receiptsScheduleId,
  reconcilerScheduleId,
  retentionScheduleId,
  siteDomainsScheduleId,
  textPricesScheduleId,
  waitingChatsScheduleId,
} from '../../../workflows/contracts/runs.js';
import { openWebChat } from '../../support/chats/web-chat.js';
import { allOf } from '../../support/lib/csv-file.js';
import { minutes } from '../../support/lib/moved-clock.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { startSystem } from '../../support/system/system.js';
import { useSmsWorkspace } from '../../support/system/use-sms-workspace.js';

/** How far the service’s clock is ahead of the real time. */
let aheadMs = 0;
afterEach(() => {
  aheadMs = 0;
});

/** The dev server, which has schedules and lists of runs, and on which time cannot be skipped. */
const { system, workspace } = useSmsWorkspace(() =>
  startSystem({ clock: { now: () => new Date(Date.now() + aheadMs) } }),
);

const schedule = () => system.client.schedule.getHandle(reconcilerScheduleId);

/** The results of the runs that the schedule has started. A run is listed only some time after its end. */
async function askedForReceipts(): Promise<ReceiptsAskedFor[]> {
  const results: ReceiptsAskedFor[] = [];
  const query = `TemporalScheduledById = '${receiptsScheduleId}' and ExecutionStatus = 'Completed'`;
  for await (const { workflowId, runId } of system.client.workflow.list({ query })) {
    results.push(await system.client.workflow.getHandle(workflowId, runId).result());
  }
  return results;
}

describe('the schedules of the service', () => {
  it('start the reconciler every five minutes, one run at a time', async () => {
    // A worker makes the schedules after its start.
    const { info, policies, spec } = await waitFor('the schedule is made', async () => {
      const described = await schedule().describe();
      return described.info.nextActionTimes.length > 0 && described;
    });

    expect(spec.intervals).toMatchObject([{ every: minutes(5) }]);
    const [next] = info.nextActionTimes;
    expect((next?.getTime() ?? Number.NaN) - Date.now()).toBeLessThanOrEqual(minutes(5));
    expect(policies.overlap).toBe('SKIP');
  });

  it('start the request for a missing receipt', async () => {
    const chat = await workspace.openChat();
    await system.carrier.turn({ handset: chat.texter.phone, lost: true });
    await workspace.asAdmin('POST', `/chats/${chat.chatId}/send-assistant-message`, {
      message: 'See you at nine.',
    });
    const is = (state: string) =>
      waitFor(`it is ${state}`, async () => {
        const sql = 'select state from deliveries where chat_id = ?';
        return (await workspace.select<{ state: string }>(sql, [chat.chatId]))[0]?.state === state;
      });
    await is('sent');
    await system.run('deliverMessages', chat.chatUuid).result();

    aheadMs += minutes(61);
    await system.client.schedule.getHandle(receiptsScheduleId).trigger();

    await is('delivered');
    const [result] = await waitFor('the run is listed', async () => {
      const results = await askedForReceipts();
      return results.length > 0 && results;
    });
    expect(result).toMatchObject({ woken: 1, failed: 0 });
  });

  it('are created once by several worker starts, and stay paused if an operator has paused them', async () => {
    await schedule().pause('maintenance');

    await system.stopWorker();
    await system.startWorker();

    const listed = async () =>
      (await allOf(system.client.schedule.list())).map(({ scheduleId }) => scheduleId).sort();
    // A schedule is listed only some time after it was made.
    await expect
      .poll(listed)
      .toEqual([
        receiptsScheduleId,
        collectorScheduleId,
        dataRetentionScheduleId,
        retentionScheduleId,
        keysScheduleId,
        missedMessagesScheduleId,
        siteDomainsScheduleId,
        reconcilerScheduleId,
        dueCrawlsScheduleId,
        textPricesScheduleId,
        waitingChatsScheduleId,
      ]);
    expect((await schedule().describe()).state).toMatchObject({ paused: true, note: 'maintenance' });
    await schedule().unpause();
  });
});

describe('a timer that fires while no worker runs', () => {
  it('takes effect once when a worker starts', async () => {
    const chat = await openWebChat({ system, workspace });
    const followUp = { after: 'PT2S', instructions: 'Ask how it went' };
    await system.model.script(
      [{ toolCalls: [{ name: 'schedule_follow_up', arguments: followUp }] }, { content: 'I will.' }],
      chat.member.row.name ?? '',
    );
    await chat.write('remind me');
    await chat.handled();
    await chat.rests();
    const run = system.run('answerChat', chat.chatUuid);

    await system.stopWorker();
    await waitFor('the timer has fired', async () =>
      (await run.fetchHistory()).events?.some(({ timerFiredEventAttributes }) => timerFiredEventAttributes),
    );
    await system.startWorker();
    await run.result();

    expect(await chat.said('system')).toEqual(['A follow-up is due: Ask how it went']);
    expect(await chat.said('assistant')).toEqual(['I will.', expect.stringContaining('Ask how it went')]);
  });
});
