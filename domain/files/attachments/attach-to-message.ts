import { findAssignmentOfChat } from '../../../db/assignments/assignments.js';
import { participantsOfChats } from '../../../db/conversations/chat-details.js';
import type { ChatRow } from '../../../db/conversations/chats.js';
import type { MessageRow, StoredMessageFile } from '../../../db/conversations/messages.js';
import { insertAttachments } from '../../../db/files/file-attachments.js';
import type { FileRow } from '../../../db/files/files.js';
import type { Tx } from '../../../db/tx.js';

/** What a message says of a file that is sent with it. */
export function asFileOfMessage(file: FileRow): StoredMessageFile {
  return {
    status: 'stored',
    fileId: file.id,
    fileUuid: file.uuid,
    versionId: file.currentVersionId,
    filename: file.filename,
    mimeType: file.mimeType,
    fileSize: file.fileSize,
  };
}

/** Attaches files to a message, its chat and its assignment: the people in the chat may read them from now on. */
export async function attachToMessage(
  tx: Tx,
  chat: Pick<ChatRow, 'id' | 'memberId'>,
  message: Pick<MessageRow, 'id'>,
  files: readonly FileRow[],
  attachedByMemberId: number | null,
): Promise<void> {
  if (files.length === 0) return;
  const people = (await participantsOfChats(tx, [chat.id])).filter(
    ({ memberKind }) => memberKind === 'human',
  );
  const assignment = await findAssignmentOfChat(tx, chat.id);
  await insertAttachments(tx, {
    fileIds: files.map(({ id }) => id),
    to: {
      chatId: chat.id,
      messageId: message.id,
      ...(assignment === undefined ? {} : { assignmentId: assignment.id }),
    },
    readerIds: [...new Set([chat.memberId, ...people.map(({ memberId }) => memberId)])],
    attachedByMemberId,
  });
}
