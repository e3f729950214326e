import { builtInEntries } from '../../../domain/kernel/ai-models/built-in-entries.js';
import { type CatalogueEntries, combineEntries } from '../../../domain/kernel/ai-models/entries.js';
import { ModelCatalogue } from '../../../domain/kernel/ai-models/model-catalogue.js';

/** The catalogue as the service comes with it, its provider configured, with the test's own entries put in. */
/** A catalogue without a realtime model that can be used: calls are held by text. */
export function catalogueWithoutRealtime(): ModelCatalogue {
  const models = builtInEntries.models
    .filter(({ id }) => id.split(':')[1] === 'realtime')
    .map(({ recommended: _, replacement: __, ...model }) => ({ ...model, state: 'disabled' as const }));
  return catalogueWith({ models });
}

export function catalogueWith(
  own: Partial<CatalogueEntries> = {},
  configured: readonly string[] = ['openai'],
): ModelCatalogue {
  return new ModelCatalogue(combineEntries(builtInEntries, own), configured);
}
