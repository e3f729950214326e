import { type CountedTokens, creditsOf, type ModelMultipliers, plainMultipliers } from './credits.js';
import type { ModelCatalogue } from './model-catalogue.js';

/** The cost of a model call, and the multipliers that it was computed with. */
export interface PricedCall extends ModelMultipliers {
  modelId: string;
  credits: number;
}

/**
 * Computes the credits of a call from the current catalogue. Credits and multipliers are stored with the call, so that
 * its cost does not change with the catalogue.
 */
export function priceCall(models: ModelCatalogue, modelId: string, tokens: CountedTokens): PricedCall {
  const { multiplier, inputMultiplier, outputMultiplier, cachedMultiplier } =
    models.find(modelId) ?? plainMultipliers;
  const multipliers = { multiplier, inputMultiplier, outputMultiplier, cachedMultiplier };
  return { modelId, credits: creditsOf(tokens, multipliers), ...multipliers };
}
