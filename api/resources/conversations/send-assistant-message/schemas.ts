import Type from 'typebox';
import { Id, Timestamp, Uuid } from '../../../http/schemas.js';
import { maxText } from '../messages/schemas.js';

export const SendAssistantMessageRequest = Type.Object({
  message: Type.String({
    minLength: 1,
    maxLength: maxText,
    description: 'The text for the member; at most 1,600 characters in an SMS chat',
  }),
  tool_calls: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.Optional(
          Type.String({ maxLength: 200, description: 'Ignored: the service assigns its own ids' }),
        ),
        type: Type.Literal('function'),
        function: Type.Object({
          name: Type.String({ minLength: 1, maxLength: 64 }),
          arguments: Type.String({ maxLength: maxText, description: 'A JSON object' }),
        }),
      }),
      { maxItems: 10, description: 'OpenAI tool calls of tools that the agent has in the chat at present' },
    ),
  ),
});

export const SendAssistantMessageResponse = Type.Object(
  {
    success: Type.Literal(true),
    message: Type.Object({
      id: Id,
      uuid: Uuid,
      role: Type.Literal('assistant'),
      content: Type.String(),
      timestamp: Timestamp,
    }),
  },
  { $id: 'SendAssistantMessageResponse' },
);
