import { InvalidInput } from './errors.js';

/** Slugs of labels: lower-case letters, digits, `-` and `_`. */
export const labelSlugPattern = '^[a-z0-9][a-z0-9_-]{0,62}$';

/**
 * The slug of a label that was given none: its name, without accents and with hyphens for all that a slug cannot have.
 *
 * @throws InvalidInput when nothing of the name is left
 */
export function slugOfName(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .slice(0, 63)
    .replace(/^[-_]+|-+$/g, '');
  if (slug === '') throw InvalidInput.field('/slug', 'is required, as none can be made of this name');
  return slug;
}
