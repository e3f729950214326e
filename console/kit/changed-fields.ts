export const fieldsOf = <T extends object>(some: T) => Object.keys(some) as (keyof T & string)[];

export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The changed fields that somebody else has changed too: their values are neither as before nor as they are changed. */
export function changedByOthersToo<T extends object>(changes: Partial<T>, before: Partial<T>, now: T) {
  return fieldsOf(changes).filter(
    (field) => !isSame(now[field], before[field]) && !isSame(now[field], changes[field]),
  );
}
