import { type AssignmentRow, findAssignmentOfChat } from '../../db/assignments/assignments.js';
import type { PhoneCallRow } from '../../db/calls/phone-calls.js';
import type { InboundEmailRow } from '../../db/channels/inbound-emails.js';
import type { ChatRow } from '../../db/conversations/chats.js';
import type { MessageRow } from '../../db/conversations/messages.js';
import type { ScheduledMessageRow } from '../../db/conversations/scheduled-messages.js';
import { findDefinitionName, type WorkflowDefinitionRow } from '../../db/definitions/workflow-definitions.js';
import type { EventRuleNoticeRow } from '../../db/events/event-rule-notices.js';
import type { HandoffNoticeRow } from '../../db/events/handoff-notices.js';
import type { WebhookDeliveryRow } from '../../db/events/webhook-deliveries.js';
import type { FileVersionRow } from '../../db/files/models/file-version.js';
import type { LoginCodeRow } from '../../db/identity/login-codes.js';
import type { LabelChange } from '../../db/lib/label-changes.js';
import { writeOutbox, writeOutboxOfNoWorkspace } from '../../db/outbox.js';
import type { MemberImportRow } from '../../db/people/member-imports.js';
import type { PersonErasureRow } from '../../db/person-data/person-erasures.js';
import type { PersonExportRow } from '../../db/person-data/person-exports.js';
import type { SitePageRow } from '../../db/sites/site-pages.js';
import type { SiteRow } from '../../db/sites/sites.js';
import type { IdentityTx, Tx } from '../../db/tx.js';
import { agentMaySpeak } from './agent-due.js';

/*
 * The domain's port to Temporal. A command writes an outbox entry in its own transaction, and the relay delivers it
 * after the commit, at least once: a start is idempotent by workflow id, and a poke carries no data.
 */

/** `woken`: one of many runs that one change, or a net, wakes. It goes behind what people wait for. */
type OfMany = { woken?: boolean };

type AssignmentRef = Pick<AssignmentRow, 'id' | 'uuid' | 'chatId' | 'memberId'>;

export async function startAssignmentRun(
  tx: Tx,
  assignment: AssignmentRef,
  definitionName: string,
  ofMany?: OfMany,
): Promise<void> {
  await writeAssignmentEntry(tx, assignment, definitionName, 'start', ofMany);
}

export async function pokeAssignmentRun(tx: Tx, assignment: AssignmentRow, ofMany?: OfMany): Promise<void> {
  const definitionName = await findDefinitionName(tx, assignment.definitionId);
  await writeAssignmentEntry(tx, assignment, definitionName, 'poke', ofMany);
}

/**
 * Pokes the run of the chat's active assignment. Without one: the run that answers the chat, if the agent may speak.
 */
export async function pokeChatRun(tx: Tx, chat: ChatRow, ofMany?: OfMany): Promise<void> {
  const assignment = await findAssignmentOfChat(tx, chat.id);
  if (assignment?.status === 'active') await pokeAssignmentRun(tx, assignment, ofMany);
  else if (agentMaySpeak(chat)) await writeChatEntry(tx, 'answerChat', chat, ofMany);
}

/** Like `pokeChatRun`, for changed follow-ups, even if the agent may not speak: a paused chat has follow-ups too. */
export async function pokeFollowUpRun(tx: Tx, chat: ChatRow): Promise<void> {
  const assignment = await findAssignmentOfChat(tx, chat.id);
  if (assignment?.status === 'active') await pokeAssignmentRun(tx, assignment);
  else await writeChatEntry(tx, 'answerChat', chat);
}

/** Pokes the run that delivers messages of the chat: there is one to deliver, or a new status of a sent one. */
export async function pokeDeliveries(tx: Tx, chat: ChatRow, ofMany?: OfMany): Promise<void> {
  await writeChatEntry(tx, 'deliverMessages', chat, ofMany);
}

/** Pokes the run that wakes the assignments of a definition that is not held any more. */
export async function pokeWakingRun(
  tx: Tx,
  { id, uuid, name }: Pick<WorkflowDefinitionRow, 'id' | 'uuid' | 'name'>,
): Promise<void> {
  const input = { definitionId: id, definitionName: name };
  await writeOutbox(tx, { runType: 'wakeAssignments', subject: uuid, action: 'poke', input });
}

/** Pokes the run that ends the hold of the workspace at its time, and wakes what rests. */
export async function pokeWorkspaceWakingRun(tx: Tx, workspaceUuid: string): Promise<void> {
  const input = { definitionId: null, definitionName: null };
  await writeOutbox(tx, { runType: 'wakeAssignments', subject: workspaceUuid, action: 'poke', input });
}

/** Pokes the run that carries out what is left of a label's change. */
export async function pokeLabelRun(
  tx: Tx,
  { kind, labelId, labelUuid }: Pick<LabelChange, 'kind' | 'labelId' | 'labelUuid'>,
): Promise<void> {
  const input = { kind, labelId };
  await writeOutbox(tx, { runType: 'applyLabelChange', subject: labelUuid, action: 'poke', input });
}

