import { retentionScheduleId } from '../../../workflows/contracts/runs.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhooks/webhook-receiver.js';
import { planted } from '../markers.js';
import type { Stage } from '../stage.js';

export interface Listening {
  /** Waits until all that was to be delivered came to an end, and looks at what became of it. */
  hearOut(): Promise<void>;
}

/** The address is a secret: whoever has it can post there. */
const path = `/${planted('webhookUrl')}?token=${planted('webhookUrl')}`;

/** Receivers: one takes it, one fails, at one nobody listens, one has an unknown name; and some that are refused. */
export async function listen(stage: Stage): Promise<Listening> {
  const receiver = await startWebhookReceiver();
  receiver.behave((webhook) => {
    const body = planted('receiverAnswer');
    return { status: webhook.path.startsWith('/fails') ? 503 : 200, headers: { 'X-Said': body }, body };
  });
  const takes = await addRule(stage, 'chat:created', receiver.url(`/takes${path}`));
  const fails = await addRule(stage, 'data_record:changed', receiver.url(`/fails${path}`));
  await addRule(stage, 'member:updated', `http://127.0.0.1:1${path}`);
  await addRule(stage, 'file:created', receiver.url(`/takes${path}`));
  await addRule(stage, 'chat:created', `https://${planted('webhookUrl')}.invalid/`);
  // Else what fails would be tried ever less often.
  await stage.superuser.query('update webhook_hosts set answered_at = created_at');
  await refuse(stage);
  return { hearOut: () => hearOut(stage, { takes, fails, receiver }) };
}

async function addRule(stage: Stage, eventType: string, webhookUrl: string): Promise<number> {
  const signingSecret = planted('signingSecret');
  const rule = {
    name: planted('ruleName'),
    eventType,
    actionType: 'webhook:send',
    actionParams: { webhookUrl, signingSecret },
  };
  const { id } = await stage.as()('POST', '/event-rules', rule);
  const rotated = await stage.as()('POST', `/event-rules/${id}/rotate-secret`, undefined, 200);
  stage.keepSecret(`signingSecret${id}`, rotated.actionParams.signingSecret);
  return id;
}

/** Addresses that nobody may be told at, and a secret that is none. */
async function refuse(stage: Stage): Promise<void> {
  const refused = planted('refused');
  const rule = { name: refused, eventType: 'chat:created', actionType: 'webhook:send' };
  for (const actionParams of [
    { webhookUrl: `https://10.0.0.1/${refused}` },
    { webhookUrl: `https://${refused}:${refused}@example.com/` },
    { webhookUrl: refused },
    { webhookUrl: 'https://example.com/', signingSecret: `whsec_${refused}` },
  ]) {
    await stage.as()('POST', '/event-rules', { ...rule, actionParams }, 400);
  }
}

async function hearOut(
  stage: Stage,
  { takes, fails, receiver }: { takes: number; fails: number; receiver: WebhookReceiver },
): Promise<void> {
  const admin = stage.as();
  await admin('POST', `/event-rules/${takes}/test`);
  const since = { since: '2026-01-01T00:00:00Z' };
  await allEnded(stage);
  await admin('POST', `/event-rules/${fails}/redeliveries`, since);
  await missAndDeliver(stage, takes);
  await allEnded(stage);
  for (const [rule, status] of [
    [takes, 'delivered'],
    [fails, 'failed'],
  ] as const) {
    const below = `/event-rules/${rule}/deliveries`;
    const { items } = await admin('GET', below, undefined, 200, { status });
    if (items.length === 0) throw new Error(`nothing is ${status}`);
    await admin('GET', `${below}/${items[0].id}`);
    const attempts = await admin('GET', `${below}/${items[0].id}/attempts`);
    if (attempts.items[0]?.responseBody !== planted('receiverAnswer')) throw new Error('no answer is kept');
  }
  await stage.system.client.schedule.getHandle(retentionScheduleId).trigger();
  await waitFor('what is old is forgotten', async () => {
    const query = `WorkflowType = 'forgetOldEvents' and ExecutionStatus = 'Completed'`;
    for await (const _ of stage.system.client.workflow.list({ query })) return true;
    return false;
  });
  await receiver.close();
}

/** Starts a chat while a rule is disabled, and has the missed event delivered. */
async function missAndDeliver(stage: Stage, rule: number): Promise<void> {
  const admin = stage.as();
  await admin('POST', `/event-rules/${rule}/disable`, undefined, 200);
  await admin('POST', '/chats', { channel: 'web-chat', title: planted('chatTitle') });
  await admin('POST', `/event-rules/${rule}/enable`, undefined, 200);
  const { queued } = await admin('POST', `/event-rules/${rule}/deliver-missed`);
  if (queued !== 1) throw new Error(`${queued} missed events were queued`);
  const { items } = await admin('GET', '/events', undefined, 200, { eventType: 'data_record:changed' });
  await admin('GET', `/events/${items[0].id}`);
}

async function allEnded(stage: Stage): Promise<void> {
  await waitFor('all that was to be delivered came to an end', async () => {
    const { rows } = await stage.superuser.query(
      `select 1 from webhook_deliveries where status = 'pending' limit 1`,
    );
    return rows.length === 0;
  });
}
