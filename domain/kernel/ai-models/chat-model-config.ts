import Type from 'typebox';
import { checkBySchema } from '../../lib/json-schema.js';

const Stop = Type.String({ minLength: 1, maxLength: 100 });

/**
 * The settings of a chat model that an assistant may have. Not allowed are settings whose cost is unbounded (`n`,
 * `service_tier`), that store conversations elsewhere (`store`) or that belong to the turn (`tools`, `messages`).
 */
export const ChatModelConfig = Type.Object(
  {
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
    top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    frequency_penalty: Type.Optional(Type.Number({ minimum: -2, maximum: 2 })),
    presence_penalty: Type.Optional(Type.Number({ minimum: -2, maximum: 2 })),
    max_completion_tokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 32_768 })),
    reasoning_effort: Type.Optional(Type.Enum(['minimal', 'low', 'medium', 'high'])),
    verbosity: Type.Optional(Type.Enum(['low', 'medium', 'high'])),
    stop: Type.Optional(Type.Array(Stop, { minItems: 1, maxItems: 4 })),
    seed: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
    parallel_tool_calls: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, description: 'Settings handed to the chat model' },
);

/** The settings that are sent to the model. Assistants of earlier releases may have others, which are dropped. */
export function usableChatModelConfig(config: Record<string, unknown>): Record<string, unknown> {
  const allowed: Record<string, object> = ChatModelConfig.properties;
  return Object.fromEntries(
    Object.entries(config).filter(([name, value]) => {
      const schema = Object.hasOwn(allowed, name) ? allowed[name] : undefined;
      return schema !== undefined && checkBySchema({ ...schema }, value).length === 0;
    }),
  );
}
