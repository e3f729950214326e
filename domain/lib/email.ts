const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const domainLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Normalizes an email address to lower case; null if it cannot be one (RFC 5321 section 4.5.3.1). Refuses quoted local
 * parts, address literals and domains of one label, which are not used in practice.
 */
export function normalizeEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  if (email.length > 254) return null;
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at);
  const labels = email.slice(at + 1).split('.');
  if (at < 1 || local.length > 64 || !localPart.test(local)) return null;
  if (labels.length < 2 || !labels.every((label) => domainLabel.test(label))) return null;
  return /^\d+$/.test(labels.at(-1) ?? '') ? null : email;
}
