import { describe, expect, it } from 'vitest';
import { acceptModels } from '../../../../domain/kernel/ai-models/accept-models.js';
import { type ModelEntry, modelName } from '../../../../domain/kernel/ai-models/entries.js';
import { listModels } from '../../../../domain/kernel/ai-models/list-models.js';
import { ModelCatalogue } from '../../../../domain/kernel/ai-models/model-catalogue.js';
import { InvalidInput } from '../../../../domain/lib/errors.js';
import { catalogueWith } from '../../../support/lib/models.js';

const models: ModelEntry[] = [
  { id: 'here:chat:good', recommended: true },
  { id: 'here:chat:other' },
  { id: 'here:chat:aging', state: 'deprecated', replacement: 'here:chat:other' },
  { id: 'here:chat:stranded', state: 'deprecated', replacement: 'there:chat:good' },
  { id: 'here:chat:gone', state: 'disabled' },
  { id: 'here:chat:succeeded', state: 'disabled', replacement: 'here:chat:other' },
  { id: 'there:chat:good' },
  { id: 'there:chat:moved', state: 'deprecated', replacement: 'here:chat:other' },
  { id: 'here:realtime:voice', recommended: true },
];
const catalogue = new ModelCatalogue({ models, voices: [] }, ['here']);

describe('the availability of a model', () => {
  it.each([
    ['when its provider is configured', 'here:chat:good', true],
    ['also while it is deprecated', 'here:chat:aging', true],
    ['not when it is disabled', 'here:chat:gone', false],
    ['not when its provider is not configured', 'there:chat:good', false],
  ])('is decided by its provider and its state: %s', (_, id, available) => {
    expect(catalogue.find(id)).toMatchObject({ id, available });
  });

  it('is false for every model while no provider is configured', () => {
    expect(catalogueWith({}, []).models.filter(({ available }) => available)).toEqual([]);
    expect(catalogueWith({}, []).voices).toEqual([]);
  });
});

describe('acceptModels for a requested model', () => {
  const accept = (id: string | null) => acceptModels(catalogue, { model: id }, { model: 'chat' });

  it.each([
    ['is kept', 'here:chat:good', 'here:chat:good'],
    ['is replaced when it is deprecated', 'here:chat:aging', 'here:chat:other'],
    ['is replaced also where it cannot be had any more', 'there:chat:moved', 'here:chat:other'],
    ['is kept while its replacement cannot be had', 'here:chat:stranded', 'here:chat:stranded'],
    ['may be none', null, null],
  ])('decides that it %s', (_, id, kept) => {
    expect(accept(id)).toEqual({ model: kept });
  });

  it('leaves a model out that the request leaves out', () => {
    expect(acceptModels(catalogue, {}, { model: 'chat' })).toEqual({});
  });

  it.each([
    ['unknown', 'here:chat:never'],
    ['of another type', 'here:realtime:voice'],
    ['disabled', 'here:chat:gone'],
    ['disabled, whatever has replaced it', 'here:chat:succeeded'],
    ['of a provider that is not configured', 'there:chat:good'],
  ])('rejects one that is %s, with the name of its field', (_, id) => {
    const asking = () => accept(id);

    expect(asking).toThrow(InvalidInput);
    expect(asking).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ pointer: '/model' })] }),
    );
  });
});

describe('chooseChatModel', () => {
  it.each([
    ['is the first wish', ['here:chat:other', 'here:chat:good'], 'here:chat:other'],
    ['is the second where there is no first', [null, 'here:chat:other'], 'here:chat:other'],
    ['is the replacement of what was disabled since', ['here:chat:succeeded'], 'here:chat:other'],
    ['is the next wish where nothing replaces it', ['here:chat:gone', 'here:chat:other'], 'here:chat:other'],
    ['is the recommended one where nothing is left', ['here:chat:gone', 'there:chat:good'], 'here:chat:good'],
    ['is the recommended one instead of what the catalogue lost', ['here:chat:lost'], 'here:chat:good'],
    ['is never of another type', ['here:realtime:voice'], 'here:chat:good'],
    ['is the recommended one where nothing is wished for', [null, undefined], 'here:chat:good'],
  ])('returns a model that %s', (_, wishes, id) => {
    expect(catalogue.chooseChatModel(wishes)?.id).toBe(id);
  });

  it('returns undefined while no provider is configured', () => {
    expect(
      new ModelCatalogue({ models, voices: [] }, []).chooseChatModel(['here:chat:good']),
    ).toBeUndefined();
  });
});

it('listModels lists in the order of the catalogue, with unavailable models only on request', () => {
  expect(listModels({ models: catalogue }, { type: 'chat' }).map(({ name }) => name)).toEqual([
    'good',
    'other',
    'aging',
    'stranded',
  ]);
  expect(listModels({ models: catalogue }, { includeUnavailable: true })).toHaveLength(models.length);
});

it.each([
  ['openai:chat:gpt-4.1-mini', 'gpt-4.1-mini'],
  ['house:chat:small:7b', 'small:7b'],
  ['small', 'small'],
])('modelName for %s is %s', (id, name) => {
  expect(modelName(id)).toBe(name);
});
