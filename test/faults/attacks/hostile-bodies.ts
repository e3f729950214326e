import { type Attack, addOwnType, postAs } from './attack.js';

const bytes = 1_048_000;

/** Bodies of a mebibyte: nested without end, and of half a million values. */
export const deepBodies: Attack = {
  name: 'bodies that are deep, and wide',
  expected: [400, 429],
  async prepare(scene) {
    const { workspace } = scene;
    const type = await addOwnType(scene, [{ slug: 'any', name: 'Any', fieldType: 'json' }]);
    const path = `/data-types/${type.id}/records`;
    const deep = '['.repeat(bytes / 2) + ']'.repeat(bytes / 2);
    const wide = `[${'0,'.repeat(bytes / 2 - 100)}0]`;
    const bodies = [
      `{"fieldValues":{"any":${deep.slice(100, -100)}}}`,
      `{"fieldValues":{"any":${wide}}}`,
      `{"fieldValues":${wide}}`,
    ];
    const requests = bodies.map((body) => postAs(scene, workspace.admin.apiKey, path, body));
    return { requests, concurrency: 3 };
  },
};

const boundary = 'a-boundary';
const part = `--${boundary}\r\nContent-Disposition: form-data; name="x"; filename="a"\r\n\r\n\r\n`;

export const manyParts: Attack = {
  name: 'uploads of a hundred thousand parts',
  // Where too many parts are seen the connection is closed, which a sender may meet before it reads the answer.
  expected: [400, 413, 429, 0],
  async prepare({ workspace }) {
    const body = `${part.repeat(100_000)}--${boundary}--\r\n`;
    const headers = {
      Authorization: `Bearer ${workspace.admin.apiKey}`,
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      'Content-Length': String(body.length),
    };
    const path = workspace.path('/members/import');
    return { requests: [{ method: 'POST', path, headers, body }], concurrency: 3 };
  },
};

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
    const request = { method: 'POST', path: '/carrier-messages/inbound', headers, body: fields } as const;
    return { requests: [request], concurrency: 4 };
  },
};
