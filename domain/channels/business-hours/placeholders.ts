import { InvalidInput } from '../../lib/errors.js';

/** What texts may name that anybody hears who calls: nobody has proved who it is, so that nothing is of a member. */
export const placeholders = ['workspace.name', 'phone_number.name'] as const;
export type PlaceholderValues = Record<(typeof placeholders)[number], string>;

/** As in templates of tasks: `{{ workspace.name }}`. */
const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** @throws InvalidInput if the text has a placeholder that there is not, or one that does not end */
export function checkPlaceholders(text: string | null | undefined, pointer: string): void {
  if (text === null || text === undefined) return;
  const names = [...text.matchAll(placeholder)].map(([, name]) => name);
  const isKnown = names.every((name) => placeholders.some((known) => known === name));
  if (isKnown && !/\{\{|\}\}/.test(text.replace(placeholder, ''))) return;
  const known = placeholders.map((name) => `{{ ${name} }}`).join(' and ');
  throw InvalidInput.field(pointer, `may have the placeholders ${known} alone`);
}

export function fillPlaceholders(text: string, values: PlaceholderValues): string {
  return text.replace(placeholder, (whole, name: string) =>
    Object.hasOwn(values, name) ? values[name as keyof PlaceholderValues] : whole,
  );
}
