import { waitFor } from '../../support/lib/wait-for.js';
import { isOutbound, trafficOf } from './gather.js';
import type { Town } from './town.js';

/**
 * An attempt whose worker died is given up by Temporal after 45 s and asked about after a minute. One of which the
 * carrier knows nothing is asked about once more after ten minutes: nobody waits for that.
 */
const quietWithinMs = 240_000;
const hastenEveryMs = 5_000;

/** Waits until nothing goes on by itself any more. @returns what was still going on when patience was over */
export async function untilQuiet(town: Town): Promise<string | undefined> {
  let unrest: string | undefined = 'nothing was looked at';
  let before: string | undefined;
  let hastenAt = 0;
  try {
    await waitFor(
      'the town is quiet',
      async () => {
        if (Date.now() >= hastenAt) {
          await hastenEmails(town);
          await hastenCalls(town);
          await hastenPages(town);
          hastenAt = Date.now() + hastenEveryMs;
        }
        unrest = await unrestIn(town);
        if (unrest !== undefined) {
          before = undefined;
          return false;
        }
        const [now, last] = [await traceOf(town), before];
        before = now;
        unrest = 'messages and runs still change';
        return now === last;
      },
      quietWithinMs,
    );
    return undefined;
  } catch {
    return unrest;
  }
}

/**
 * An email that a server has deferred, or refused because of the account, is tried again after five minutes: nobody waits
 * for that.
 */
async function hastenEmails({ workspace, system }: Town): Promise<void> {
  const hastened = await workspace.select<{ uuid: string }>(
    `update deliveries d set not_before = least(not_before, now()) from chats c
     where c.id = d.chat_id and d.channel = 'email' and d.state = 'queued' returning c.uuid`,
  );
  // A run that has not begun needs no poke.
  const pokes = hastened.map(({ uuid }) => system.run('deliverMessages', uuid).signal('poke'));
  await Promise.allSettled(pokes);
}

/** A run looks after some minutes whether a call goes on whose end the carrier could not tell: nobody waits for that. */
async function hastenCalls({ workspace, system }: Town): Promise<void> {
  const isLate = "now() - interval '60 seconds'";
  const hastened = await workspace.select<{ uuid: string }>(
    `update phone_calls set started_at = started_at - interval '6 minutes', asked_at = asked_at - interval '6 minutes',
       dialed_at = dialed_at - interval '6 minutes'
     where finished_at is null and created_at < ${isLate} and coalesce(started_at, dialed_at) > created_at - interval '1 hour'
     returning uuid`,
  );
  const pokes = hastened.map(({ uuid }) => system.run('runVoiceCall', uuid).signal('poke'));
  await Promise.allSettled(pokes);
}

/** A page is published minutes after it was written: nobody waits for that. */
async function hastenPages({ workspace, system }: Town): Promise<void> {
  const hastened = await workspace.select<{ uuid: string }>(
    'update site_pages set publish_at = least(publish_at, now()) where publish_at is not null returning uuid',
  );
  const pokes = hastened.map(({ uuid }) => system.run('publishPage', uuid).signal('poke'));
  await Promise.allSettled(pokes);
}

async function unrestIn(town: Town): Promise<string | undefined> {
  const rows = await town.workspace.select<{ what: string }>(
    `select 'the outbox has ' || run_type || ' ' || subject as what from outbox where parked_at is null
     union all select 'delivery ' || id || ' is ' || state from deliveries
       where state = 'queued' or (state = 'claimed' and look_ups = 0)
     union all select 'mail ' || id || ' waits for its run' from inbound_emails where state = 'received'
     union all select 'chat ' || id || ' waits for the agent' from chats
       where version > handled_version and assistant_enabled and not paused and not archived
         and agent_stopped_reason is null
     union all select 'chat ' || chat_id || ' has a follow-up to come' from follow_ups
       where fired_at is null and cancelled_at is null
     union all select 'page ' || id || ' is to be published' from site_pages where publish_at is not null
     union all select 'call ' || id || ' is ' || status from phone_calls where finished_at is null
     limit 3`,
  );
  if (rows.length > 0) return rows.map(({ what }) => what).join('; ');

  const traffic = (await trafficOf(town.system.carrier.url)).filter(isOutbound);
  const onItsWay = traffic.find(
    ({ status, statusCallback, callbacks }) =>
      (status !== 'delivered' && status !== 'undelivered') ||
      (statusCallback !== null && !callbacks.some((callback) => callback.status === status)),
  );
  if (onItsWay !== undefined) return `the carrier has ${onItsWay.sid} on its way`;

  const { mails } = await town.system.mail.underWay();
  if (mails > 0) return `${mails} mails are on their way to the inbox`;

  for await (const { workflowId, runId } of running(town)) {
    const { raw } = await town.system.client.workflow.getHandle(workflowId, runId).describe();
    const [pending] = raw.pendingActivities ?? [];
    if (pending != null) {
      const why = pending.lastFailure?.message ?? 'no failure';
      return `${workflowId} has an activity pending (attempt ${pending.attempt}, ${why})`;
    }
    if (raw.pendingWorkflowTask) return `${workflowId} has a workflow task pending`;
  }
  return undefined;
}

/** Something that differs when anything happened in between. */
async function traceOf(town: Town): Promise<string> {
  const [rows] = await town.workspace.select<{ messages: number; versions: number }>(
    `select (select count(*)::int from messages) as messages, (select sum(version)::int from chats) as versions`,
  );
  const lengths: string[] = [];
  for await (const { runId, historyLength } of running(town)) lengths.push(`${runId} ${historyLength}`);
  return JSON.stringify([rows, lengths]);
}

function running(town: Town) {
  return town.system.client.workflow.list({ query: "ExecutionStatus = 'Running'" });
}
