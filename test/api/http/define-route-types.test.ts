import Type from 'typebox';
import { expect, expectTypeOf, it } from 'vitest';
import { publicAccess, signedInAccount, workspaceMember } from '../../../api/http/access.js';
import { defineRoute } from '../../../api/http/define-route.js';
import { resource } from '../../../api/http/resource.js';
import { OneOf, PageQuery } from '../../../api/http/schemas.js';
import type { Services } from '../../../api/http/services.js';
import type { UploadedFile } from '../../../api/http/uploads/uploaded-file.js';
import type { AccountContext } from '../../../domain/kernel/account-context.js';
import type { CommandContext, ModelsContext, ServiceContext } from '../../../domain/kernel/context.js';

const common = { method: 'GET', tag: 'Health', summary: 'A test' } as const;
const done = { status: 204 } as const;
const text = { status: 200, schema: Type.Object({ text: Type.String() }) } as const;

it('gives a handler the types that the route declares', () => {
  defineRoute({
    ...common,
    operationId: 'typed',
    path: '/w/{workspace_uuid}/things/{thing_id}/{name}',
    access: workspaceMember({ scope: 'members:read' }),
    query: PageQuery(['name', 'createdAt'], { kind: Type.Optional(OneOf(['big', 'small'])) }),
    body: Type.Object({ size: Type.Integer(), note: Type.Optional(Type.String({ maxLength: 10 })) }),
    response: text,
    handler: async ({ context, services, params, query, body }) => {
      expectTypeOf(context).toEqualTypeOf<CommandContext>();
      expectTypeOf(services).toEqualTypeOf<Services>();
      expectTypeOf(params).toEqualTypeOf<{ workspace_uuid: string; thing_id: number; name: string }>();
      expectTypeOf(query.sortBy).toEqualTypeOf<'name' | 'createdAt'>();
      expectTypeOf(query.page).toEqualTypeOf<number>();
      expectTypeOf(query.kind).toEqualTypeOf<'big' | 'small' | undefined>();
      expectTypeOf(body).toEqualTypeOf<{ size: number; note?: string }>();
      return { text: '' };
    },
  });
});

it('gives a handler the context type of its access', () => {
  const route = { ...common, operationId: 'wrong', path: '/things', response: done } as const;
  defineRoute({
    ...route,
    access: publicAccess(),
    handler: async ({ context }) => void expectTypeOf(context).toEqualTypeOf<ServiceContext>(),
  });
  defineRoute({
    ...route,
    access: signedInAccount({ scope: 'account:read' }),
    handler: async ({ context }) =>
      void expectTypeOf(context).toEqualTypeOf<AccountContext & ModelsContext>(),
  });
});

it('gives a handler below the head of a resource the types of both', () => {
  const things = resource({
    tag: 'Health',
    path: '/w/{workspace_uuid}/things',
    read: workspaceMember({ scope: 'members:read' }),
    write: signedInAccount({ scope: 'account:read' }),
  });
  const named = { operationId: 'below', summary: 'A test' };
  const response = Type.Object({ text: Type.String() });
  const route = things.get('/{thing_id}', {
    ...named,
    response,
    handler: async ({ context, params }) => {
      expectTypeOf(context).toEqualTypeOf<CommandContext>();
      expectTypeOf(params).toEqualTypeOf<{ workspace_uuid: string; thing_id: number }>();
      return { text: '' };
    },
  });
  expect(route).toMatchObject({
    method: 'GET',
    path: '/w/{workspace_uuid}/things/{thing_id}',
    tag: 'Health',
  });
  expect(route.response).toEqual({ status: 200, schema: response });
  const removal = things.remove('/{thing_id}', {
    ...named,
    access: publicAccess(),
    handler: async ({ context }) => void expectTypeOf(context).toEqualTypeOf<ServiceContext>(),
  });
  expect(removal).toMatchObject({ method: 'DELETE', response: { status: 204 }, access: { kind: 'public' } });
  things.create({
    ...named,
    body: response,
    response,
    handler: async ({ context, body }) => {
      expectTypeOf(context).toEqualTypeOf<AccountContext & ModelsContext>();
      return body;
    },
  });
  // @ts-expect-error the answer is not what is declared
  things.list({ ...named, response, handler: async () => ({ text: 1 }) });
});

it('gives a handler the type of the prefetched result, or undefined', () => {
  const access = workspaceMember({ scope: 'members:read' });
  const path = '/w/{workspace_uuid}/things/{thing_id}';
  const route = { ...common, operationId: 'early', path, access, response: done } as const;
  defineRoute({
    ...route,
    query: Type.Object({ limit: Type.Integer({ default: 1 }) }),
    prefetch: async (tx, { params, query }) => {
      expectTypeOf(params.thing_id).toEqualTypeOf<number>();
      // The workspace id is not known yet when the prefetch is sent.
      expectTypeOf(tx).not.toHaveProperty('workspaceId');
      return { count: query.limit };
    },
    handler: async ({ prefetched }) =>
      void expectTypeOf(prefetched).toEqualTypeOf<{ count: number } | undefined>(),
  });
  defineRoute({
    ...route,
    handler: async ({ prefetched }) => void expectTypeOf(prefetched).toEqualTypeOf<undefined>(),
  });
});

it('gives a handler the declared file, and requires a stream of the declared items', () => {
  const file = { maxBytes: 10, description: 'A file' };
  const upload = { ...common, path: '/things', access: publicAccess(), file } as const;
  const line = Type.Object({ n: Type.Integer() });
  const lines = { status: 200, stream: 'application/x-ndjson', schema: line, description: 'Lines' } as const;
  defineRoute({
    ...upload,
    operationId: 'upload',
    consumes: 'multipart',
    response: lines,
    handler: async ({ file: given, signal }) => {
      expectTypeOf(given).toEqualTypeOf<UploadedFile>();
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
      return (async function* () {
        yield { n: 1 };
      })();
    },
  });
  const handler = async () => (async function* () {})();
  // @ts-expect-error a file comes in parts only
  defineRoute({ ...upload, operationId: 'wrong', response: lines, consumes: 'json', handler });
  const table = { status: 200, stream: 'text/csv', description: 'A table' } as const;
  const path = '/things';
  const tables = { ...common, operationId: 'wrong', path, access: publicAccess(), response: table } as const;
  // @ts-expect-error a table has a name
  defineRoute({ ...tables, handler });
});

it('does not compile without access or response, or with an undeclared response', () => {
  const access = publicAccess();
  const handler = async () => ({ text: '' });
  const route = { ...common, operationId: 'wrong', path: '/things' } as const;
  // @ts-expect-error access is missing
  defineRoute({ ...route, response: text, handler });
  // @ts-expect-error response is missing
  defineRoute({ ...route, access, handler });
  // @ts-expect-error the answer is not what is declared
  defineRoute({ ...route, access, response: text, handler: async () => ({ text: 1 }) });
  // @ts-expect-error there is no such scope
  defineRoute({ ...route, access: signedInAccount({ scope: 'all' }), response: text, handler });
});
