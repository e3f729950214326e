import { describe, expect, it } from 'vitest';
import { builtInEntries } from '../../../../domain/kernel/ai-models/built-in-entries.js';
import {
  checkEntries,
  checkShape,
  combineEntries,
  type ModelEntry,
  modelTypes,
  recommendChatModel,
  typeOf,
} from '../../../../domain/kernel/ai-models/entries.js';

const none = { models: [], voices: [] };
const checkModels = (...models: ModelEntry[]) => checkEntries({ ...none, models });
const recommendedOf = (models: readonly ModelEntry[], type: string) =>
  models.filter((model) => model.recommended && typeOf(model) === type).map(({ id }) => id);

describe('builtInEntries', () => {
  it('have a valid shape and no contradictions', () => {
    expect(checkShape(builtInEntries)).toEqual([]);
    expect(checkEntries(builtInEntries)).toEqual([]);
  });

  it.each(modelTypes)('recommend exactly one %s model', (type) => {
    expect(recommendedOf(builtInEntries.models, type)).toHaveLength(1);
  });

  it('give the recommended chat model the multiplier 1', () => {
    const [id] = recommendedOf(builtInEntries.models, 'chat');

    expect(builtInEntries.models.find((model) => model.id === id)).toMatchObject({ multiplier: 1 });
  });

  it('give voices to realtime models', () => {
    const realtime = builtInEntries.models.filter((model) => typeOf(model) === 'realtime');

    expect(realtime.length).toBeGreaterThan(0);
    for (const { voices } of realtime) expect(voices?.length).toBeGreaterThan(0);
  });
});

describe('the check of a catalogue', () => {
  const x = (more: Omit<ModelEntry, 'id'> = {}): ModelEntry => ({ id: 'a:chat:x', ...more });
  const y = { id: 'a:chat:y' };
  const deprecated = { state: 'deprecated', replacement: 'a:chat:y' } as const;
  it.each<[string, ModelEntry[], string]>([
    ['with an id twice', [x(), x()], 'a:chat:x is there more than once'],
    [
      'with two models recommended for one thing',
      [x({ recommended: true }), { ...y, recommended: true }],
      'more than one chat model is recommended',
    ],
    [
      'recommending what is disabled',
      [x({ recommended: true, state: 'disabled' })],
      'a:chat:x is recommended and has to be enabled',
    ],
    [
      'with something deprecated that nothing replaces',
      [x({ state: 'deprecated' })],
      'a:chat:x is deprecated without a replacement',
    ],
    [
      'with a replacement for what needs none',
      [x({ replacement: y.id }), y],
      'a:chat:x is enabled and has a replacement',
    ],
    [
      'with a replacement that is not there',
      [x(deprecated)],
      'a:chat:x has the replacement a:chat:y, which is not there',
    ],
    [
      'with a replacement that is deprecated itself',
      [x(deprecated), { ...y, state: 'deprecated', replacement: 'a:chat:z' }, { id: 'a:chat:z' }],
      'a:chat:x has the replacement a:chat:y, which is deprecated itself',
    ],
    [
      'with a replacement of another type',
      [x({ state: 'deprecated', replacement: 'a:tts:y' }), { id: 'a:tts:y' }],
      'a:chat:x has a replacement of another type',
    ],
    [
      'with a voice that is not there',
      [{ id: 'a:realtime:x', voices: ['a:voice:v'] }],
      'a:realtime:x has the voice a:voice:v, which is not there',
    ],
    [
      'with what its type has not',
      [{ id: 'a:tts:x', outputMultiplier: 2 }],
      'a:tts:x has outputMultiplier, which tts models have not',
    ],
    [
      'with voices of a chat model',
      [x({ serverVad: true })],
      'a:chat:x has serverVad, which chat models have not',
    ],
  ])('rejects one %s', (_, models, sentence) => {
    expect(checkModels(...models)).toEqual([sentence]);
  });

  it.each([
    ['that is no object', [], 'the file must be object'],
    ['with a field it does not have', { colours: [] }, '/colours is not a known field'],
    ['with a model without id', { models: [{}] }, '/models/0/id is required'],
    ['with a model of no known type', { models: [{ id: 'a:smell:x' }] }, '/models/0/id must match pattern'],
    ['with a name of nothing', { models: [{ id: 'a:chat:' }] }, '/models/0/id must match pattern'],
    ['with a price below nothing', { models: [{ id: 'a:chat:x', multiplier: -1 }] }, '/models/0/multiplier'],
    ['with a voice that is a model', { voices: [{ id: 'a:chat:x', description: 'x' }] }, '/voices/0/id'],
  ])('rejects one %s', (_, value, sentence) => {
    const [found, ...others] = checkShape(value);

    expect(found).toContain(sentence);
    expect(others).toEqual([]);
  });
});

describe('combineEntries', () => {
  const base = {
    models: [
      { id: 'a:chat:x', description: 'Before', recommended: true, multiplier: 3 },
      { id: 'a:chat:y' },
      { id: 'a:tts:t', recommended: true },
    ],
    voices: [{ id: 'a:voice:v', description: 'Before' }],
  };

  it('replaces entries with the same id in place, and appends the others', () => {
    const combined = combineEntries(base, {
      models: [{ id: 'b:chat:z' }, { id: 'a:chat:x', state: 'disabled' }],
      voices: [{ id: 'a:voice:v', description: 'After' }],
    });

    expect(combined.models).toEqual([
      { id: 'a:chat:x', state: 'disabled' },
      ...base.models.slice(1),
      { id: 'b:chat:z' },
    ]);
    expect(combined.voices).toEqual([{ id: 'a:voice:v', description: 'After' }]);
  });

  it('moves the recommendation of the same type only', () => {
    const { models } = combineEntries(base, { models: [{ id: 'b:chat:z', recommended: true }] });

    expect(recommendedOf(models, 'chat')).toEqual(['b:chat:z']);
    expect(recommendedOf(models, 'tts')).toEqual(['a:tts:t']);
  });

  it('keeps duplicates for checkEntries to report', () => {
    const twice = combineEntries(base, { models: [{ id: 'a:chat:y' }, { id: 'a:chat:y' }] });

    expect(checkEntries(twice)).toEqual(['a:chat:y is there more than once']);
  });
});

describe('the configured chat model', () => {
  const base = {
    ...none,
    models: [
      { id: 'a:chat:x', recommended: true },
      { id: 'a:chat:y', multiplier: 2 },
      { id: 'a:chat:old', state: 'deprecated', replacement: 'a:chat:y' } as const,
    ],
  };

  it.each([
    ['is the recommended one', 'a:chat:y', { id: 'a:chat:y', multiplier: 2, recommended: true }],
    ['is added where it is not known', 'b:chat:new', { id: 'b:chat:new', recommended: true }],
    [
      'leaves its place to its replacement',
      'a:chat:old',
      { id: 'a:chat:y', multiplier: 2, recommended: true },
    ],
  ])('%s', (_, id, expected) => {
    const { models } = recommendChatModel(base, id);

    expect(models.filter(({ recommended }) => recommended)).toEqual([expected]);
  });
});
