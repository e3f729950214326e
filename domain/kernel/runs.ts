import { type AssignmentRow, findAssignmentOfChat } from '../../db/assignments/assignments.js';
import type { ChatRow } from '../../db/conversations/chats.js';
import { findDefinitionName } from '../../db/definitions/workflow-definitions.js';
import type { LoginCodeRow } from '../../db/identity/models/login-code.js';
import type { LabelChange } from '../../db/lib/label-changes.js';
import { type OutboxEntry, writeOutbox, writeOutboxOfNoWorkspace } from '../../db/outbox.js';
import type { IdentityTx, Tx } from '../../db/tx.js';
import type { InWorkspace, RunInputs } from '../../workflows/contracts/runs.js';
import { agentMaySpeak } from './agent-due.js';

/*
 * The domain's port to Temporal. A command writes an outbox entry in its own transaction, and the relay delivers it
 * after the commit, at least once: a start is idempotent by workflow id, and a poke carries no data.
 */

/** The uuid of the row that a run belongs to, and the input of the run but for the workspace. */
type Entry<Type extends OutboxEntry['runType']> = {
  subject: string;
  input: Omit<RunInputs[Type], keyof InWorkspace>;
} & OfMany;

/** `woken`: one of many runs that one change, or a net, wakes. It goes behind what people wait for. */
type OfMany = { woken?: boolean };

/**
 * Makes the commands to a run of a type from its row. `start` starts the run of a new row. `poke` tells the run
 * that the row has changed, and starts it if there is none.
 */
function runOf<Type extends OutboxEntry['runType'], Of extends unknown[]>(
  runType: Type,
  entryOf: (...of: Of) => Entry<Type>,
) {
  const write =
    (action: 'start' | 'poke') =>
    (tx: Tx, ...of: Of): Promise<void> =>
      writeOutbox(tx, { runType, action, ...entryOf(...of) } as OutboxEntry);
  return { start: write('start'), poke: write('poke') };
}

/** The row that a run belongs to. */
interface Row {
  id: number;
  uuid: string;
}

/** The chat that a run is about. */
type ChatOfRun = Pick<ChatRow, 'id' | 'memberId'>;

const assignmentRun = runOf(
  'runAssignment',
  (
    { id, uuid, chatId, memberId }: Row & { chatId: number; memberId: number },
    definitionName: string,
    ofMany?: OfMany,
  ) => ({ subject: uuid, input: { chatId, memberId, assignmentId: id, definitionName }, ...ofMany }),
);

export const startAssignmentRun = assignmentRun.start;

export async function pokeAssignmentRun(tx: Tx, assignment: AssignmentRow, ofMany?: OfMany): Promise<void> {
  const definitionName = await findDefinitionName(tx, assignment.definitionId);
  await assignmentRun.poke(tx, assignment, definitionName, ofMany);
}

function entryOfChat({ id, uuid, memberId, channel }: ChatRow, ofMany?: OfMany) {
  return { subject: uuid, input: { chatId: id, memberId, channel }, ...ofMany };
}

const chatRun = runOf('answerChat', entryOfChat);

/**
 * Pokes the run of the chat's active assignment. Without one: the run that answers the chat, if the agent may speak.
 */
export async function pokeChatRun(tx: Tx, chat: ChatRow, ofMany?: OfMany): Promise<void> {
  const assignment = await findAssignmentOfChat(tx, chat.id);
  if (assignment?.status === 'active') await pokeAssignmentRun(tx, assignment, ofMany);
  else if (agentMaySpeak(chat)) await chatRun.poke(tx, chat, ofMany);
}

/** Like `pokeChatRun`, for changed follow-ups, even if the agent may not speak: a paused chat has follow-ups too. */
export async function pokeFollowUpRun(tx: Tx, chat: ChatRow): Promise<void> {
  const assignment = await findAssignmentOfChat(tx, chat.id);
  if (assignment?.status === 'active') await pokeAssignmentRun(tx, assignment);
  else await chatRun.poke(tx, chat);
}

/** The run that delivers messages of a chat: there is one to deliver, or a new status of a sent one. */
export const { poke: pokeDeliveries } = runOf('deliverMessages', entryOfChat);

/** The run that wakes the assignments of a definition that is not held any more. */
export const { poke: pokeWakingRun } = runOf(
  'wakeAssignments',
  ({ id, uuid, name }: Row & { name: string }) => ({
    subject: uuid,
    input: { definitionId: id, definitionName: name },
  }),
);

/** The run that ends the hold of the workspace at its time, and wakes what rests. */
export const { poke: pokeWorkspaceWakingRun } = runOf('wakeAssignments', (workspaceUuid: string) => ({
  subject: workspaceUuid,
  input: { definitionId: null, definitionName: null },
}));

/** The run that carries out what is left of a label's change. */
export const { poke: pokeLabelRun } = runOf(
  'applyLabelChange',
  ({ labelUuid, labelId, kind }: Pick<LabelChange, 'labelUuid' | 'labelId' | 'kind'>) => ({
    subject: labelUuid,
    input: { labelId, kind },
  }),
);

