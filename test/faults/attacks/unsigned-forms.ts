import type { Attack } from './attack.js';

const fields = Array.from({ length: 900 }, (_, index) => `f${index}=${'x'.repeat(66)}`).join('&');

/** Forms of the largest size with what could be a signature of the carrier's, and is none. */
export const unsignedForms: Attack = {
  name: 'large forms with wrong signatures of the carrier',
  expected: [401, 413, 429],
  async prepare() {
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': String(fields.length),
      'X-Twilio-Signature': `${'A'.repeat(27)}=`,
    };
    return {
      requests: [{ method: 'POST', path: '/carrier-messages/inbound', headers, body: fields }],
      concurrency: 4,
    };
  },
};
