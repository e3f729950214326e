import Type, { type Static } from 'typebox';
import { checkBySchema } from '../../lib/json-schema.js';

/** The settings of a realtime model that an assistant may have. Those that are left out are the model's. */
export const RealtimeModelConfig = Type.Object(
  {
    voice: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: "An id of the catalogue (openai:voice:marin), or the provider's name of the voice",
      }),
    ),
    turn_detection: Type.Optional(
      Type.Enum(['server_vad', 'semantic_vad'], {
        description:
          'How the end of what the caller says is recognised: by silence (server_vad, the default), or by what is said (semantic_vad)',
      }),
    ),
    threshold: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, description: 'Of server_vad: how loud speech is at least' }),
    ),
    prefix_padding_ms: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 5_000,
        description: 'Of server_vad: how much of the sound before speech belongs to it',
      }),
    ),
    silence_duration_ms: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: 10_000,
        description: 'Of server_vad: the silence after which the caller has finished',
      }),
    ),
    eagerness: Type.Optional(
      Type.Enum(['low', 'medium', 'high', 'auto'], {
        description: 'Of semantic_vad: how soon the agent answers',
      }),
    ),
    noise_reduction: Type.Optional(
      Type.Enum(['near_field', 'far_field', 'none'], {
        description:
          'Of the sound of the caller: for a phone at the mouth (near_field, the default), or at a distance',
      }),
    ),
    language: Type.Optional(
      Type.String({
        pattern: '^[a-z]{2}$',
        maxLength: 2,
        description: 'The language of the transcripts: ISO 639-1',
      }),
    ),
    idle_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 600,
        description:
          'How long the caller may say nothing before the agent asks. Default 12; 0: as long as the caller likes',
      }),
    ),
    idle_prompts: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10,
        description: 'How often in a row the agent asks a silent caller before it hangs up. Default 2',
      }),
    ),
  },
  { additionalProperties: false, description: 'Settings of the agent in calls' },
);
export type RealtimeModelConfig = Static<typeof RealtimeModelConfig>;

/** The settings that are used. Assistants of earlier releases may have others, which are dropped. */
export function usableRealtimeConfig(config: Record<string, unknown>): RealtimeModelConfig {
  const allowed: Record<string, object> = RealtimeModelConfig.properties;
  return Object.fromEntries(
    Object.entries(config).filter(([name, value]) => {
      const schema = Object.hasOwn(allowed, name) ? allowed[name] : undefined;
      return schema !== undefined && checkBySchema({ ...schema }, value).length === 0;
    }),
  );
}
