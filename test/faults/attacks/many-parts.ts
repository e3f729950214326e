import type { Attack } from './attack.js';

const boundary = 'a-boundary';
const part = `--${boundary}\r\nContent-Disposition: form-data; name="x"; filename="a"\r\n\r\n\r\n`;

/** Bodies of a hundred thousand tiny parts. */
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
