import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { type Call, isFinal } from '../../../tools/simulators/carrier/calls/call-store.js';
import type { Message } from '../../../tools/simulators/carrier/message-store.js';
import type { CaughtMessage } from '../../../tools/simulators/mail/start-mail-simulator.js';
import { taskQueues } from '../../../workflows/contracts/runs.js';
import { readBytesAndRows } from '../../support/files/bytes-and-rows.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { ask } from '../../support/simulators/ask.js';
import type { SmsWorkspace } from '../../support/system/sms-workspace.js';
import type { CarriedFact, DialledFact, Evidence, MailedFact, RunFact } from './evidence.js';
import type { Ledger } from './ledger.js';
import type { Town } from './town.js';

const causes = temporal.api.enums.v1.WorkflowTaskFailedCause;

export async function gather(town: Town, ledger: Ledger, unrest: string | undefined): Promise<Evidence> {
  const { workspace, system, api, worker, media } = town;
  const mortals = [api, worker, media];
  for (const mortal of mortals) mortal.look();
  if (unrest === undefined) await collectObjects(town);
  const traffic = await trafficOf(system.carrier.url);
  return {
    ledger: ledger.entries,
    operatorMemberId: workspace.admin.memberId,
    ...(await rowsOf(workspace)),
    storage: await readBytesAndRows(workspace.select, {
      folder: town.storageFolder,
      workspaceUuid: workspace.workspaceUuid,
    }),
    runs: await runsOf(system.client),
    carried: traffic.filter(isOutbound).map(carriedFact),
    mailed: (await ask<CaughtMessage[]>(system.mail.url, 'GET', '/messages')).map(mailedFact),
    dialled: (await callsOf(system.carrier.url)).map(dialledFact),
    cameIn: traffic.filter((message) => !isOutbound(message)).map(({ sid, from }) => ({ sid, from })),
    deaths: mortals.flatMap(({ name, endedByItself }) => Array<string>(endedByItself).fill(name)),
    ...(unrest === undefined ? {} : { unrest }),
  };
}

/** A worker that has met the storage away asks it again after a minute. */
const collectedWithinMs = 90_000;

/** Lets the collector through, a day later: all uploads are answered, so that what is pending is of none of them. */
async function collectObjects({ workspace, system }: Town): Promise<void> {
  await workspace.select(
    `update stored_objects set state_since = state_since - interval '25 hours' where state = 'pending' returning id`,
  );
  await waitFor(
    'the collector is through',
    async () => {
      const options = { workflowId: `collect-${randomUUID()}`, taskQueue: taskQueues.runs };
      const pass = await system.client.workflow.execute('collectObjects', options);
      return pass.finished && pass.failed === 0;
    },
    collectedWithinMs,
  );
}

type Elsewhere =
  | 'ledger'
  | 'storage'
  | 'operatorMemberId'
  | 'runs'
  | 'carried'
  | 'mailed'
  | 'cameIn'
  | 'dialled'
  | 'deaths'
  | 'unrest';

