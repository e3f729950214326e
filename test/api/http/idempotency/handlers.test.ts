import { randomUUID } from 'node:crypto';
import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { workspaceMember } from '../../../../api/http/access.js';
import { defineRoute } from '../../../../api/http/define-route.js';
import type { CommandContext } from '../../../../domain/kernel/context.js';
import { createMember } from '../../../../domain/people/members/create-member.js';
import { useApi } from '../../../support/api/use-api.js';

const common = {
  method: 'POST',
  tag: 'Members',
  summary: 'A test',
  access: workspaceMember({ scope: 'members:write' }),
} as const;
const add = (context: CommandContext) => createMember(context, { name: 'Robin Sample' });

const wrongAnswer = defineRoute({
  ...common,
  operationId: 'wrongAnswer',
  path: '/w/{workspace_uuid}/wrong-answers',
  response: { status: 201, schema: Type.Object({ id: Type.Unsafe<number>({ type: 'string' }) }) },
  handler: async ({ context }) => ({ id: (await add(context)).id }),
});

const failing = defineRoute({
  ...common,
  operationId: 'failing',
  path: '/w/{workspace_uuid}/failures',
  response: { status: 201, schema: Type.Object({ id: Type.Integer() }) },
  handler: async ({ context }) => {
    await add(context);
    throw new RangeError('after the command');
  },
});

const sending = defineRoute({
  ...common,
  operationId: 'sending',
  path: '/w/{workspace_uuid}/sendings',
  body: Type.Object({ colour: Type.String({ default: 'red', maxLength: 10 }) }),
  idempotent: true,
  response: { status: 204 },
  handler: async ({ context }) => {
    await add(context);
  },
});

const { api, workspace } = useApi({ routes: [wrongAnswer, failing, sending] });

const post = (path: string, key: string, body?: object) =>
  api.request('POST', workspace.path(path), {
    apiKey: workspace.admin.apiKey,
    headers: { 'Idempotency-Key': key },
    ...(body === undefined ? {} : { body }),
  });

/** How many members and keys there are. */
const counts = () =>
  workspace.database.inWorkspace(workspace.workspaceId, async (tx) => [
    (await tx('members').pluck('id')).length,
    (await tx('idempotency_keys').pluck('id')).length,
  ]);

describe('a request with an Idempotency-Key', () => {
  it.each([
    ['an answer that is not as declared', '/wrong-answers', 'response_mismatch'],
    ['a handler that fails after its command', '/failures', 'internal_error'],
  ])('rolls back the command and stores nothing for %s', async (_what, path, code) => {
    const before = await counts();
    const key = randomUUID();
    expect(await post(path, key)).toMatchObject({ status: 500, body: { code } });
    expect(await post(path, key)).toMatchObject({ status: 500, body: { code } });
    expect(await counts()).toEqual(before);
  });

  it('replays an empty answer', async () => {
    const [members = 0] = await counts();
    const key = randomUUID();
    expect((await post('/sendings', key, { colour: 'blue' })).status).toBe(204);
    const again = await post('/sendings', key, { colour: 'blue' });
    expect([again.status, again.headers.get('Idempotency-Replayed')]).toEqual([204, 'true']);
    expect((await counts())[0]).toBe(members + 1);
  });

  it('is compared as it was sent, because defaults may change with a version', async () => {
    const key = randomUUID();
    expect((await post('/sendings', key, {})).status).toBe(204);
    expect((await post('/sendings', key, { colour: 'red' })).status).toBe(422);
    expect((await post('/sendings', key, {})).status).toBe(204);
  });
});
