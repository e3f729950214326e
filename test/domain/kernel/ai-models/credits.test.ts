import { describe, expect, it } from 'vitest';
import { creditsOf, priceCall } from '../../../../domain/kernel/ai-models/credits.js';
import { plainMultipliers } from '../../../../domain/kernel/ai-models/multipliers.js';
import { catalogueWith } from '../../../support/lib/models.js';

const tokens = { promptTokens: 1_000, completionTokens: 100, cachedTokens: 400 };

describe('creditsOf', () => {
  it('is a thousandth of the tokens when every multiplier is 1', () => {
    expect(creditsOf(tokens, plainMultipliers)).toBe(1.1);
  });

  it('weighs each kind of token by its multiplier, with cached tokens as a part of the prompt', () => {
    const multipliers = { multiplier: 2, inputMultiplier: 3, outputMultiplier: 5, cachedMultiplier: 0.5 };

    // (600 × 3 + 400 × 0.5 + 100 × 5) / 1000 × 2
    expect(creditsOf(tokens, multipliers)).toBe(5);
  });

  it('is rounded to the millionth, the same for the same tokens', () => {
    const third = { ...plainMultipliers, multiplier: 1 / 3 };

    expect(creditsOf({ promptTokens: 1, completionTokens: 0, cachedTokens: 0 }, third)).toBe(0.000333);
    expect(creditsOf({ promptTokens: 700, completionTokens: 0, cachedTokens: 0 }, plainMultipliers)).toBe(
      0.7,
    );
    // 0.1 + 0.2 is more than 0.3 in binary floating point.
    const tenths = { ...plainMultipliers, inputMultiplier: 0.1, outputMultiplier: 0.2 };
    expect(creditsOf({ promptTokens: 1_000, completionTokens: 1_000, cachedTokens: 0 }, tenths)).toBe(0.3);
  });

  it('never falls below the price of the prompt for more cached tokens than the prompt had', () => {
    expect(creditsOf({ promptTokens: 10, completionTokens: 0, cachedTokens: 400 }, plainMultipliers)).toBe(
      0.01,
    );
  });
});

describe('priceCall', () => {
  const id = 'openai:chat:gpt-4.1';

  it('returns the price by the catalogue, with the multipliers that it used', () => {
    const multipliers = { multiplier: 5, inputMultiplier: 1, outputMultiplier: 4, cachedMultiplier: 0.25 };

    // (600 + 100 + 400) / 1000 × 5
    expect(priceCall(catalogueWith(), id, tokens)).toEqual({ modelId: id, credits: 5.5, ...multipliers });
  });

  it('follows an entry of the deployment', () => {
    const dearer = catalogueWith({ models: [{ id, multiplier: 100 }] });

    expect(priceCall(dearer, id, tokens).credits).toBe(110);
  });
});
