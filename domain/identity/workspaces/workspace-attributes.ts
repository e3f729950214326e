import { isSupportedCountry } from 'libphonenumber-js';
import type { WorkspaceRow } from '../../../db/identity/models/workspace.js';
import { type FieldError, InvalidInput } from '../../lib/errors.js';
import { canonicalLocale, isTimezone } from '../../lib/locales.js';

export type WorkspaceAttributes = Partial<
  Pick<WorkspaceRow, 'name' | 'slug' | 'defaultRegion' | 'locale' | 'timezone'>
>;

/** Validates attributes and returns them in stored form. @throws InvalidInput with every problem */
export function checkWorkspaceAttributes<Attributes extends WorkspaceAttributes>(
  attributes: Attributes,
): Attributes {
  const checked = { ...attributes };
  const errors: FieldError[] = [];
  if (attributes.name !== undefined) {
    checked.name = attributes.name.trim();
    if (checked.name === '') errors.push({ pointer: '/name', message: 'must not be empty' });
  }
  if (attributes.defaultRegion !== undefined && !isSupportedCountry(attributes.defaultRegion)) {
    errors.push({ pointer: '/defaultRegion', message: 'must be a country code such as US (ISO 3166)' });
  }
  errors.push(...checkLocaleAndTimezone(checked));
  if (errors.length > 0) throw InvalidInput.fields(errors);
  return checked;
}

/** Brings the locale to canonical form. @returns the errors of both */
export function checkLocaleAndTimezone(checked: { locale?: string; timezone?: string }): FieldError[] {
  const errors: FieldError[] = [];
  if (checked.locale !== undefined) {
    const locale = canonicalLocale(checked.locale);
    if (locale === null) errors.push({ pointer: '/locale', message: 'must be a language tag such as en-US' });
    else checked.locale = locale;
  }
  if (checked.timezone !== undefined && !isTimezone(checked.timezone)) {
    errors.push({ pointer: '/timezone', message: 'must be a time zone such as Europe/Paris' });
  }
  return errors;
}

export function slugTaken(): InvalidInput {
  return InvalidInput.field('/slug', 'Another workspace has this slug.', 'duplicate');
}
