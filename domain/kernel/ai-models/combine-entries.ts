import { type CatalogueEntries, type ModelEntry, typeOf } from './entries.js';

/**
 * Merges a deployment's own entries into a catalogue. An entry replaces the one with the same id, and a model that is
 * marked as recommended takes over the recommendation of its type.
 */
export function combineEntries(base: CatalogueEntries, own: Partial<CatalogueEntries>): CatalogueEntries {
  const { models = [], voices = [] } = own;
  const newlyRecommended = new Set(models.filter(({ recommended }) => recommended).map(typeOf));
  const before = base.models.map((model) => (newlyRecommended.has(typeOf(model)) ? plain(model) : model));
  return { models: replaced(before, models), voices: replaced(base.voices, voices) };
}

/**
 * Replaces entries with the same id in place and appends the others. Duplicates among the new entries stay, so that
 * `checkEntries` can report them.
 */
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

/**
 * Recommends this chat model, and adds it if the catalogue lacks it. If the model has a replacement, the replacement is
 * recommended instead.
 */
export function recommendChatModel(entries: CatalogueEntries, id: string): CatalogueEntries {
  const found = entries.models.find((model) => model.id === id);
  const chosen = entries.models.find((model) => model.id === found?.replacement) ?? found ?? { id };
  return combineEntries(entries, { models: [{ ...chosen, recommended: true }] });
}

function plain({ recommended: _, ...model }: ModelEntry): ModelEntry {
  return model;
}
