import { InvalidInput } from '../../lib/errors.js';
import type { ModelsContext } from '../context.js';
import type { ModelType } from './entries.js';
import type { AiModel, ModelCatalogue } from './model-catalogue.js';

export interface ModelFilter {
  type?: ModelType;
  provider?: string | undefined;
  /** Default false: only models that can be used here. */
  includeUnavailable?: boolean;
}

/** The models of the catalogue, in its order. @throws InvalidInput for a provider that the catalogue does not have */
export function listModels({ models }: Pick<ModelsContext, 'models'>, filter: ModelFilter): AiModel[] {
  requireProvider(models, filter.provider);
  return models.models.filter(
    (model) =>
      (filter.type === undefined || model.type === filter.type) &&
      (filter.provider === undefined || model.provider === filter.provider) &&
      (model.available || filter.includeUnavailable === true),
  );
}

/** @throws InvalidInput for a provider that the catalogue does not have */
export function requireProvider(models: ModelCatalogue, provider: string | undefined): void {
  if (provider === undefined || models.providers.has(provider)) return;
  throw InvalidInput.field('/provider', 'names no provider of the catalogue');
}
