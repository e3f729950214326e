import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { ToolRequestModel, type ToolRequestRow } from './models/tool-request.js';

export type { ToolRequestRow } from './models/tool-request.js';

export async function insertToolRequest(
  tx: Tx,
  values: Pick<ToolRequestRow, 'chatId' | 'toolCallId' | 'idempotencyKey' | 'claimToken' | 'claimedAt'>,
): Promise<ToolRequestRow> {
  return ToolRequestModel.insert(tx, values);
}

export async function findToolRequest(
  tx: Tx,
  chatId: number,
  toolCallId: string,
): Promise<ToolRequestRow | undefined> {
  return ToolRequestModel.first(tx, 'chat_id = ? and tool_call_id = ?', [chatId, toolCallId]);
}

/** The requests of these tool calls that have no outcome. */
export async function selectOpenRequests(
  tx: Tx,
  chatId: number,
  toolCallIds: readonly string[],
): Promise<ToolRequestRow[]> {
  const condition = 'chat_id = ? and tool_call_id = any(?) and settled_at is null';
  return ToolRequestModel.where(tx, condition, [chatId, toolCallIds]);
}

export async function patchToolRequest(
  tx: Tx,
  id: number,
  changes: Partial<Omit<ToolRequestRow, 'id' | 'workspaceId'>>,
): Promise<void> {
  await ToolRequestModel.patch(tx, id, changes);
}

export interface RequestCounts {
  ofChat: number;
  ofWorkspace: number;
  open: number;
}

/** Counts requests since `from`, and those since `openFrom` that are under way, each up to its limit. */
export async function countToolRequests(
  tx: Tx,
  chatId: number,
  { from, openFrom }: { from: Date; openFrom: Date },
  most: RequestCounts,
): Promise<RequestCounts> {
  const [counted] = await prepared<RequestCounts>(
    tx,
    `select
       (select count(*)::int from (select from tool_requests where chat_id = ? and claimed_at > ? limit ?) c)
         as "ofChat",
       (select count(*)::int from (select from tool_requests where claimed_at > ? limit ?) w) as "ofWorkspace",
       (select count(*)::int from
         (select from tool_requests where settled_at is null and claimed_at > ? limit ?) o) as open`,
    [chatId, from, most.ofChat, from, most.ofWorkspace, openFrom, most.open],
  );
  return counted ?? { ofChat: 0, ofWorkspace: 0, open: 0 };
}

/** Deletes some of the requests of a workspace that are older than all limits. */
export async function removeOldRequests(tx: Tx, before: Date, limit: number): Promise<void> {
  const oldest = `id = any(array(
    select id from tool_requests where claimed_at < ? and settled_at is not null
    order by claimed_at limit ? for update skip locked))`;
  await ToolRequestModel.deleteWhere(tx, oldest, [before, limit]);
}
