import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { waitUntil } from '../../runtime/wait-until.js';
import { type ApiClient, adminClient } from '../dev/demo/api-client.js';
import { findWorkflow } from '../dev/demo/begin-walk.js';
import type { DevFile } from '../dev/launcher/dev-file.js';
import { intakeName } from '../dev/seed/clinic.js';

/** What the pictures show, each as `<workflow id>/<run id>`. */
export interface Stage {
  /** Waits for the member. */
  waiting: string;
  /** Was cancelled by the API. */
  cancelled: string;
  /** A webhook whose receiver is down. */
  failingWebhook: string;
  /** Deletes the rule of the webhook. */
  end(): Promise<void>;
}

/** Makes runs in the demo workspace: one that waits, one that was cancelled, and a webhook that fails. */
export async function createFixtureRuns(dev: DevFile): Promise<Stage> {
  const api = adminClient(dev);
  const connection = await Connection.connect({ address: dev.temporalAddress });
  try {
    const client = new Client({ connection });
    const rule = await addFailingRule(api);
    const [waiting, cancelled] = [await begin(dev, api), await begin(dev, api)];
    await api('POST', `/assignments/${cancelled.id}/cancel`, { reason: 'The member has moved away.' });
    const failingWebhook = await failedRunOf(client, rule);
    const pathOf = async (workflowId: string) => {
      const { runId } = await client.workflow.getHandle(workflowId).describe();
      return `${workflowId}/${runId}`;
    };
    const end = () => api<void>('DELETE', `/event-rules/${rule}`);
    return {
      waiting: await pathOf(`assignment-${waiting.uuid}`),
      cancelled: await pathOf(`assignment-${cancelled.uuid}`),
      failingWebhook: await pathOf(failingWebhook),
      end,
    };
  } finally {
    await connection.close();
  }
}

/** A chat whose member has consented and is asked for details. */
async function begin(dev: DevFile, api: ApiClient): Promise<{ id: number; uuid: string }> {
  const phone = `+1555${randomInt(1_000_000, 9_999_999)}`;
  const { id: memberId } = await api<{ id: number }>('POST', '/members', { name: 'Alex Sample', phone });
  const { id: workflowId } = await findWorkflow(api, intakeName);
  const chat = await api<{ id: number; assignmentId: number }>('POST', '/chats', {
    channel: 'phone-sms',
    workflowId,
    memberId,
  });
  const task = async () =>
    (await api<{ currentTaskName: string }>('GET', `/chats/${chat.id}`)).currentTaskName;
  const first = await task();
  const hasGreeted = async () => {
    const messages = await api<unknown[]>('GET', `/chats/${chat.id}/messages`);
    return messages.length > 0;
  };
  if (!(await waitUntil(hasGreeted, { withinMs: 60_000 }))) throw new Error('The agent does not write.');
  await fetch(`${dev.carrierSimulator}/simulator/handsets/${phone}/messages`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ to: '+15550100100', body: 'Yes, now is fine' }),
  });
  if (!(await waitUntil(async () => (await task()) !== first, { withinMs: 60_000 }))) {
    throw new Error(`The assignment stays in ${first}.`);
  }
  return api('GET', `/assignments/${chat.assignmentId}`);
}

async function addFailingRule(api: ApiClient): Promise<number> {
  const { id } = await api<{ id: number }>('POST', '/event-rules', {
    name: 'A receiver that is down',
    eventType: 'chat:created',
    actionType: 'webhook:send',
    actionParams: { webhookUrl: `http://127.0.0.1:${await closedPort()}/hooks` },
  });
  return id;
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** The run of a delivery of this rule that has failed twice. */
async function failedRunOf(client: Client, ruleId: number): Promise<string> {
  let found: string | undefined;
  const query = `RuleId = '${ruleId}' AND ExecutionStatus = 'Running'`;
  const hasFailed = async () => {
    for await (const { workflowId } of client.workflow.list({ query })) {
      const { raw } = await client.workflow.getHandle(workflowId).describe();
      if ((raw.pendingActivities?.[0]?.attempt ?? 0) > 2) found = workflowId;
    }
    return found !== undefined;
  };
  if (!(await waitUntil(hasFailed, { withinMs: 60_000 })))
    throw new Error('No webhook of the rule has failed.');
  return found ?? '';
}
