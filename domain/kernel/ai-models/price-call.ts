import { type CountedTokens, creditsOf, type ModelMultipliers, plainMultipliers } from './credits.js';
import type { ModelCatalogue } from './model-catalogue.js';

/** What a model call cost, with the multipliers it was reckoned by. */
export interface PricedCall extends ModelMultipliers {
  modelId: string;
  credits: number;
}

/**
 * The credits of a call by the catalogue of now. It is kept with the call, multipliers and all, so that what a call
 * cost stays what it was when the catalogue changes.
 */
export function priceCall(models: ModelCatalogue, modelId: string, tokens: CountedTokens): PricedCall {
  const { multiplier, inputMultiplier, outputMultiplier, cachedMultiplier } =
    models.find(modelId) ?? plainMultipliers;
  const multipliers = { multiplier, inputMultiplier, outputMultiplier, cachedMultiplier };
  return { modelId, credits: creditsOf(tokens, multipliers), ...multipliers };
}
