import { type CatalogueEntries, type ModelEntry, typeOf } from './entries.js';

/**
 * A catalogue with a deployment's own entries put in: an entry with an id that is there takes that one's place, and a
 * model that it recommends takes that from the one before.
 */
export function combineEntries(base: CatalogueEntries, own: Partial<CatalogueEntries>): CatalogueEntries {
  const { models = [], voices = [] } = own;
  const newlyRecommended = new Set(models.filter(({ recommended }) => recommended).map(typeOf));
  const before = base.models.map((model) => (newlyRecommended.has(typeOf(model)) ? plain(model) : model));
  return { models: replaced(before, models), voices: replaced(base.voices, voices) };
}

/** What is there with what is new in its place or, where it has none, at the end. Doubles in what is new stay. */
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
 * The catalogue with this chat model as the recommended one, which is added if it is not there. One that was replaced
 * recommends its replacement.
 */
export function recommendChatModel(entries: CatalogueEntries, id: string): CatalogueEntries {
  const found = entries.models.find((model) => model.id === id);
  const chosen = entries.models.find((model) => model.id === found?.replacement) ?? found ?? { id };
  return combineEntries(entries, { models: [{ ...chosen, recommended: true }] });
}

function plain({ recommended: _, ...model }: ModelEntry): ModelEntry {
  return model;
}
