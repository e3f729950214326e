import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiPrefix } from '../../../../api/http/app.js';
import { FileAddresses } from '../../../../domain/files/file-addresses.js';
import { testLoginSecretText } from '../../../support/api/login.js';
import { useApi } from '../../../support/api/use-api.js';
import { addStoredFile } from '../../../support/files/add-stored-file.js';
import { scratchStorage } from '../../../support/storage/scratch-storage.js';

const { storage, remove } = scratchStorage();
afterAll(remove);
const { api, workspace, otherWorkspace } = useApi({ storage });

let file: { id: number; filename: string };
let addresses: FileAddresses;
beforeAll(async () => {
  addresses = new FileAddresses([testLoginSecretText], api.baseUrl + apiPrefix);
  file = await addStoredFile(workspace, storage);
});

interface Signed {
  now?: Date;
  versionNumber?: number;
  disposition?: 'inline' | 'attachment';
  fileId?: number;
}

function addressOf({ now = new Date(), ...of }: Signed = {}): URL {
  const { workspaceUuid } = workspace;
  const { id: fileId, filename } = file;
  const signed = { workspaceUuid, fileId, filename, versionNumber: 1, disposition: 'inline', ...of } as const;
  return new URL(addresses.addressOf(signed, now));
}

async function answerOf(url: URL, init: RequestInit = {}) {
  const response = await fetch(url, init);
  const { status, headers } = response;
  return { status, headers, text: await response.text() };
}

const codeOf = ({ text }: { text: string }) => JSON.parse(text).code;

describe('a signed address of a file', () => {
  it('gives the bytes of a private file without credentials, for as long as it is valid', async () => {
    const { status, headers, text } = await answerOf(addressOf());
    expect([status, text]).toEqual([200, 'Drink enough water.']);
    expect(headers.get('content-disposition')).toBe('inline; filename="leaflet.txt"');
    expect(headers.get('content-security-policy')).toMatch(/^sandbox;/);
    expect(headers.get('cache-control')).toMatch(/^private, max-age=(?:9\d\d|1[01]\d\d|1200)$/);
  });

  it('gives a part, headers alone, and an attachment where it says so', async () => {
    const part = await answerOf(addressOf(), { headers: { Range: 'bytes=-6' } });
    expect([part.status, part.text]).toEqual([206, 'water.']);
    const head = await answerOf(addressOf({ disposition: 'attachment' }), { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-disposition')).toMatch(/^attachment;/);
  });

  it('works under any name', async () => {
    const url = addressOf();
    url.pathname = url.pathname.replace('leaflet.txt', 'other.html');
    expect((await answerOf(url)).headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  it.each([
    ['version', '2'],
    ['disposition', 'attachment'],
    ['expires', '99999999999'],
    ['signature', 'nonsense'],
  ])('is not found if its %s was altered', async (name, value) => {
    const url = addressOf();
    url.searchParams.set(name, value);
    const answer = await answerOf(url);
    expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found']);
  });

  it('is not found for another file or workspace', async () => {
    const other = await addStoredFile(workspace, storage);
    for (const [from, to] of [
      [`/files/${file.id}/`, `/files/${other.id}/`],
      [workspace.workspaceUuid, otherWorkspace.workspaceUuid],
    ] as const) {
      const url = addressOf();
      url.pathname = url.pathname.replace(from, to);
      expect((await answerOf(url)).status).toBe(404);
    }
  });

  it('is not found if its file or version no longer exists', async () => {
    expect((await answerOf(addressOf({ versionNumber: 7 }))).status).toBe(404);
    expect((await answerOf(addressOf({ fileId: 987_654_321 }))).status).toBe(404);
  });

  it('is refused once it has expired, which is told apart', async () => {
    const answer = await answerOf(addressOf({ now: new Date(Date.now() - 1_300_000) }));
    expect([answer.status, codeOf(answer)]).toEqual([403, 'address_expired']);
  });

  it.each(['version', 'disposition', 'expires', 'signature'])('is invalid without its %s', async (name) => {
    const url = addressOf();
    url.searchParams.delete(name);
    expect((await answerOf(url)).status).toBe(400);
  });
});
