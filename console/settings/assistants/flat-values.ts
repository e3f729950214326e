import type { Values } from './settings.js';

/** The values of an assistant with each setting of its models by itself, so that two people can change two of them. */
export type FlatValues = Readonly<Record<string, unknown>>;

const configs = ['chatModelConfig', 'realtimeModelConfig'] as const;
const nameOf = (config: string, setting: string) => `${config}/${setting}`;

export function flat(values: Values): FlatValues {
  const { chatModelConfig, realtimeModelConfig, ...others } = values;
  const settings = Object.entries({ chatModelConfig, realtimeModelConfig }).flatMap(([config, ofConfig]) =>
    Object.entries(ofConfig ?? {}).map(([setting, value]) => [nameOf(config, setting), value]),
  );
  return { ...others, ...Object.fromEntries(settings) };
}

/** The opposite; a setting of null is the model's own. */
export function nested(values: FlatValues): Values {
  const fields = Object.entries(values).filter(([name]) => !name.includes('/'));
  const settings = configs.map((config) => {
    const own = Object.entries(values).flatMap(([name, value]) =>
      name.startsWith(nameOf(config, '')) && value != null ? [[name.slice(config.length + 1), value]] : [],
    );
    return [config, Object.fromEntries(own)];
  });
  return Object.fromEntries([...fields, ...settings]) as Values;
}

/** What a change of whole settings changes of the single ones. */
export function flatChanges(before: FlatValues, changed: Values): FlatValues {
  const after = flat({ ...nested(before), ...changed });
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names
      .filter((name) => (after[name] ?? null) !== (before[name] ?? null))
      .map((name) => [name, after[name] ?? null]),
  );
}

/** What the API is sent: it replaces the settings of a model as a whole, so others' changes of them come along. */
export function requestOf(changes: FlatValues, now: FlatValues): Values {
  const settings = nested({ ...now, ...changes });
  const fields = Object.entries(changes).filter(([name]) => !name.includes('/'));
  const touched = configs.filter((config) =>
    Object.keys(changes).some((name) => name.startsWith(nameOf(config, ''))),
  );
  return Object.fromEntries([...fields, ...touched.map((config) => [config, settings[config]])]) as Values;
}
