type Present<T> = { [Key in keyof T]?: NonNullable<T[Key]> };

/** Optional fields that have no value are absent from an answer (design section 9). */
export function omitNullish<T extends Record<string, unknown>>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as Present<T>;
}
