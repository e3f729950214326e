/** What a model's tokens cost, relative to one AI unit. */
export interface ModelMultipliers {
  multiplier: number;
  inputMultiplier: number;
  outputMultiplier: number;
  cachedMultiplier: number;
}

export const plainMultipliers: ModelMultipliers = {
  multiplier: 1,
  inputMultiplier: 1,
  outputMultiplier: 1,
  cachedMultiplier: 1,
};

export interface CountedTokens {
  promptTokens: number;
  completionTokens: number;
  /** The part of the prompt tokens that the provider had cached. */
  cachedTokens: number;
}

/**
 * Credits of one model call: tokens in thousands, each kind by its own multiplier, all by the model's
 * (specification, "AI model catalogue entry": 1 credit equals 1 AI unit).
 */
export function creditsOf(tokens: CountedTokens, model: ModelMultipliers = plainMultipliers): number {
  const weighed =
    (tokens.promptTokens - tokens.cachedTokens) * model.inputMultiplier +
    tokens.cachedTokens * model.cachedMultiplier +
    tokens.completionTokens * model.outputMultiplier;
  return (weighed / 1_000) * model.multiplier;
}