/** Starts the run that indexes the text of a version, which is `pending`. */
export async function startIndexingRun(
  tx: Tx,
  { id, uuid, fileId }: Pick<FileVersionRow, 'id' | 'uuid' | 'fileId'>,
): Promise<void> {
  const input = { fileId, versionId: id };
  await writeOutbox(tx, { runType: 'indexFile', subject: uuid, action: 'start', input });
}

/** Pokes the run that indexes the text of a version, which is `pending` again. */
export async function pokeIndexingRun(
  tx: Tx,
  { id, uuid, fileId }: Pick<FileVersionRow, 'id' | 'uuid' | 'fileId'>,
): Promise<void> {
  const input = { fileId, versionId: id };
  await writeOutbox(tx, { runType: 'indexFile', subject: uuid, action: 'poke', input });
}

/** Starts the run that fetches the media of a message from the carrier. */
export async function startMediaRun(
  tx: Tx,
  { id, uuid, chatId }: Pick<MessageRow, 'id' | 'uuid' | 'chatId'>,
): Promise<void> {
  const input = { chatId, messageId: id };
  await writeOutbox(tx, { runType: 'fetchMedia', subject: uuid, action: 'start', input });
}

type ScheduledRef = Pick<ScheduledMessageRow, 'id' | 'uuid'>;
type ChatOfRun = Pick<ChatRow, 'id' | 'memberId'>;

/** Starts the run that sends a scheduled message when it is due. */
export async function startScheduledMessageRun(
  tx: Tx,
  chat: ChatOfRun,
  scheduled: ScheduledRef,
): Promise<void> {
  await writeScheduledMessageEntry(tx, chat, scheduled, 'start');
}

/** Pokes the run of a scheduled message whose time has changed, which is cancelled, or whose run is missing. */
export async function pokeScheduledMessageRun(
  tx: Tx,
  chat: ChatOfRun,
  scheduled: ScheduledRef,
): Promise<void> {
  await writeScheduledMessageEntry(tx, chat, scheduled, 'poke');
}

type CallRef = Pick<PhoneCallRow, 'id' | 'uuid' | 'inbound'>;

/** Starts the run of a phone call. */
export async function startCallRun(tx: Tx, chat: ChatOfRun, call: CallRef): Promise<void> {
  await writeCallEntry(tx, chat, call, 'start');
}

/** Pokes the run of a phone call: it has ended, our part of it is over, or its run is missing. */
export async function pokeCallRun(tx: Tx, chat: ChatOfRun, call: CallRef): Promise<void> {
  await writeCallEntry(tx, chat, call, 'poke');
}

/** Starts the run that summarizes a chat after a call in it; the call's uuid names the request. */
export async function startSummaryOfCall(
  tx: Tx,
  { id: chatId, memberId }: ChatOfRun,
  { uuid }: Pick<PhoneCallRow, 'uuid'>,
): Promise<void> {
  const input = { chatId, memberId, requestUuid: uuid, updateLabels: false };
  await writeOutbox(tx, { runType: 'summarizeChat', subject: uuid, action: 'start', input });
}

/** Starts the run that receives a mail. */
export async function startReceivingRun(
  tx: Tx,
  { id, uuid, inboxId }: Pick<InboundEmailRow, 'id' | 'uuid' | 'inboxId'>,
): Promise<void> {
  const input = { inboxId, inboundEmailId: id };
  await writeOutbox(tx, { runType: 'receiveEmail', subject: uuid, action: 'start', input });
}

/** Starts the run of a webhook delivery whose run is missing. */
export async function startWebhookRun(tx: Tx, delivery: WebhookDeliveryRow): Promise<void> {
  await writeWebhookEntry(tx, delivery, 'start');
}

/** Pokes the run of a webhook delivery, which is to be attempted now. */
export async function pokeWebhookRun(tx: Tx, delivery: WebhookDeliveryRow): Promise<void> {
  await writeWebhookEntry(tx, delivery, 'poke');
}

/** Starts the run of a login code, which decides whether the code is sent at all. */
export async function beginLoginCodeRun(tx: IdentityTx, code: LoginCodeRow): Promise<void> {
  await writeOutboxOfNoWorkspace(tx, {
    runType: 'sendLoginCode',
    subject: code.uuid,
    action: 'start',
    input: { loginCodeUuid: code.uuid, channel: code.channel },
  });
}

/** Starts the run that notifies an admin of a disabled event rule, or of credits that run out. */
export async function startNoticeRun(
  tx: Tx,
  { id, uuid, eventRuleId, reason }: EventRuleNoticeRow,
): Promise<void> {
  await writeOutbox(tx, {
    runType: 'sendRuleNotice',
    subject: uuid,
    action: 'start',
    input: { noticeId: id, reason, ...(eventRuleId === null ? {} : { ruleId: eventRuleId }) },
  });
}

