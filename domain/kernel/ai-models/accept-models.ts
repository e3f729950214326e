import { InvalidInput } from '../../lib/errors.js';
import type { ModelType } from './entries.js';
import type { ModelCatalogue } from './model-catalogue.js';

/**
 * The models that a request asks for, as they are kept: each itself, or its replacement when it is deprecated. Null,
 * and what is left out, stay so.
 *
 * @param types the request's fields, with the type of model that each names
 * @throws InvalidInput naming the field: unknown, of another type, disabled, or of a provider that is not configured
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
  if (model === undefined || model.type !== type) {
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
