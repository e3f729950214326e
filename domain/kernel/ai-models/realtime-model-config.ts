import Type, { type Static } from 'typebox';
import { checkBySchema } from '../../lib/json-schema.js';

/** The settings of a realtime model that an assistant may have. Those that are left out are the model's. */
export const RealtimeModelConfig = Type.Object(
  {
    /** An id of the catalogue (`openai:voice:marin`) or the provider's name. */
    voice: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    turn_detection: Type.Optional(Type.Enum(['server_vad', 'semantic_vad'])),
    threshold: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    prefix_padding_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 5_000 })),
    silence_duration_ms: Type.Optional(Type.Integer({ minimum: 100, maximum: 10_000 })),
    eagerness: Type.Optional(Type.Enum(['low', 'medium', 'high', 'auto'])),
    noise_reduction: Type.Optional(Type.Enum(['near_field', 'far_field', 'none'])),
    /** Of transcripts: ISO 639-1. */
    language: Type.Optional(Type.String({ pattern: '^[a-z]{2}$' })),
    /** How long the caller may say nothing before the agent asks; 0: as long as it likes. */
    idle_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 600 })),
    /** How often in a row it asks before it hangs up. */
    idle_prompts: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
  },
  { additionalProperties: false, description: 'Settings of the realtime model' },
);
export type RealtimeModelConfig = Static<typeof RealtimeModelConfig>;

/** The settings that are used. Others, which assistants may have, are left out. */
export function usableRealtimeConfig(config: Record<string, unknown>): RealtimeModelConfig {
  const allowed: Record<string, object> = RealtimeModelConfig.properties;
  return Object.fromEntries(
    Object.entries(config).filter(([name, value]) => {
      const schema = Object.hasOwn(allowed, name) ? allowed[name] : undefined;
      return schema !== undefined && checkBySchema({ ...schema }, value).length === 0;
    }),
  );
}