/** Starts the run that tells a member that chats wait for a person. */
export async function startHandoffNoticeRun(tx: Tx, notice: HandoffNoticeRow): Promise<void> {
  await writeOutbox(tx, {
    runType: 'sendHandoffNotice',
    subject: notice.uuid,
    action: 'start',
    input: { noticeId: notice.id, memberId: notice.memberId, channel: notice.channel },
  });
}

/** Pokes the run that publishes a page at its time: it was scheduled, its time has changed, or its run is missing. */
export async function pokePublicationRun(
  tx: Tx,
  { id, uuid }: Pick<SitePageRow, 'id' | 'uuid'>,
): Promise<void> {
  await writeOutbox(tx, { runType: 'publishPage', subject: uuid, action: 'poke', input: { pageId: id } });
}

/** Pokes the run that reads another site into a site: a crawl was started or cancelled, or its run is missing. */
export async function pokeCrawlRun(tx: Tx, { id, uuid }: Pick<SiteRow, 'id' | 'uuid'>): Promise<void> {
  await writeOutbox(tx, { runType: 'crawlSite', subject: uuid, action: 'poke', input: { siteId: id } });
}

/** Pokes the run that erases what is stored about a member. */
export async function pokeErasureRun(
  tx: Tx,
  { uuid, id, memberId }: Pick<PersonErasureRow, 'uuid' | 'id' | 'memberId'>,
): Promise<void> {
  const input = { erasureId: id, memberId };
  await writeOutbox(tx, { runType: 'erasePersonData', subject: uuid, action: 'poke', input });
}

/** Pokes the run that builds the archive of a member's data. */
export async function pokeExportRun(
  tx: Tx,
  { uuid, id, memberId }: Pick<PersonExportRow, 'uuid' | 'id' | 'memberId'>,
): Promise<void> {
  const input = { exportId: id, memberId };
  await writeOutbox(tx, { runType: 'exportPersonData', subject: uuid, action: 'poke', input });
}

type ImportRef = Pick<MemberImportRow, 'uuid' | 'id' | 'memberId'>;

/** Starts the run that imports members from a file. */
export async function startImportRun(tx: Tx, imported: ImportRef): Promise<void> {
  await writeImportEntry(tx, imported, 'start');
}

/** Pokes the run of an import, which is missing. */
export async function pokeImportRun(tx: Tx, imported: ImportRef): Promise<void> {
  await writeImportEntry(tx, imported, 'poke');
}

async function writeImportEntry(
  tx: Tx,
  { uuid, id, memberId }: ImportRef,
  action: 'start' | 'poke',
): Promise<void> {
  const input = { importId: id, memberId };
  await writeOutbox(tx, { runType: 'importMembers', subject: uuid, action, input });
}

async function writeWebhookEntry(
  tx: Tx,
  { id: deliveryId, uuid, eventRuleId: ruleId, eventType }: WebhookDeliveryRow,
  action: 'start' | 'poke',
): Promise<void> {
  const input = { deliveryId, ruleId, eventType };
  await writeOutbox(tx, { runType: 'deliverWebhook', subject: uuid, action, input });
}

async function writeChatEntry(
  tx: Tx,
  runType: 'answerChat' | 'deliverMessages',
  { uuid, id, memberId, channel }: ChatRow,
  ofMany: OfMany = {},
): Promise<void> {
  const input = { chatId: id, memberId, channel };
  await writeOutbox(tx, { runType, subject: uuid, action: 'poke', input, ...ofMany });
}

async function writeScheduledMessageEntry(
  tx: Tx,
  { id: chatId, memberId }: ChatOfRun,
  { id, uuid }: ScheduledRef,
  action: 'start' | 'poke',
): Promise<void> {
  const input = { chatId, memberId, scheduledMessageId: id };
  await writeOutbox(tx, { runType: 'sendScheduledMessage', subject: uuid, action, input });
}

async function writeCallEntry(
  tx: Tx,
  { id: chatId, memberId }: ChatOfRun,
  { id: callId, uuid, inbound }: CallRef,
  action: 'start' | 'poke',
): Promise<void> {
  const direction = inbound ? 'inbound' : 'outbound';
  const input = { chatId, memberId, callId, direction } as const;
  await writeOutbox(tx, { runType: 'runVoiceCall', subject: uuid, action, input });
}

async function writeAssignmentEntry(
  tx: Tx,
  { id, uuid, chatId, memberId }: AssignmentRef,
  definitionName: string,
  action: 'start' | 'poke',
  ofMany: OfMany = {},
): Promise<void> {
  const input = { chatId, memberId, assignmentId: id, definitionName };
  await writeOutbox(tx, { runType: 'runAssignment', subject: uuid, action, input, ...ofMany });
}
