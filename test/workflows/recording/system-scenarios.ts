import { randomUUID } from 'node:crypto';
import { taskQueues } from '../../../workflows/contracts/runs.js';
import { openBrowser } from '../../support/browser.js';
import { uniqueEmail } from '../../support/factories.js';
import { waitFor } from '../../support/wait-for.js';
import type { Scenarios } from './scenario.js';

/** Runs that belong to no chat. */
export const systemScenarios: Scenarios = {
  /** At the second attempt. */
  'send-login-code': async (system) => {
    const email = uniqueEmail();
    await system.database.identity.accounts.create({ email });
    await system.mail.plan({ to: email, reply: 451 });
    const { loginCodeUuid } = await openBrowser(system.api).askForCode({ email });
    await waitFor('it is sent', async () => (await system.mail.sentTo(email)).length === 1);
    await system.run('sendLoginCode', loginCodeUuid).result();
    return `login-code-${loginCodeUuid}`;
  },

  'reconcile-runs': async (system) => {
    const workflowId = `reconcile-${randomUUID()}`;
    await system.client.workflow.execute('reconcileRuns', { workflowId, taskQueue: taskQueues.runs });
    return workflowId;
  },
};
