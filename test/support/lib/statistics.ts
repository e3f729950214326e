export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** The value that so many percent of the values do not exceed (nearest rank). @throws for no values */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  const found = sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
  if (found === undefined) throw new Error('nothing was measured');
  return found;
}
