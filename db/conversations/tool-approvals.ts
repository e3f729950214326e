import { prepared } from '../statement.js';
import type { EnteredTx, Tx } from '../tx.js';
import { ToolApprovalModel, type ToolApprovalRow } from './models/tool-approval.js';

export type { ToolApprovalRow } from './models/tool-approval.js';

type NewApproval = Pick<
  ToolApprovalRow,
  'chatId' | 'messageId' | 'toolCallId' | 'state' | 'requestedAt' | 'expiresAt'
>;

export async function insertApproval(tx: Tx, values: NewApproval): Promise<ToolApprovalRow> {
  return ToolApprovalModel.insert(tx, values);
}

export async function findApproval(tx: Tx, id: number): Promise<ToolApprovalRow | undefined> {
  return ToolApprovalModel.find(tx, id);
}

export async function findApprovalOfCall(
  tx: Tx,
  chatId: number,
  toolCallId: string,
): Promise<ToolApprovalRow | undefined> {
  return ToolApprovalModel.first(tx, 'chat_id = ? and tool_call_id = ?', [chatId, toolCallId]);
}

/** The call of a message that was asked about, whatever became of it. */
export async function findApprovalOfMessage(
  tx: Tx,
  chatId: number,
  messageId: number,
): Promise<ToolApprovalRow | undefined> {
  return ToolApprovalModel.first(tx, 'chat_id = ? and message_id = ?', [chatId, messageId]);
}

export async function findApprovalByUuid(
  tx: Tx,
  chatId: number,
  uuid: string,
): Promise<ToolApprovalRow | undefined> {
  return ToolApprovalModel.first(tx, 'chat_id = ? and uuid = ?', [chatId, uuid]);
}

export async function patchApproval(
  tx: Tx,
  id: number,
  changes: Partial<
    Pick<ToolApprovalRow, 'state' | 'decidedAt' | 'decidedByMemberId' | 'comment' | 'messageId'>
  >,
): Promise<ToolApprovalRow> {
  return ToolApprovalModel.patch(tx, id, changes);
}

/** The results (JSON) of the approved calls that were run since a colleague last wrote to the member. */
export async function selectOutcomesUnanswered(tx: Tx, chatId: number): Promise<string[]> {
  const found = await prepared<{ result: string }>(
    tx,
    `select r.content #>> '{}' as result
     from tool_approvals a join messages r on r.chat_id = a.chat_id and r.tool_call_id = a.tool_call_id
     where a.chat_id = ? and a.state = 'run' and r.role = 'tool' and r.content is not null
       and not exists (
       select from messages m
       where m.chat_id = a.chat_id and m.id > r.id and m.role = 'assistant' and m.author = 'person')`,
    [chatId],
  );
  return found.map(({ result }) => result);
}

/** A call that waits for a decision, as colleagues see it. */
export interface WaitingCall {
  chatId: number;
  uuid: string;
  toolCallId: string;
  requestedAt: Date;
  expiresAt: Date;
  toolCalls: { id: string; function: { name: string; arguments: string } }[];
}

/** The calls that wait for a decision, of several approvals, in one query. */
export async function selectWaitingCalls(tx: EnteredTx, ids: readonly number[]): Promise<WaitingCall[]> {
  return prepared(
    tx,
    `select a.chat_id as "chatId", a.uuid, a.tool_call_id as "toolCallId", a.requested_at as "requestedAt",
       a.expires_at as "expiresAt", m.tool_calls as "toolCalls"
     from tool_approvals a join messages m on m.id = a.message_id
     where a.id = any(?::bigint[]) and a.state = 'waiting'`,
    [ids],
  );
}
