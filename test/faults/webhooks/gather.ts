import type { WebhookSummary } from '../../../tools/simulators/webhook-sink/sink.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { ask } from '../../support/simulators/ask.js';
import { goesOnWithinMs, type Written } from './driver.js';
import type { Evidence, ReceivedFact, RunFact } from './evidence.js';
import type { Scene } from './scene.js';

/** Waits until all is done, and reads everything that the invariants compare. */
export async function gather(scene: Scene, written: Written): Promise<Evidence> {
  const unrest = await untilRest(scene);
  scene.worker.look();
  return {
    ...written,
    events: await select(
      scene,
      `select uuid, event_type as "eventType", encode(sha256(convert_to(body, 'UTF8')), 'hex') as sha256
       from events order by id`,
    ),
    deliveries: await select(
      scene,
      `select d.uuid, e.uuid as "eventUuid", d.status, d.attempt_count as "attemptCount"
       from webhook_deliveries d join events e on e.id = d.event_id order by d.id`,
    ),
    attempts: await select(
      scene,
      `select e.uuid as "eventUuid", a.number, a.finished_at is not null as finished,
         a.status_code as "statusCode"
       from webhook_attempts a join webhook_deliveries d on d.id = a.webhook_delivery_id
       join events e on e.id = d.event_id order by a.id`,
    ),
    received: await receivedBy(scene),
    runs: await runsOf(scene),
    outbox: (
      await select<{ what: string }>(
        scene,
        `select run_type || ' ' || subject || case when parked_at is null then '' else ', parked' end as what
         from outbox order by id`,
      )
    ).map(({ what }) => what),
    deaths: Array<string>(scene.worker.endedByItself).fill(scene.worker.name),
    ...(unrest === undefined ? {} : { unrest }),
  };
}

/** @returns undefined; or what was left when nothing went on any more */
async function untilRest(scene: Scene): Promise<string | undefined> {
  let left = Number.POSITIVE_INFINITY;
  try {
    while (left > 0) {
      const before = left;
      left = await waitFor(
        'less is left',
        async () => {
          const now = await leftIn(scene);
          return now < before ? { now } : undefined;
        },
        goesOnWithinMs,
      ).then(({ now }) => now);
    }
    return undefined;
  } catch {
    return `${left} deliveries, entries of the outbox and runs are left`;
  }
}

/** Deliveries that are pending, what waits for the relay, and runs that go on. */
async function leftIn(scene: Scene): Promise<number> {
  const [rows] = await select<{ count: number }>(
    scene,
    `select (select count(*)::int from webhook_deliveries where status = 'pending')
       + (select count(*)::int from outbox where parked_at is null) as count`,
  );
  const runs = await scene.client.workflow.count(`${webhookRuns} and ExecutionStatus = 'Running'`);
  return (rows?.count ?? 0) + runs.count;
}

const webhookRuns = "WorkflowType = 'deliverWebhook'";

async function runsOf({ client }: Scene): Promise<RunFact[]> {
  const runs: RunFact[] = [];
  for await (const { workflowId, status } of client.workflow.list({ query: webhookRuns })) {
    runs.push({ workflowId, status: status.name });
  }
  return runs;
}

/** By all receivers, also those that no rule has: who follows a redirect gets there. */
async function receivedBy({ sinkUrl }: Scene): Promise<ReceivedFact[]> {
  const hooks = await ask<{ name: string }[]>(sinkUrl, 'GET', '/hooks');
  const facts = await Promise.all(
    hooks.map(async ({ name: receiver }) => {
      const path = `/hooks/${encodeURIComponent(receiver)}/summary`;
      const { webhooks } = await ask<{ webhooks: WebhookSummary[] }>(sinkUrl, 'GET', path);
      return webhooks.map(({ id, ...fact }) => ({ ...fact, eventUuid: id, receiver }));
    }),
  );
  return facts.flat();
}

function select<Row>({ workspace: { database, workspaceId } }: Scene, sql: string): Promise<Row[]> {
  return database.inWorkspace(workspaceId, async (tx) => (await tx.raw(sql)).rows);
}
