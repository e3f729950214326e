import { describe, expect, it } from 'vitest';
import { notImplementedPaths } from '../../../api/http/middleware.js';
import { routes } from '../../../api/resources/index.js';
import { useApiOn } from '../../support/api/use-api.js';
import { noDatabase } from '../../support/db/no-database.js';

const api = useApiOn(() => noDatabase, { routes });

const workspace = '/w/00000000-0000-4000-8000-000000000000';

describe('an operation of the specification that is not implemented', () => {
  it.each([
    ['POST', `${workspace}/folders`],
    ['GET', `${workspace}/files/7/download`],
    ['GET', `${workspace}/chats/export`],
    ['POST', `${workspace}/chats/7/summarize`],
    ['POST', `${workspace}/chats/7/participants`],
    ['GET', `${workspace}/sharing/folders/7/files`],
    ['GET', '/resources/registry'],
    ['POST', '/account/acquisition'],
    ['POST', '/mcp'],
    ['GET', '/oauth/authorize'],
  ])('returns its own error code: %s %s', async (method, path) => {
    const answer = await api.request(method, path);

    expect(answer).toMatchObject({ status: 404, body: { code: 'not_implemented' } });
  });

  it('does not shadow an implemented route', () => {
    const paths = routes.map(({ path }) => path.replace(/\{\w+\}/g, '7'));
    expect(paths.filter((path) => notImplementedPaths.some((pattern) => pattern.test(path)))).toEqual([]);
  });

  it('does not cover arbitrary unknown paths', async () => {
    expect((await api.request('GET', '/nothing')).body).toMatchObject({ code: 'not_found' });
  });
});
