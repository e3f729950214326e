import type { Attack } from './attack.js';

const boundary = 'a-boundary';
const part = `--${boundary}\r\nContent-Disposition: form-data; name="x"; filename="a"\r\n\r\n\r\n`;

/** Bodies of a hundred thousand tiny parts. */
export const manyParts: Attack = {
  name: 'uploads of a hundred thousand parts',
  concurrency: 3,
  expected: [400, 413, 429],
  async prepare({ workspace, url }) {
    const body = `${part.repeat(100_000)}--${boundary}--\r\n`;
    const headers = {
      Authorization: `Bearer ${workspace.admin.apiKey}`,
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
    };
    return () =>
      fetch(`${url}/api/v2${workspace.path('/members/import')}`, { method: 'POST', headers, body });
  },
};
