import type { AssignmentRow } from '../../db/assignments/assignments.js';
import { findAssignmentOfChat } from '../../db/assignments/assignments.js';
import type { ChatRow } from '../../db/conversations/chats.js';
import type { IdentityTx, Tx } from '../../db/database.js';
import { findDefinitionName } from '../../db/definitions/workflow-definitions.js';
import type { EventRuleNoticeRow } from '../../db/events/event-rule-notices.js';
import type { WebhookDeliveryRow } from '../../db/events/webhook-deliveries.js';
import type { LoginCodeRow } from '../../db/identity/login-codes.js';
import { writeOutbox, writeOutboxOfNoWorkspace } from '../../db/outbox.js';
import { agentMaySpeak } from './agent-due.js';

/*
 * The domain's port to durable runs. What must happen next is written in the transaction that asks for it; the
 * relay delivers it to Temporal after the commit, once or more than once: starting is idempotent by workflow id,
 * and a poke carries nothing.
 */

type AssignmentRef = Pick<AssignmentRow, 'id' | 'uuid' | 'chatId' | 'memberId'>;

/** The assignment's run begins. */
export async function startAssignmentRun(
  tx: Tx,
  assignment: AssignmentRef,
  definitionName: string,
): Promise<void> {
  await writeAssignmentEntry(tx, assignment, definitionName, 'start');
}

/** There is something new for the assignment's run. */
export async function pokeAssignmentRun(tx: Tx, assignment: AssignmentRow): Promise<void> {
  const definitionName = await findDefinitionName(tx, assignment.definitionId);
  await writeAssignmentEntry(tx, assignment, definitionName, 'poke');
}

/** There is something new in a chat: for the run of its active assignment, else for the one that answers chats. */
export async function pokeChatRun(tx: Tx, chat: ChatRow): Promise<void> {
  const assignment = await findAssignmentOfChat(tx, chat.id);
  if (assignment?.status === 'active') await pokeAssignmentRun(tx, assignment);
  else if (agentMaySpeak(chat)) await pokeAnswerRun(tx, chat);
}

/**
 * The pending follow-ups of a chat have changed. The run that waits for them is told even if the agent may not speak:
 * a paused chat has follow-ups too.
 */
export async function pokeFollowUpRun(tx: Tx, chat: ChatRow): Promise<void> {
  const assignment = await findAssignmentOfChat(tx, chat.id);
  if (assignment?.status === 'active') await pokeAssignmentRun(tx, assignment);
  else await pokeAnswerRun(tx, chat);
}

/** There is something to deliver in a chat, or news of what was sent. */
export async function pokeDeliveries(tx: Tx, chat: ChatRow): Promise<void> {
  await writeOutbox(tx, {
    runType: 'deliverMessages',
    subject: chat.uuid,
    action: 'poke',
    input: { chatId: chat.id, memberId: chat.memberId, channel: chat.channel },
  });
}

/** An event is to be delivered whose run is gone. */
export async function startWebhookRun(tx: Tx, delivery: WebhookDeliveryRow): Promise<void> {
  await writeOutbox(tx, {
    runType: 'deliverWebhook',
    subject: delivery.uuid,
    action: 'start',
    input: { deliveryId: delivery.id, ruleId: delivery.eventRuleId, eventType: delivery.eventType },
  });
}

/** A login code is to be sent, if it is to be sent at all. */
export async function beginLoginCodeRun(tx: IdentityTx, code: LoginCodeRow): Promise<void> {
  await writeOutboxOfNoWorkspace(tx, {
    runType: 'sendLoginCode',
    subject: code.uuid,
    action: 'start',
    input: { loginCodeUuid: code.uuid, channel: code.channel },
  });
}

/** A member is to be told that a rule was disabled. */
export async function startRuleNoticeRun(tx: Tx, notice: EventRuleNoticeRow): Promise<void> {
  await writeOutbox(tx, {
    runType: 'sendRuleNotice',
    subject: notice.uuid,
    action: 'start',
    input: { noticeId: notice.id, ruleId: notice.eventRuleId, reason: notice.reason },
  });
}

async function pokeAnswerRun(tx: Tx, chat: ChatRow): Promise<void> {
  await writeOutbox(tx, {
    runType: 'answerChat',
    subject: chat.uuid,
    action: 'poke',
    input: { chatId: chat.id, memberId: chat.memberId, channel: chat.channel },
  });
}

async function writeAssignmentEntry(
  tx: Tx,
  assignment: AssignmentRef,
  definitionName: string,
  action: 'start' | 'poke',
): Promise<void> {
  await writeOutbox(tx, {
    runType: 'runAssignment',
    subject: assignment.uuid,
    action,
    input: {
      chatId: assignment.chatId,
      memberId: assignment.memberId,
      assignmentId: assignment.id,
      definitionName,
    },
  });
}
