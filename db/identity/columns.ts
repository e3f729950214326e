/** Returns `{camelCase: 'camel_case'}` for the given fields, the form in which knex selects and returns them. */
export function aliases(fields: readonly string[], table?: string): Record<string, string> {
  const prefix = table === undefined ? '' : `${table}.`;
  return Object.fromEntries(fields.map((field) => [field, prefix + snakeCase(field)]));
}

/** Returns a row to write: column names for field names, without undefined fields. */
export function columns(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => [snakeCase(field), value]),
  );
}

function snakeCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
