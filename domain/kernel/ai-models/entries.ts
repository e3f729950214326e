import Type, { type Static } from 'typebox';

/** The model types of the catalogue (specification, "AI model catalogue entry"). */
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

/** A model as written in a catalogue. Its provider, type and name are parts of its id. */
const ModelEntry = Type.Object(
  {
    /** `<provider>:<type>:<name>`, where the name is the one that the provider uses. */
    id: modelId,
    description: Type.Optional(description),
    /** Default enabled. */
    state: Type.Optional(Type.Enum(modelStates)),
    /** The default choice of its type; at most one model of each type. */
    recommended: Type.Optional(Type.Boolean()),
    /** The id of the model that replaces this one when it is deprecated or disabled. */
    replacement: Type.Optional(modelId),
    /** Credits per 1000 tokens (chat, realtime), image, minute of audio (stt) or 1000 characters (tts). Default 1. */
    multiplier: Type.Optional(multiplier),
    /** For models billed by tokens: the relative weights of the kinds of token. Default 1. */
    inputMultiplier: Type.Optional(multiplier),
    outputMultiplier: Type.Optional(multiplier),
    cachedMultiplier: Type.Optional(multiplier),
    /** For realtime models: ids of the voices that the model itself can use. */
    voices: Type.Optional(Type.Array(voiceId, { maxItems: 200 })),
    /** For realtime models: whether the model detects speech itself. Default false. */
    serverVad: Type.Optional(Type.Boolean()),
    /** For realtime models: whether speech detection can be left to the client. Default false. */
    clientVad: Type.Optional(Type.Boolean()),
  },
  closed,
);
export type ModelEntry = Static<typeof ModelEntry>;

/** A voice as written in a catalogue: `<provider>:voice:<name>`. */
const VoiceEntry = Type.Object({ id: voiceId, description }, closed);
export type VoiceEntry = Static<typeof VoiceEntry>;

/** A catalogue as written, built in or in a deployment's own file. */
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

/** Splits an id `<provider>:<type>:<name>`; the name may contain colons. */
export function partsOf(id: string): { provider: string; type: string; name: string } {
  const [provider = '', type = '', ...name] = id.split(':');
  return { provider, type, name: name.join(':') };
}

export function typeOf({ id }: ModelEntry): ModelType {
  return partsOf(id).type as ModelType;
}