async function rowsOf({ select }: SmsWorkspace): Promise<Omit<Evidence, Elsewhere>> {
  return {
    chats: await select(
      `select id, uuid, channel, title, summary, member_id as "memberId", created_by_member_id as "createdByMemberId",
         paused, archived, needs_response as "needsResponse", needs_response_reason as "needsResponseReason",
         assistant_enabled as "assistantEnabled",
         version, handled_version as "handledVersion" from chats order by id`,
    ),
    messages: await select(
      `select id, uuid, chat_id as "chatId", role, content #>> '{}' as text, member_id as "memberId",
         turn_uuid as "turnUuid", turn_version as "turnVersion", carrier_message_id as "carrierMessageId",
         sms_delivery_status as "smsDeliveryStatus", user_rating_comment as "ratingComment",
         (extract(epoch from created_at) * 1000)::float8 as at, call_id as "callId", call_item_id as "callItemId"
       from messages order by id`,
    ),
    deliveries: await select(
      `select d.id, d.chat_id as "chatId", message_id as "messageId", m.uuid as "messageUuid", channel, recipient, state,
         (extract(epoch from claimed_at) * 1000)::float8 as "claimedAt",
         d.carrier_message_id as "carrierMessageId", error_code as "errorCode",
         failure_reason as "failureReason", look_ups as "lookUps",
         receipt_due_at is not null as "receiptAwaited"
       from deliveries d join messages m on m.id = d.message_id order by d.id`,
    ),
    emails: await select(
      `select id, direction, rfc_message_id as "rfcMessageId", to_address as "toAddress", delivery_id as "deliveryId"
       from emails order by id`,
    ),
    received: await select('select id, state, reason from inbound_emails order by id'),
    assignments: await select(
      `select id, uuid, chat_id as "chatId", member_id as "memberId", status, current_task_id as "currentTaskId"
       from assignments order by id`,
    ),
    calls: await select(
      `select id, uuid, chat_id as "chatId", remote_number as "remoteNumber", status, attempts,
         carrier_call_id as "carrierCallId", settled_at is not null as "isSettled",
         (extract(epoch from created_at) * 1000)::float8 as "createdAt",
         (extract(epoch from started_at) * 1000)::float8 as "answeredAt",
         (extract(epoch from finished_at) * 1000)::float8 as "finishedAt" from phone_calls order by id`,
    ),
    tasks: await select(
      `select t.id, assignment_id as "assignmentId", w.name, visited_at is not null as visited
       from assignment_tasks t join workflow_tasks w on w.id = t.task_id order by t.id`,
    ),
    visits: await select(
      `select id, assignment_id as "assignmentId", assignment_task_id as "taskId",
         from_assignment_task_id as "fromTaskId", request_uuid as "requestUuid", caused_by as "enteredBy"
       from assignment_timeline_entries where kind = 'entered' order by id`,
    ),
    revisions: await select(
      `select r.id, r.name, r.published_at is not null as published, r.id = d.active_revision_id as active
       from workflow_revisions r join workflow_definitions d on d.id = r.definition_id order by r.id`,
    ),
    pages: await select(
      `select p.id, d.published_title as title, p.publish_at is not null as "isScheduled"
       from site_pages p join site_page_documents d on d.page_id = p.id
       where d.published_title ~ '^s[0-9]+$' order by p.id`,
    ),
    followUps: await select(
      `select id, chat_id as "chatId", (extract(epoch from fired_at) * 1000)::float8 as "firedAt",
         (extract(epoch from cancelled_at) * 1000)::float8 as "cancelledAt" from follow_ups order by id`,
    ),
    members: await select('select id, description from members order by id'),
    optedOut: (await select<{ who: string }>('select recipient as who from sms_opt_outs')).map(
      ({ who }) => who,
    ),
    outbox: await select(
      `select run_type as "runType", subject, parked_at is not null as parked, last_error_code as "errorCode"
       from outbox order by id`,
    ),
    events: await select(
      `select event_type as "eventType", (body::jsonb #>> '{chat,id}')::bigint as "chatId",
         body::jsonb #>> '{file,filename}' as filename from events order by id`,
    ),
    mistold: await select(
      `with told as (
         select event_type, channel, id, count(*)::int as times from (
           select event_type, body::jsonb ->> 'channel' as channel,
             coalesce(body::jsonb #>> '{message,id}', body::jsonb #>> '{task,id}', body::jsonb #>> '{assignment,id}')::bigint as id
           from events where event_type ~ '^(message|assignment):'
         ) e group by 1, 2, 3
       ), facts as (
         select 'message:received' as event_type, null as channel, id, 1 as wanted
           from messages where role = 'user' and call_id is null and sub_conversation_of is null
         union all select 'message:sent', channel, message_id, 1 from deliveries where state in ('sent', 'delivered')
         union all select 'message:failed', channel, message_id, 1 from deliveries where state = 'failed'
         union all select 'assignment:created', null, id, 1 from assignments
         union all select 'assignment:concluded', null, id, (status <> 'active')::int from assignments
         union all select 'assignment:task_entered', null, assignment_task_id, count(*)::int
           from assignment_timeline_entries where kind = 'entered' group by 3
       )
       select f.event_type || ' ' || f.id as fact, wanted, coalesce(times, 0) as told
       from facts f left join told t on t.event_type = f.event_type and t.id = f.id and t.channel is not distinct from f.channel
       where wanted <> coalesce(times, 0) order by 1`,
    ),
    files: await select(
      `select f.id, f.filename, f.mime_type as "mimeType", v.indexing_state as "indexingState"
       from files f join file_versions v on v.id = f.current_version_id order by f.id`,
    ),
    turnsAnswered: await select(
      `select turn_uuid as turn, (extract(epoch from min(created_at)) * 1000)::float8 as at
       from token_usage where turn_uuid is not null group by 1`,
    ),
    turnsAsked: (
      await select<{ turn: string }>(
        'select distinct turn_uuid as turn from token_usage where turn_uuid is not null',
      )
    ).map(({ turn }) => turn),
  };
}

export function trafficOf(carrierUrl: string): Promise<Message[]> {
  return ask<Message[]>(carrierUrl, 'GET', '/simulator/messages');
}

/** The calls that the carrier was asked to dial. */
export async function callsOf(carrierUrl: string): Promise<Call[]> {
  const calls = await ask<Call[]>(carrierUrl, 'GET', '/simulator/calls');
  return calls.filter(({ direction }) => direction === 'outbound-api');
}

function dialledFact({ sid, to, status }: Call): DialledFact {
  return { sid, to, status, isOver: isFinal(status) };
}

export const isOutbound = ({ direction }: Message): boolean => direction !== 'inbound';

function mailedFact({ sequence, headers, to, answered, reports }: CaughtMessage): MailedFact {
  const rfcMessageId = (headers['message-id'] ?? '').replace(/^<|>$/g, '');
  return { sequence, rfcMessageId, to, answered, reports };
}

function carriedFact(message: Message): CarriedFact {
  const callback = message.statusCallback === null ? undefined : new URL(message.statusCallback);
  const end = message.callbacks.filter(({ status }) => status === message.status);
  return {
    sequence: message.sequence,
    sid: message.sid,
    to: message.to,
    status: message.status,
    errorCode: message.errorCode === null ? null : String(message.errorCode),
    messageUuid: callback?.pathname.split('/').at(-2) ?? null,
    attempt: callback === undefined ? null : Number(callback.searchParams.get('attempt')),
    endTold: end.some(({ httpStatus }) => httpStatus !== undefined && httpStatus < 300),
  };
}

async function runsOf(client: Client): Promise<RunFact[]> {
  const facts: RunFact[] = [];
  for await (const { workflowId, runId, type, status } of client.workflow.list()) {
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const failedTasks = (events ?? []).flatMap(({ workflowTaskFailedEventAttributes: failed }) =>
      failed === undefined || failed === null ? [] : [causes[failed.cause ?? 0] ?? 'unknown'],
    );
    facts.push({ workflowId, runId, type, status: status.name, failedTasks });
  }
  return facts;
}
