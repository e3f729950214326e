/** The price factors of a model, relative to one AI unit. */
export const plainMultipliers = {
  multiplier: 1,
  inputMultiplier: 1,
  outputMultiplier: 1,
  cachedMultiplier: 1,
};
export type ModelMultipliers = typeof plainMultipliers;
