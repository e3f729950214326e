import Type from 'typebox';
import { readRecording } from '../../../../domain/calls/recordings/read-recording.js';
import { RecordingBytes } from '../../../../domain/calls/recordings/recording-bytes.js';
import { objectKey } from '../../../../domain/files/object-store.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import type { ByteRange } from '../../../http/files/byte-range.js';
import { Id } from '../../../http/schemas.js';

const get = defineRoute({
  operationId: 'getRecordingOfChat',
  method: 'GET',
  path: '/w/{workspace_uuid}/recordings/chat/{chat_id}/audio.wav',
  tag: 'Phone calls',
  summary: 'Listen to the recording of a call',
  description:
    "Of the newest call of the chat that has a recording. For the caller's own chats, or any with the permission chats:read. WAV with two channels of µ-law at 8 kHz: the caller is on the left, the agent on the right. Ranges are answered. While the call goes on, the recording ends up to half a minute ago, and its ETag changes with each part that is added. 404: no call was recorded, or its recording was deleted.",
  access: workspaceMember({ scope: 'chats:read' }),
  query: Type.Object({
    phoneCallId: Type.Optional(Type.Integer({ ...Id, description: 'Another call of the chat' })),
  }),
  example: { params: { chat_id: demo.chatWithoutWorkflow } },
  response: { status: 200, file: true, description: 'The recording.' },
  handler: async ({ context, services, params, query }) => {
    const recording = await readRecording(context, params.chat_id, query.phoneCallId);
    const { bytes, sha256, callId } = recording;
    const workspaceUuid = params.workspace_uuid.toLowerCase();
    return {
      bytes,
      sha256,
      mimeType: 'audio/wav',
      filename: `call-${callId}.wav`,
      disposition: 'inline' as const,
      open: async (range: ByteRange | undefined) =>
        new RecordingBytes(
          recording,
          (uuid, part) => services.storage.read(objectKey(workspaceUuid, uuid), part),
          range,
        ),
    };
  },
});

export const recordingRoutes = [get];