/** The run that indexes the text of a version, which is `pending`. */
export const { start: startIndexingRun, poke: pokeIndexingRun } = runOf(
  'indexFile',
  ({ id, uuid, fileId }: Row & { fileId: number }) => ({ subject: uuid, input: { fileId, versionId: id } }),
);

/** The run that fetches the media of a message from the carrier. */
export const { start: startMediaRun } = runOf(
  'fetchMedia',
  ({ id, uuid, chatId }: Row & { chatId: number }) => ({ subject: uuid, input: { chatId, messageId: id } }),
);

/** The run that sends a scheduled message when it is due. It is poked when the time has changed, or the message is cancelled. */
export const { start: startScheduledMessageRun, poke: pokeScheduledMessageRun } = runOf(
  'sendScheduledMessage',
  (chat: ChatOfRun, { id, uuid }: Row) => ({
    subject: uuid,
    input: { chatId: chat.id, memberId: chat.memberId, scheduledMessageId: id },
  }),
);

/** The run of a phone call. It is poked when the call has ended, or our part of it is over. */
export const { start: startCallRun, poke: pokeCallRun } = runOf(
  'runVoiceCall',
  (chat: ChatOfRun, { id, uuid, inbound }: Row & { inbound: boolean }) => ({
    subject: uuid,
    input: {
      chatId: chat.id,
      memberId: chat.memberId,
      callId: id,
      direction: inbound ? ('inbound' as const) : ('outbound' as const),
    },
  }),
);

/** The run that summarizes a chat after a call in it; the call's uuid names the request. */
export const { start: startSummaryOfCall } = runOf(
  'summarizeChat',
  (chat: ChatOfRun, { uuid }: Pick<Row, 'uuid'>) => ({
    subject: uuid,
    input: { chatId: chat.id, memberId: chat.memberId, requestUuid: uuid, updateLabels: false },
  }),
);

/** The run that receives a mail. */
export const { start: startReceivingRun } = runOf(
  'receiveEmail',
  ({ id, uuid, inboxId }: Row & { inboxId: number }) => ({
    subject: uuid,
    input: { inboxId, inboundEmailId: id },
  }),
);

/** The run of a webhook delivery. It is poked when the delivery is to be attempted now. */
export const { start: startWebhookRun, poke: pokeWebhookRun } = runOf(
  'deliverWebhook',
  ({ id, uuid, eventRuleId, eventType }: Row & { eventRuleId: number; eventType: string }) => ({
    subject: uuid,
    input: { deliveryId: id, ruleId: eventRuleId, eventType },
  }),
);

/** The run that notifies an admin of a disabled event rule, or of credits that run out. */
export const { start: startNoticeRun } = runOf(
  'sendRuleNotice',
  ({ id, uuid, eventRuleId, reason }: Row & { eventRuleId: number | null; reason: string }) => ({
    subject: uuid,
    input: { noticeId: id, reason, ...(eventRuleId === null ? {} : { ruleId: eventRuleId }) },
  }),
);

/** The run that tells a member that chats wait for a person. */
export const { start: startHandoffNoticeRun } = runOf(
  'sendHandoffNotice',
  ({ id, uuid, memberId, channel }: Row & { memberId: number; channel: string }) => ({
    subject: uuid,
    input: { noticeId: id, memberId, channel },
  }),
);

/** The run that publishes a page at its time. It is poked when the page is scheduled, or its time has changed. */
export const { poke: pokePublicationRun } = runOf('publishPage', ({ id, uuid }: Row) => ({
  subject: uuid,
  input: { pageId: id },
}));

/** The run that reads another site into a site. It is poked when a crawl is started or cancelled. */
export const { poke: pokeCrawlRun } = runOf('crawlSite', ({ id, uuid }: Row) => ({
  subject: uuid,
  input: { siteId: id },
}));

/** The run that erases what is stored about a member. */
export const { poke: pokeErasureRun } = runOf(
  'erasePersonData',
  ({ id, uuid, memberId }: Row & { memberId: number }) => ({
    subject: uuid,
    input: { erasureId: id, memberId },
  }),
);

/** The run that builds the archive of a member's data. */
export const { poke: pokeExportRun } = runOf(
  'exportPersonData',
  ({ id, uuid, memberId }: Row & { memberId: number }) => ({
    subject: uuid,
    input: { exportId: id, memberId },
  }),
);

/** The run that imports members from a file. */
export const { start: startImportRun, poke: pokeImportRun } = runOf(
  'importMembers',
  ({ id, uuid, memberId }: Row & { memberId: number }) => ({
    subject: uuid,
    input: { importId: id, memberId },
  }),
);

/** Starts the run of a login code, which decides whether the code is sent at all. */
export async function beginLoginCodeRun(tx: IdentityTx, { uuid, channel }: LoginCodeRow): Promise<void> {
  const input = { loginCodeUuid: uuid, channel };
  await writeOutboxOfNoWorkspace(tx, { runType: 'sendLoginCode', subject: uuid, action: 'start', input });
}
