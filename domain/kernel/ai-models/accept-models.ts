import { InvalidInput } from '../../lib/errors.js';
import type { ModelType } from './entries.js';
import type { ModelCatalogue } from './model-catalogue.js';

/**
 * Checks the models that a request names and returns the ids to store. A deprecated model is stored as its replacement;
 * null and missing fields stay as they are. @throws InvalidInput naming the field
 */
export function acceptModels<Field extends string>(
  models: ModelCatalogue,
  input: Readonly<Partial<Record<NoInfer<Field>, string | null>>>,
  types: Readonly<Record<Field, ModelType>>,
): Partial<Record<Field, string | null>> {
  const accepted: Partial<Record<Field, string | null>> = {};
  for (const field of Object.keys(types) as Field[]) {
    const id = input[field];
    if (id !== undefined)
      accepted[field] = id === null ? null : acceptModel(models, types[field], id, `/${field}`);
  }
  return accepted;
}

function acceptModel(models: ModelCatalogue, type: ModelType, id: string, pointer: string): string {
  const model = models.find(id);
  if (model?.type !== type) {
    throw InvalidInput.field(pointer, `names no ${type} model of the catalogue`);
  }
  if (model.state === 'disabled') {
    throw InvalidInput.field(pointer, 'names a model that is disabled', 'model_unavailable');
  }
  const accepted = models.inPlaceOf(id);
  if (accepted === undefined) {
    throw InvalidInput.field(pointer, 'names a model that is not available here', 'model_unavailable');
  }
  return accepted.id;
}
