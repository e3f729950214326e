import Type, { type Static } from 'typebox';

/** The types of model that the catalogue has (specification, "AI model catalogue entry"). */
export const modelTypes = ['chat', 'realtime', 'image', 'stt', 'tts'] as const;
export type ModelType = (typeof modelTypes)[number];

export const modelStates = ['enabled', 'disabled', 'deprecated'] as const;
export type ModelState = (typeof modelStates)[number];

const provider = '[a-z0-9_-]+';
const longestId = 200;
const modelId = Type.String({
  pattern: `^${provider}:(${modelTypes.join('|')}):\\S+$`,
  maxLength: longestId,
});
const voiceId = Type.String({ pattern: `^${provider}:voice:\\S+$`, maxLength: longestId });
const multiplier = Type.Number({ minimum: 0, maximum: 1_000_000 });
const description = Type.String({ minLength: 1, maxLength: 500 });
const closed = { additionalProperties: false };

/** A model as it is written down. Provider, type and name are those of its id. */
const ModelEntry = Type.Object(
  {
    /** `<provider>:<type>:<name>`; the name is the provider's own. */
    id: modelId,
    description: Type.Optional(description),
    /** Default enabled. */
    state: Type.Optional(Type.Enum(modelStates)),
    /** The one to take where nothing else is said; one of each type at most. */
    recommended: Type.Optional(Type.Boolean()),
    /** Takes its place, now that it is deprecated or disabled. */
    replacement: Type.Optional(modelId),
    /** Credits for 1000 tokens (chat, realtime), an image, a minute of audio (stt), 1000 characters (tts). Default 1. */
    multiplier: Type.Optional(multiplier),
    /** Of models that are paid by tokens: how the kinds of token weigh against each other. Default 1. */
    inputMultiplier: Type.Optional(multiplier),
    outputMultiplier: Type.Optional(multiplier),
    cachedMultiplier: Type.Optional(multiplier),
    /** Of realtime models: ids of the voices it speaks with itself. */
    voices: Type.Optional(Type.Array(voiceId, { maxItems: 200 })),
    /** Of realtime models: whether it notices by itself that somebody speaks. Default false. */
    serverVad: Type.Optional(Type.Boolean()),
    /** Of realtime models: whether that can be left to the client. Default false. */
    clientVad: Type.Optional(Type.Boolean()),
  },
  closed,
);
export type ModelEntry = Static<typeof ModelEntry>;

/** A voice as it is written down: `<provider>:voice:<name>`. */
const VoiceEntry = Type.Object({ id: voiceId, description }, closed);
export type VoiceEntry = Static<typeof VoiceEntry>;

/** A catalogue as it is written down, here or in a deployment's own file. */
export const CatalogueEntries = Type.Object(
  {
    models: Type.Array(ModelEntry, { maxItems: 1_000 }),
    voices: Type.Array(VoiceEntry, { maxItems: 1_000 }),
  },
  closed,
);
export interface CatalogueEntries {
  models: readonly ModelEntry[];
  voices: readonly VoiceEntry[];
}

/** The parts of an id `<provider>:<type>:<name>`; a name may have colons of its own. */
export function partsOf(id: string): { provider: string; type: string; name: string } {
  const [provider = '', type = '', ...name] = id.split(':');
  return { provider, type, name: name.join(':') };
}

/** The type that a model's id names. */
export function typeOf({ id }: ModelEntry): ModelType {
  return partsOf(id).type as ModelType;
}
