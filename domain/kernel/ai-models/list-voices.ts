import type { ModelsContext } from '../context.js';
import { requireProvider } from './list-models.js';
import type { Voice } from './model-catalogue.js';

/** The voices that can be used here. @throws InvalidInput for a provider that the catalogue does not have */
export function listVoices(
  { models }: Pick<ModelsContext, 'models'>,
  filter: { provider?: string | undefined },
): Voice[] {
  requireProvider(models, filter.provider);
  return models.voices.filter(
    ({ provider }) => filter.provider === undefined || provider === filter.provider,
  );
}
