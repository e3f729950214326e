import type { ModelCatalogue } from './model-catalogue.js';
import { type ModelMultipliers, plainMultipliers } from './multipliers.js';

interface CountedTokens {
  promptTokens: number;
  completionTokens: number;
  /** The prompt tokens that the provider served from its cache. */
  cachedTokens: number;
}

/**
 * The credits of one model call, to a millionth of a credit: thousands of tokens, weighted by the multiplier of each
 * kind, times the multiplier of the model (specification, "AI model catalogue entry": 1 credit equals 1 AI unit).
 */
export function creditsOf(tokens: CountedTokens, model: ModelMultipliers): number {
  // Not every provider counts consistently: a wrong count of cached tokens must not make the credits negative.
  const cached = Math.min(tokens.cachedTokens, tokens.promptTokens);
  const weighed =
    (tokens.promptTokens - cached) * model.inputMultiplier +
    cached * model.cachedMultiplier +
    tokens.completionTokens * model.outputMultiplier;
  return roundCredits((weighed / 1_000) * model.multiplier);
}

/** Rounds to a millionth, which removes binary rounding errors, so that sums do not depend on their order. */
export function roundCredits(credits: number): number {
  return Math.round(credits * 1_000_000) / 1_000_000;
}

/** The cost of a model call, and the multipliers that it was computed with. */
export interface PricedCall extends ModelMultipliers {
  modelId: string;
  credits: number;
}

/** Credits and multipliers are stored with the call, so that its cost does not change with the catalogue. */
export function priceCall(models: ModelCatalogue, modelId: string, tokens: CountedTokens): PricedCall {
  const { multiplier, inputMultiplier, outputMultiplier, cachedMultiplier } =
    models.find(modelId) ?? plainMultipliers;
  const multipliers = { multiplier, inputMultiplier, outputMultiplier, cachedMultiplier };
  return { modelId, credits: creditsOf(tokens, multipliers), ...multipliers };
}
