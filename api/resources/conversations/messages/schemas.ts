import Type, { type Static } from 'typebox';
import { deliveryFailureReasons } from '../../../../domain/channels/deliveries/failure-reasons.js';
import { mediaFailures, messageLimits } from '../../../../domain/files/attachments/limits.js';
import { type AnswerOf, Id, Nullable, OneOf, Picked, Timestamp, Uuid } from '../../../http/schemas.js';

export const maxText = 20_000;

const ShownContent = Nullable(
  Type.Union([
    Type.String(),
    Type.Array(Type.Record(Type.String(), Type.Unknown()), { description: 'OpenAI content parts' }),
  ]),
);

export const MessageFileResponse = Picked(
  {
    status: OneOf(['stored', 'awaited', 'failed'], {
      description:
        'stored: there is a file; awaited: media that the carrier announced and that are being fetched; failed: media that could not be fetched',
    }),
    id: Type.Optional(Type.Integer({ ...Id, description: 'Id of the file' })),
    uuid: Type.Optional(Uuid),
    filename: Type.Optional(Type.String({ description: 'Name of the file when the message was sent' })),
    mimeType: Type.Optional(Type.String()),
    fileSize: Type.Optional(Type.Integer({ minimum: 0 })),
    failureReason: Type.Optional(Type.String({ description: `One of: ${mediaFailures.join(', ')}.` })),
  },
  { $id: 'MessageFileResponse' },
);
export type MessageFileResponse = AnswerOf<typeof MessageFileResponse>;

const ToolCall = Type.Object({
  id: Type.String(),
  type: Type.String(),
  function: Type.Object({ name: Type.String(), arguments: Type.String() }),
});

const tokens = Type.Integer({ minimum: 0 });

const MessageTokenUsageResponse = Type.Object(
  {
    model: Type.String(),
    promptTokens: tokens,
    completionTokens: tokens,
    cachedTokens: tokens,
    totalTokens: tokens,
    credits: Type.Number({ minimum: 0 }),
  },
  { $id: 'MessageTokenUsageResponse' },
);

const AudioMetadata = Type.Object(
  {
    phoneCallId: { ...Id, description: 'The call in which it was said' },
    startMs: Type.Integer({
      minimum: 0,
      description: 'When it began, in milliseconds from the beginning of the recording of the call',
    }),
    endMs: Type.Integer({ minimum: 0, description: 'When it ended, on the same scale' }),
  },
  { description: 'When a message was said in a phone call; absent in messages that were written' },
);

export const OpenAIMessageResponse = Type.Object(
  {
    id: Uuid,
    role: OneOf(['user', 'assistant', 'system']),
    author: Type.Optional(
      OneOf(['member', 'person', 'agent', 'workflow', 'system'], {
        description:
          'Who wrote the message: the member of the chat; another person (memberId says who); the agent; a task of the workflow; or the service itself. Absent in messages of releases before this field.',
      }),
    ),
    content: ShownContent,
    files: Type.Optional(
      Type.Array(MessageFileResponse, {
        description: 'The files that came with the message, as they were then; absent without files',
      }),
    ),
    originalContent: Type.Optional(ShownContent),
    truncationReason: Type.Optional(Type.String()),
    truncatedAtMs: Type.Optional(Type.Integer()),
    tool_calls: Type.Array(ToolCall),
    tool_call_id: Type.Optional(Type.String()),
    suggestions: Type.Optional(
      Type.Array(Type.String({ maxLength: 60 }), {
        maxItems: 10,
        description:
          'Answers that the member may choose from, as plain text: an answer is sent like any other message. In web chats, with the ability suggest_answers',
      }),
    ),
    created_at: Timestamp,
    email_id: Type.Optional(Id),
    inbox_id: Type.Optional(Id),
    tokenUsage: Type.Optional(MessageTokenUsageResponse),
    memberId: Type.Optional(Id),
    taskId: Type.Optional(Id),
    smsDeliveryStatus: Type.Optional(OneOf(['sent', 'delivered', 'failed'])),
    smsDeliveryErrorCode: Type.Optional(Type.String()),
    smsDeliveryUpdatedAt: Type.Optional(Timestamp),
    smsDeliveryFailureReason: Type.Optional(
      Type.String({ description: `One of: ${deliveryFailureReasons.join(', ')}.` }),
    ),
    audioFileUuid: Type.Optional({
      ...Uuid,
      description:
        'UUID of the recording of the call in which it was said (`GET W/recordings/chat/{chat_id}/audio.wav`); absent where the call is not recorded',
    }),
    audioMetadata: Type.Optional(AudioMetadata),
    userRating: Type.Optional(Type.Number()),
    userRatingComment: Type.Optional(Type.String()),
  },
  { $id: 'OpenAIMessageResponse' },
);
export type OpenAIMessageResponse = AnswerOf<typeof OpenAIMessageResponse>;

export const MessageList = Type.Array(OpenAIMessageResponse);

const maxTranscriptLength = 1_000;

export const MessagePage = Type.Object({
  messages: MessageList,
  total: Type.Integer({ minimum: 0, description: 'The number of messages on all pages' }),
  totalCount: Type.Integer({ minimum: 0, deprecated: true, description: 'The former name of total' }),
  page: Type.Integer({ minimum: 1 }),
  pageSize: Type.Integer({ minimum: 1, maximum: maxTranscriptLength }),
  totalPages: Type.Integer({ minimum: 0 }),
});
export type MessagePage = AnswerOf<typeof MessagePage>;

const part = {
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 10 }),
  offset: Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0 }),
};

const total_count = Type.Boolean({
  default: false,
  description: 'Return an object with the messages and their total',
});

export const ListMessagesQuery = Type.Object({ ...part, total_count });
export type ListMessagesQuery = Static<typeof ListMessagesQuery>;

export const ListAssignmentMessagesQuery = Type.Object({
  ...part,
  limit: Type.Integer({ minimum: 1, maximum: maxTranscriptLength, default: maxTranscriptLength }),
  total_count,
});

export const ToolCallParams = Type.Object({
  workspace_uuid: Uuid,
  chat_id: Id,
  call_id: Type.String({ minLength: 1, maxLength: 200 }),
});

export const ListToolCallMessagesQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100 }),
  offset: Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0 }),
});

/** The bounds of `files` in a message. */
export const FilesOfMessage = { maxItems: messageLimits.files, uniqueItems: true } as const;

export const SendMessageRequest = Type.Object({
  role: Type.Optional(
    OneOf(['user'], {
      description:
        'What the message is in any case; a message of the assistant is sent by sendAssistantMessage',
    }),
  ),
  content: Type.Union([
    Type.String({ maxLength: maxText, description: 'May be empty in a message with files' }),
    Type.Array(
      Type.Object({ type: Type.Literal('text'), text: Type.String({ minLength: 1, maxLength: maxText }) }),
      { minItems: 1, maxItems: 20, description: 'OpenAI content parts' },
    ),
  ]),
  files: Type.Optional(
    Type.Array(Id, {
      ...FilesOfMessage,
      description:
        'Ids of files that the caller may read. The people in the chat may read them from then on, and the agent is shown images and told of the others. Needs the scope files:read',
    }),
  ),
});
