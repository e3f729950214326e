import { InvalidInput } from '../../lib/errors.js';
import type { ModelsContext } from '../context.js';
import type { ModelType } from './entries.js';
import type { AiModel, ModelCatalogue, Voice } from './model-catalogue.js';

interface ModelFilter {
  type?: ModelType;
  provider?: string | undefined;
  /** Default false: only models that can be used here. */
  includeUnavailable?: boolean;
}

/** In the order of the catalogue. @throws InvalidInput for a provider that it does not have */
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
function requireProvider(models: ModelCatalogue, provider: string | undefined): void {
  if (provider === undefined || models.providers.has(provider)) return;
  throw InvalidInput.field('/provider', 'names no provider of the catalogue');
}

/** @throws InvalidInput for a provider that the catalogue does not have */
export function listVoices(
  { models }: Pick<ModelsContext, 'models'>,
  filter: { provider?: string | undefined },
): Voice[] {
  requireProvider(models, filter.provider);
  return models.voices.filter(
    ({ provider }) => filter.provider === undefined || provider === filter.provider,
  );
}
