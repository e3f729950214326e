import { findRecordingOfChat, selectRecordingSegments } from '../../../db/calls/call-recordings.js';
import { readableChat } from '../../chat-state/chat-access.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import { assembleRecording, type RecordingFile } from './assemble-recording.js';

export interface RecordingView extends RecordingFile {
  callId: number;
}

/**
 * The recording of a call in a chat that the caller may read: of the newest call that has one, or of a given call. While
 * the call goes on, it ends with the last segment that is stored. @throws NotFound, Forbidden
 */
export async function readRecording(
  { db, actor }: CommandContext,
  chatId: number,
  callId: number | undefined,
): Promise<RecordingView> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const chat = await readableChat(tx, actor, chatId);
    const recording = await findRecordingOfChat(tx, chat.id, callId);
    if (recording === undefined) throw new NotFound('Recording');
    return {
      callId: recording.callId,
      ...assembleRecording(await selectRecordingSegments(tx, recording.id)),
    };
  });
}
