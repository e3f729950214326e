import { randomBytes } from 'node:crypto';
import { normalizeEmail } from '../../lib/email.js';
import { type FieldError, InvalidInput } from '../../lib/errors.js';

export interface OrganizationAttributes {
  name?: string;
  slug?: string;
  joinDomains?: string[];
}

/** As in host names, so that a slug can become one. */
export const slugPattern = '^[a-z0-9]+(-[a-z0-9]+)*$';
export const minSlugLength = 3;
export const maxSlugLength = 63;
/** The name in `/api/v2/public/{name}`. */
export const publicPathPattern = slugPattern;
export const maxJoinDomains = 20;

/** Words that look like a part of the service, or that mail and web servers give a meaning of their own. */
const reserved = new Set(
  'about account accounts admin administrator api app apps assets auth billing callback config console dashboard demo dev docs health help home hooks host hostmaster internal join localhost login logout mail mcp me membership metrics new null oauth official organization organizations org orgs postmaster public registry root security service settings signin signup sso static status support system team test undefined webhooks webmaster well-known workspace workspaces www'.split(
    ' ',
  ),
);
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Validates attributes and returns them in stored form. @throws InvalidInput with every problem */
export function checkOrganizationAttributes<Attributes extends OrganizationAttributes>(
  attributes: Attributes,
): Attributes {
  const checked = { ...attributes };
  const errors: FieldError[] = [];
  if (attributes.name !== undefined) {
    checked.name = attributes.name.trim();
    if (checked.name === '') errors.push({ pointer: '/name', message: 'must not be empty' });
  }
  // A slug in the form of a UUID would be taken for the UUID of another organization.
  if (attributes.slug !== undefined && isReserved(attributes.slug)) {
    errors.push({ pointer: '/slug', message: 'is reserved' });
  }
  if (attributes.joinDomains !== undefined) {
    checked.joinDomains = [...new Set(attributes.joinDomains.map((domain) => domain.toLowerCase()))];
    for (const [index, domain] of checked.joinDomains.entries()) {
      if (normalizeEmail(`person@${domain}`) !== null) continue;
      errors.push({ pointer: `/joinDomains/${index}`, message: 'must be a domain such as example.com' });
    }
  }
  if (errors.length > 0) throw InvalidInput.fields(errors);
  return checked;
}

function isReserved(slug: string): boolean {
  return reserved.has(slug) || uuidForm.test(slug);
}

const attemptsAtSlug = 5;

/** Slugs to try for a name: its letters and digits, then the same with a random suffix. */
export function organizationSlugsFrom(name: string): string[] {
  const letters = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 50)
    .replace(/^-+|-+$/g, '');
  const isUsable = letters.length >= minSlugLength && !isReserved(letters);
  const base = isUsable ? letters : `organization${letters === '' ? '' : `-${letters}`}`;
  const suffix = () => randomBytes(4).toString('hex');
  return [base, ...Array.from({ length: attemptsAtSlug - 1 }, () => `${base}-${suffix()}`)];
}

export function organizationSlugTaken(): InvalidInput {
  return InvalidInput.field('/slug', 'Another organization has this slug.', 'duplicate');
}
