import { createHmac } from 'node:crypto';

/**
 * The signature of a webhook: HMAC-SHA1 with the auth token over the full address followed by every field's
 * name and value, sorted by name, in base64 (the carrier's "Webhooks security" page).
 */
export function sign(authToken: string, url: string, fields: Record<string, string>): string {
  const text = Object.keys(fields)
    .sort()
    .reduce((signed, name) => `${signed}${name}${fields[name]}`, url);
  return createHmac('sha1', authToken).update(text, 'utf8').digest('base64');
}
