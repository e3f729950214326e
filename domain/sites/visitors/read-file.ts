import { findFileOfChat } from '../../../db/conversations/message-pages.js';
import { findVersionBytes, type VersionBytes } from '../../../db/files/file-versions.js';
import { requireReadableFile } from '../../files/require-readable.js';
import { NotFound } from '../../lib/errors.js';
import { requireChat, type VisitorContext } from './visitor-context.js';

/**
 * A file of a message in the visitor's chat, as it was sent, whoever sent it; nothing else that the visitor may read.
 * @throws Conflict `chat_not_begun`, NotFound
 */
export async function readVisitorFile(context: VisitorContext, fileId: number): Promise<VersionBytes> {
  const { db, workspaceId, actor, chatId } = requireChat(context);
  return db.readInWorkspace(workspaceId, async (tx) => {
    await requireReadableFile(tx, actor, fileId);
    const sent = await findFileOfChat(tx, chatId, fileId);
    const content = sent && (await findVersionBytes(tx, [sent.versionId])).get(sent.versionId);
    if (content === undefined) throw new NotFound('File');
    return content;
  });
}
