import { InvalidInput } from './errors.js';

/**
 * One form for texts that look the same, where they are compared: composed (NFC), without characters that cannot be
 * seen, every space an ordinary one, and none around it.
 */
export function plainText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\s/g, ' ')
    .trim();
}

/** An external id in stored form. @throws InvalidInput if nothing of it can be seen */
export function storedExternalId(externalId: string): string {
  const stored = plainText(externalId);
  if (stored === '') throw InvalidInput.field('/externalId', 'must have a visible character');
  return stored;
}
