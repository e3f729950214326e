type Present<T> = { [Key in keyof T]?: NonNullable<T[Key]> };

/** Omits optional fields without a value from an answer. */
export function omitNullish<T extends Record<string, unknown>>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as Present<T>;
}
