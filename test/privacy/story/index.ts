import {
  keysScheduleId,
  receiptsScheduleId,
  reconcilerScheduleId,
} from '../../../workflows/contracts/runs.js';
import { waitFor } from '../../support/lib/wait-for.js';
import type { Stage } from '../stage.js';
import { breakDatabase } from './break-database.js';
import { configure } from './configure.js';
import { keepRecords } from './records.js';
import { refuseEverywhere, repeatAndCollide } from './refusals.js';
import { signIn } from './sign-in.js';
import { signUp } from './sign-up.js';
import { walkByText, writeAsStrangers } from './text.js';
import { chatOnTheWeb } from './web-chat.js';
import { listen } from './webhooks.js';

/** Everything that the service does and all that can go wrong with it, with markers in whatever people fill in. */
export async function play(stage: Stage): Promise<void> {
  const configured = await configure(stage);
  const listening = await listen(stage);
  const [person, { texterId }] = await Promise.all([
    signIn(stage, configured),
    walkByText(stage, configured),
  ]);
  await Promise.all([
    chatOnTheWeb(stage, person, configured),
    writeAsStrangers(stage, configured),
    keepRecords(stage, configured, texterId),
    signUp(stage),
    repeatAndCollide(stage),
  ]);
  await listening.hearOut();
  await Promise.all([refuseEverywhere(stage), runSchedules(stage)]);
  await breakDatabase(stage, configured, person, texterId);
}

async function runSchedules({ system }: Stage): Promise<void> {
  const types = {
    [reconcilerScheduleId]: 'reconcileRuns',
    [receiptsScheduleId]: 'askForReceipts',
    [keysScheduleId]: 'forgetOldKeys',
  };
  for (const [scheduleId, type] of Object.entries(types)) {
    await system.client.schedule.getHandle(scheduleId).trigger();
    await waitFor(`${type} has run`, async () => {
      for await (const { status } of system.client.workflow.list({ query: `WorkflowType = '${type}'` })) {
        if (status.name === 'COMPLETED') return true;
      }
      return false;
    });
  }
}
