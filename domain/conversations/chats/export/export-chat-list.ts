import { exportedColumns, selectExportedChatsAfter } from '../../../../db/conversations/exported-chats.js';
import { recordAudit } from '../../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../../kernel/context.js';
import type { Cell } from '../../../records/csv/cells.js';
import { type CsvOptions, writeCsv } from '../../../records/csv/write-csv.js';
import { type ChatQuery, visibleChats } from '../list-chats.js';
import { batchesInOrder } from './chats-in-order.js';

/** Exports the chats of a filter that the caller may see, without their messages, in order of id. */
export async function exportChatList(
  context: CommandContext,
  query: ChatQuery,
  options: CsvOptions = {},
): Promise<{ fileName: string; text: AsyncIterable<string> }> {
  const { db, actor } = context;
  await db.inWorkspace(actor.workspaceId, async (tx) => recordAudit(tx, context, 'chats:exported'));
  return { fileName: 'chats.csv', text: writeCsv(exportedColumns, rowsOf(context, query), options) };
}

const chatsInBatch = 2_000;

async function* rowsOf({ db, actor }: CommandContext, query: ChatQuery): AsyncGenerator<Cell[]> {
  const filter = visibleChats(actor, query);
  const batches = batchesInOrder(chatsInBatch, (after) =>
    db.readInWorkspace(actor.workspaceId, (tx) => selectExportedChatsAfter(tx, filter, after, chatsInBatch)),
  );
  for await (const chats of batches) {
    for (const chat of chats) yield exportedColumns.map((column) => chat[column]);
  }
}
