import Type, { type Static } from 'typebox';
import { checkBySchema } from '../../lib/json-schema.js';

/** Specification, "AI model catalogue entry". */
export const modelTypes = ['chat', 'realtime', 'image', 'stt', 'tts'] as const;
export type ModelType = (typeof modelTypes)[number];

export const modelStates = ['enabled', 'disabled', 'deprecated'] as const;
export type ModelState = (typeof modelStates)[number];

const provider = '[a-z0-9_-]+';
const maxIdLength = 200;
const modelId = Type.String({
  pattern: `^${provider}:(${modelTypes.join('|')}):\\S+$`,
  maxLength: maxIdLength,
});
const voiceId = Type.String({ pattern: `^${provider}:voice:\\S+$`, maxLength: maxIdLength });
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
    /** For chat models: whether images can be shown to the model. Default false. */
    images: Type.Optional(Type.Boolean()),
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

const tokenFields = ['inputMultiplier', 'outputMultiplier', 'cachedMultiplier'] as const;
const chatFields = ['images'] as const;
const realtimeFields = ['voices', 'serverVad', 'clientVad'] as const;

/** Validates the shape of a catalogue from outside; both lists are optional. */
export function checkShape(value: unknown): string[] {
  const schema = { ...CatalogueEntries, required: [] };
  return checkBySchema(schema, value).map(({ pointer, message }) => `${pointer || 'the file'} ${message}`);
}

/** Checks a catalogue with a valid shape as a whole. Each problem is a sentence. */
export function checkEntries(entries: CatalogueEntries): string[] {
  const ids = [...entries.models, ...entries.voices].map(({ id }) => id);
  const doubled = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  return [
    ...[...doubled].map((id) => `${id} is there more than once`),
    ...entries.models.flatMap((model) => checkModel(model, entries)),
    ...modelTypes.flatMap((type) => {
      const recommended = entries.models.filter((model) => model.recommended && typeOf(model) === type);
      return recommended.length > 1 ? [`more than one ${type} model is recommended`] : [];
    }),
  ];
}

function checkModel(model: ModelEntry, entries: CatalogueEntries): string[] {
  const state = model.state ?? 'enabled';
  const type = typeOf(model);
  const errors: string[] = [];
  if (model.recommended && state !== 'enabled') errors.push('is recommended and has to be enabled');
  if (state === 'enabled' && model.replacement !== undefined) errors.push('is enabled and has a replacement');
  if (state === 'deprecated' && model.replacement === undefined)
    errors.push('is deprecated without a replacement');
  if (model.replacement !== undefined) errors.push(...checkReplacement(model, model.replacement, entries));

  const foreign = [
    ...(type === 'chat' || type === 'realtime' ? [] : tokenFields),
    ...(type === 'chat' ? [] : chatFields),
    ...(type === 'realtime' ? [] : realtimeFields),
  ].filter((field) => model[field] !== undefined);
  errors.push(...foreign.map((field) => `has ${field}, which ${type} models have not`));

  const voices = new Set(entries.voices.map(({ id }) => id));
  const unknown = (model.voices ?? []).filter((id) => !voices.has(id));
  errors.push(...unknown.map((id) => `has the voice ${id}, which is not there`));
  return errors.map((error) => `${model.id} ${error}`);
}

function checkReplacement(model: ModelEntry, id: string, entries: CatalogueEntries): string[] {
  if (partsOf(id).type !== typeOf(model)) return ['has a replacement of another type'];
  const replacement = entries.models.find((candidate) => candidate.id === id);
  if (replacement === undefined) return [`has the replacement ${id}, which is not there`];
  return replacement.state === 'deprecated' ? [`has the replacement ${id}, which is deprecated itself`] : [];
}

/**
 * Merges a deployment's own entries into a catalogue. An entry replaces the one with the same id, and a model that is
 * marked as recommended takes over the recommendation of its type.
 */
export function combineEntries(base: CatalogueEntries, own: Partial<CatalogueEntries>): CatalogueEntries {
  const { models = [], voices = [] } = own;
  const newlyRecommended = new Set(models.filter(({ recommended }) => recommended).map(typeOf));
  const before = base.models.map((model) => {
    const { recommended: _, ...plain } = model;
    return newlyRecommended.has(typeOf(model)) ? plain : model;
  });
  return { models: replaced(before, models), voices: replaced(base.voices, voices) };
}

/** In place where the id is the same. Duplicates among the new entries stay, so that `checkEntries` can report them. */
function replaced<Entry extends { id: string }>(before: readonly Entry[], own: readonly Entry[]): Entry[] {
  const known = new Set(before.map(({ id }) => id));
  return [
    ...before.flatMap((entry) => {
      const instead = own.filter(({ id }) => id === entry.id);
      return instead.length === 0 ? [entry] : instead;
    }),
    ...own.filter(({ id }) => !known.has(id)),
  ];
}

/** Recommends this chat model, or its replacement, and adds it if the catalogue lacks it. */
export function recommendChatModel(entries: CatalogueEntries, id: string): CatalogueEntries {
  const found = entries.models.find((model) => model.id === id);
  const chosen = entries.models.find((model) => model.id === found?.replacement) ?? found ?? { id };
  return combineEntries(entries, { models: [{ ...chosen, recommended: true }] });
}

/** The provider's own name of a model. */
export function modelName(modelId: string): string {
  return partsOf(modelId).name || modelId;
}
