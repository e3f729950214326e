import { describe, expect, it } from 'vitest';
import { allScopes } from '../../../../domain/kernel/scopes.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi, useApiOn } from '../../../support/api/use-api.js';
import { catalogueWith } from '../../../support/lib/models.js';
import { addApiKey } from '../../../support/workspace/factories.js';

const own = {
  models: [{ id: 'house:chat:small' }, { id: 'house:realtime:talk', voices: ['house:voice:low'] }],
  voices: [{ id: 'house:voice:low', description: 'Low' }],
};
/** An api with one of two providers configured. */
const { api, workspace } = useApi({ models: catalogueWith(own) });
/** An api without a configured provider. */
const bareApi = useApiOn(() => workspace.database, { models: catalogueWith(own, []) });

const lists = ['all', 'chat', 'image', 'realtime', 'stt', 'tts', 'voices'];
const types = ['chat', 'image', 'realtime', 'stt', 'tts'];
const list = (name: string, query: Record<string, string | boolean> = {}, of = api) =>
  of.request('GET', `/ai-models/${name}`, { apiKey: workspace.member.apiKey, query });
const idsOf = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(({ id }) => id);

describe.each(lists)('GET /ai-models/%s', (name) => {
  it('requires no permission', async () => {
    const { status, body } = await list(name);
    expect([status, body.items.length > 1]).toEqual([200, true]);
  });

  it('returns 401 without credentials', async () => {
    const answer = await api.request('GET', `/ai-models/${name}`);
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  });

  it('returns 403 for a key without the scope and names the scope', async () => {
    const scopes = allScopes.filter((scope) => scope !== 'models:read');
    const apiKey = await addApiKey(workspace.database, workspace.admin.accountId, { scopes });

    const body = { code: 'insufficient_scope', detail: expect.stringContaining('models:read') };
    expect(await api.request('GET', `/ai-models/${name}`, { apiKey })).toMatchObject({ status: 403, body });
  });

  it('filters by provider', async () => {
    const { body } = await list(name, { provider: 'openai' });

    const providers = body.items.map(({ provider }: { provider: string }) => provider);
    expect(new Set(providers)).toEqual(new Set(['openai']));
    // The provider is in the catalogue, but not configured in this api.
    expect(idsOf(await list(name, { provider: 'house' }))).toEqual([]);
  });

  it('refuses a provider that is not in the catalogue', async () => {
    const { status, body } = await list(name, { provider: 'nobody' });
    expect([status, pointersOf(body)]).toEqual([400, ['/provider']]);
  });

  it('returns an empty list if no provider is configured', async () => {
    expect((await list(name, {}, bareApi)).body).toEqual({ items: [] });
  });
});

describe('the list of models', () => {
  it.each(types)('contains the same models of type %s alone and in the list of all', async (type) => {
    const { body } = await list(type);

    expect(new Set(body.items.map((model: { type: string }) => model.type))).toEqual(new Set([type]));
    const { body: all } = await list('all');
    expect(all.items.filter((model: { type: string }) => model.type === type)).toEqual(body.items);
  });

  it('shows the price multipliers', async () => {
    const { body } = await list('chat');

    expect(body.items[0]).toEqual({
      id: 'openai:chat:gpt-4.1-mini',
      name: 'gpt-4.1-mini',
      provider: 'openai',
      type: 'chat',
      description: expect.any(String),
      state: 'enabled',
      available: true,
      images: true,
      recommended: true,
      multiplier: 1,
      inputMultiplier: 1,
      outputMultiplier: 4,
      cachedMultiplier: 0.25,
    });
    expect((await list('tts')).body.items[0]).not.toHaveProperty('outputMultiplier');
  });

  it('shows the replacement of a deprecated model', async () => {
    const { body } = await list('chat');

    const replaced = { state: 'deprecated', available: true, replacement: 'openai:chat:gpt-4.1' };
    expect(body.items).toContainEqual(expect.objectContaining({ id: 'openai:chat:gpt-4o', ...replaced }));
  });

  it('contains unavailable models on request only', async () => {
    const hidden = ['openai:chat:gpt-4.5-preview', 'house:chat:small', 'house:realtime:talk'];

    const usual = idsOf(await list('all'));
    const { body } = await list('all', { include_unavailable: true });

    const unavailable = body.items.filter(({ available }: { available: boolean }) => !available);
    expect(idsOf({ body: { items: unavailable } })).toEqual(hidden);
    expect(usual).toHaveLength(body.items.length - hidden.length);
    expect(idsOf(await list('all', { include_unavailable: true }, bareApi))).toEqual(idsOf({ body }));
    const ofHouse = await list('all', { include_unavailable: true, provider: 'house' });
    expect(idsOf(ofHouse)).toEqual(hidden.slice(1));
  });

  it('refuses include_unavailable that is not a boolean', async () => {
    const { status, body } = await list('all', { include_unavailable: 'perhaps' });
    expect([status, pointersOf(body)]).toEqual([400, ['/include_unavailable']]);
  });
});

describe('the list of voices', () => {
  it('contains the voices of the realtime models', async () => {
    const { body: realtime } = await list('realtime');
    const { body: voices } = await list('voices');

    expect(realtime.items[0]).toMatchObject({ serverVad: true, clientVad: true });
    expect(idsOf({ body: voices })).toEqual(expect.arrayContaining(realtime.items[0].voices));
    expect(voices.items[0]).toEqual({
      id: 'openai:voice:alloy',
      name: 'alloy',
      description: expect.any(String),
      provider: 'openai',
    });
  });
});
