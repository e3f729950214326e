/** `{camelCase: 'camel_case'}` for the given fields, in the form knex selects and returns them by. */
export function aliases(fields: readonly string[], table?: string): Record<string, string> {
  const prefix = table === undefined ? '' : `${table}.`;
  return Object.fromEntries(fields.map((field) => [field, prefix + snakeCase(field)]));
}

/** A row to write: column names from field names, fields that are undefined left out. */
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
