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
 * (specification, "AI model catalogue entry": 1 credit equals 1 AI unit), to a millionth of a credit.
 */
export function creditsOf(tokens: CountedTokens, model: ModelMultipliers): number {
  // Not every provider counts consistently, and nobody is paid for being asked.
  const cached = Math.min(tokens.cachedTokens, tokens.promptTokens);
  const weighed =
    (tokens.promptTokens - cached) * model.inputMultiplier +
    cached * model.cachedMultiplier +
    tokens.completionTokens * model.outputMultiplier;
  return roundCredits((weighed / 1_000) * model.multiplier);
}

/** Credits to the millionth: what binary fractions leave behind is gone, and sums do not depend on their order. */
export function roundCredits(credits: number): number {
  return Math.round(credits * 1_000_000) / 1_000_000;
}
