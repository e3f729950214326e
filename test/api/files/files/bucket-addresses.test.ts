import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { S3Storage } from '../../../../providers/storage/s3-storage.js';
import { obtainVersitygw } from '../../../../tools/dev/provision/obtain-versitygw.js';
import { consoleProgress } from '../../../../tools/dev/provision/progress.js';
import { startApi, type TestApi } from '../../../support/api/api.js';
import { gif } from '../../../support/files/samples.js';
import { type SentFile, sendFile } from '../../../support/files/send-file.js';
import { newBucket } from '../../../support/storage/use-storage.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { database, workspace } = useWorkspace();

async function startWith(publicEndpoint: 'public' | 'inside'): Promise<TestApi & { endpoint: string }> {
  const bucket = await newBucket();
  const storage = new S3Storage(
    publicEndpoint === 'public' ? bucket : { ...bucket, publicEndpoint: undefined },
  );
  const api = await startApi(database.database, { storage });
  onTestFinished(() => api.close());
  return { ...api, endpoint: bucket.endpoint };
}

const uploaded = async (api: TestApi, sent: SentFile) => (await sendFile(api, workspace, sent)).body;

// A server that has to be built first takes some minutes.
beforeAll(() => obtainVersitygw(consoleProgress()), 20 * 60_000);

it.each<[string, SentFile, string, RegExp]>([
  ['a text', { content: 'Tränke', filename: 'a.txt' }, 'text/plain; charset=utf-8', /^inline;/],
  ['a picture', { content: new Uint8Array(gif()), filename: 'a.gif' }, 'image/gif', /^inline;/],
  [
    'a drawing, which could run scripts',
    { content: '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', filename: 'a.svg' },
    'image/svg+xml',
    /^attachment;/,
  ],
])(
  'the address of a file leads to the bucket where clients reach it: %s',
  async (_what, sent, type, disposition) => {
    const api = await startWith('public');
    const file = await uploaded(api, sent);
    expect([file.isS3Stored, new URL(file.cdnUrl).origin]).toEqual([true, api.endpoint]);
    const { status, headers } = await fetch(file.cdnUrl);
    expect([status, headers.get('content-type')]).toEqual([200, type]);
    expect(headers.get('content-disposition')).toMatch(disposition);
    const path = workspace.path(`/files/${file.id}`);
    const read = await api.request('GET', path, { apiKey: workspace.admin.apiKey });
    // Of the same five minutes, unless they have just ended.
    expect(new URL(read.body.cdnUrl).pathname).toBe(new URL(file.cdnUrl).pathname);
  },
);

it('the address of a file is one of the service where clients do not reach the bucket', async () => {
  const api = await startWith('inside');
  const file = await uploaded(api, {});
  expect([file.isS3Stored, new URL(file.cdnUrl).origin]).toEqual([true, api.baseUrl]);
  expect((await fetch(file.cdnUrl)).status).toBe(200);
});
