import { InvalidInput } from './errors.js';

/** Slugs of labels: lower-case letters, digits, `-` and `_`. */
export const labelSlugPattern = '^[a-z0-9][a-z0-9_-]{0,62}$';

/**
 * Derives the slug of a label from its name: removes accents and replaces all characters that a slug cannot contain
 * with hyphens.
 *
 * @throws InvalidInput if nothing of the name is left
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
