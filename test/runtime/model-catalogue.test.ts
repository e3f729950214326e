import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ModelCatalogue } from '../../domain/kernel/ai-models/model-catalogue.js';
import { ConfigurationError, readConfiguration } from '../../runtime/configuration.js';
import { loadModelCatalogue } from '../../runtime/model-catalogue.js';
import { testLoginSecretText } from '../support/api/login.js';
import { testEncryptionKey } from '../support/lib/encryption.js';
import { temporaryFolder } from '../support/lib/temporary-folder.js';

const load = (environment: Record<string, string>): ModelCatalogue =>
  loadModelCatalogue(
    readConfiguration({
      DATABASE_URL: 'postgresql://nowhere/wes',
      LOGIN_SECRET: testLoginSecretText,
      ENCRYPTION_KEY: testEncryptionKey,
      ...environment,
    }),
  );
const keyed = { OPENAI_API_KEY: 'a-key' };

/** Writes the content to a file. @returns its path, for AI_MODELS_FILE */
function file(content: unknown): string {
  const path = join(temporaryFolder(), 'models.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const available = (catalogue: ModelCatalogue) =>
  catalogue.models.filter((model) => model.available).map(({ id }) => id);

describe('loadModelCatalogue', () => {
  it('has no available model without credentials', () => {
    expect(available(load({}))).toEqual([]);
  });

  it('loads the built-in catalogue', () => {
    const catalogue = load(keyed);
    expect(catalogue.recommended('chat')?.id).toBe('openai:chat:gpt-4.1-mini');
    expect(available(catalogue)).toContain('openai:tts:tts-1');
    expect(available(catalogue)).not.toContain('openai:chat:gpt-4.5-preview');
  });

  it.each([
    ['by name', 'gpt-4.1', 'openai:chat:gpt-4.1'],
    ['by id', 'openai:chat:gpt-4.1', 'openai:chat:gpt-4.1'],
    ['though it is not in the catalogue', 'new-model:8b', 'openai:chat:new-model:8b'],
    ['by its replacement', 'gpt-4o', 'openai:chat:gpt-4.1'],
  ])('recommends CHAT_MODEL %s', (_, CHAT_MODEL, id) => {
    expect(load({ ...keyed, CHAT_MODEL }).recommended('chat')?.id).toBe(id);
  });

  it('names the provider at OPENAI_BASE_URL by MODEL_PROVIDER', () => {
    const own = file({ models: [{ id: 'house:chat:small', recommended: true }, { id: 'house:stt:ear' }] });
    const catalogue = load({ ...keyed, MODEL_PROVIDER: 'house', AI_MODELS_FILE: own });
    expect(available(catalogue)).toEqual(['house:chat:small', 'house:stt:ear']);
    expect(catalogue.chooseChatModel(['openai:chat:gpt-4.1'])?.id).toBe('house:chat:small');
  });

  it('replaces built-in entries with those of AI_MODELS_FILE', () => {
    const own = file({
      models: [{ id: 'openai:chat:gpt-4.1', state: 'disabled' }],
      voices: [{ id: 'openai:voice:robin', description: 'Of our own' }],
    });

    const catalogue = load({ ...keyed, AI_MODELS_FILE: own });

    expect(catalogue.find('openai:chat:gpt-4.1')).toMatchObject({ state: 'disabled', available: false });
    expect(catalogue.voices.at(-1)).toMatchObject({ name: 'robin', provider: 'openai' });
  });
});

it('accepts the example of the manual', () => {
  const manual = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  const example = /```json\n(\{\n {2}"models"[\s\S]*?)```/.exec(manual)?.[1] ?? '';
  const catalogue = load({ ...keyed, MODEL_PROVIDER: 'house', AI_MODELS_FILE: file(example) });
  expect(catalogue.recommended('chat')?.id).toBe('house:chat:small');
  expect(catalogue.voices).toHaveLength(1);
});

describe('loadModelCatalogue', () => {
  const replaced = {
    id: 'openai:realtime:gpt-realtime',
    state: 'deprecated',
    replacement: 'openai:realtime:gpt-realtime-mini',
  };
  const dated = { id: 'openai:chat:dated', state: 'disabled' };

  it.each<[string, () => string, string]>([
    ['that does not exist', () => join(temporaryFolder(), 'nowhere.json'), 'cannot be read (ENOENT).'],
    ['that is no JSON', () => file('{'), 'is no JSON.'],
    [
      'with an invalid entry',
      () => file({ models: [{ id: 'small' }] }),
      'cannot be used: /models/0/id must match',
    ],
    [
      'with entries that contradict other entries',
      () => file({ models: [replaced] }),
      'cannot be used: openai:realtime:gpt-4o-realtime-preview has the replacement openai:realtime:gpt-realtime, which is deprecated itself.',
    ],
  ])('rejects a file %s', (_, own, sentence) => {
    const path = own();
    const loading = () => load({ AI_MODELS_FILE: path });
    expect(loading).toThrow(ConfigurationError);
    expect(loading).toThrow(`AI_MODELS_FILE ${path} ${sentence}`);
  });

  it.each<[string, () => Record<string, string>, string]>([
    ['an invalid name of a provider', () => ({ MODEL_PROVIDER: 'The House' }), 'MODEL_PROVIDER has to be'],
    [
      'a provider without a chat model',
      () => ({ MODEL_PROVIDER: 'house' }),
      'The provider house has no chat model to recommend',
    ],
    [
      'a chat model that is disabled',
      () => ({ CHAT_MODEL: 'dated', AI_MODELS_FILE: file({ models: [dated] }) }),
      'CHAT_MODEL dated cannot be used: openai:chat:dated is recommended and has to be enabled.',
    ],
  ])('rejects %s', (_, environment, sentence) => {
    const loading = () => load({ ...keyed, ...environment() });
    expect(loading).toThrow(ConfigurationError);
    expect(loading).toThrow(sentence);
  });
});
