const keptForMs = 24 * 3_600_000;

/** Keys created up to this time are old: they have been kept for 24 hours. */
export function oldUntil(now: Date): Date {
  return new Date(now.getTime() - keptForMs);
}

export function isOld(createdAt: Date, now: Date): boolean {
  return createdAt <= oldUntil(now);
}
