import { checkBySchema } from '../../lib/json-schema.js';
import { CatalogueEntries, type ModelEntry, modelTypes, partsOf, typeOf } from './entries.js';

const tokenFields = ['inputMultiplier', 'outputMultiplier', 'cachedMultiplier'] as const;
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
