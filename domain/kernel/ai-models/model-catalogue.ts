import { type ModelMultipliers, plainMultipliers } from './credits.js';
import {
  type CatalogueEntries,
  type ModelEntry,
  type ModelState,
  type ModelType,
  partsOf,
  type VoiceEntry,
} from './entries.js';

/** A model of the catalogue, complete, and whether it can be used here and now. */
export interface AiModel extends ModelMultipliers {
  id: string;
  name: string;
  provider: string;
  type: ModelType;
  description: string | null;
  state: ModelState;
  /** Its provider is configured and it is not disabled. */
  available: boolean;
  recommended: boolean;
  replacement: string | null;
  voices: readonly string[];
  serverVad: boolean;
  clientVad: boolean;
}

export interface Voice {
  id: string;
  name: string;
  description: string;
  provider: string;
}

/** The models this deployment knows, and which of them it can use. Made once, at boot; never changes. */
export class ModelCatalogue {
  readonly models: readonly AiModel[];
  /** Those of configured providers. */
  readonly voices: readonly Voice[];
  /** Every provider that has a model or a voice here, configured or not. */
  readonly providers: ReadonlySet<string>;
  readonly #byId: ReadonlyMap<string, AiModel>;

  /** @param configured the providers that the service has an address and credentials for */
  constructor(entries: CatalogueEntries, configured: Iterable<string>) {
    const usable = new Set(configured);
    this.models = entries.models.map((entry) => toModel(entry, usable));
    this.#byId = new Map(this.models.map((model) => [model.id, model]));
    const voices = entries.voices.map(toVoice);
    this.voices = voices.filter(({ provider }) => usable.has(provider));
    this.providers = new Set([...this.models, ...voices].map(({ provider }) => provider));
  }

  find(id: string): AiModel | undefined {
    return this.#byId.get(id);
  }

  /**
   * What is used where this model was asked for: itself while it is enabled, else its replacement, else itself if it
   * still works. Undefined when neither can be used any more.
   */
  inPlaceOf(id: string): AiModel | undefined {
    const model = this.find(id);
    if (model === undefined) return undefined;
    const replacement = model.replacement === null ? undefined : this.find(model.replacement);
    if (replacement?.available) return replacement;
    return model.available ? model : undefined;
  }

  /** The model of this type to take where nothing else is said; undefined when that one is not available. */
  recommended(type: ModelType): AiModel | undefined {
    return this.models.find((model) => model.type === type && model.recommended && model.available);
  }

  /**
   * The chat model for a turn: the first of these that can be used, or what took its place; else the recommended one.
   * A turn never fails because a model was withdrawn after a chat or an assistant had chosen it.
   */
  chooseChatModel(wishes: readonly (string | null | undefined)[]): AiModel | undefined {
    for (const id of wishes) {
      const model = id == null ? undefined : this.inPlaceOf(id);
      if (model?.type === 'chat') return model;
    }
    return this.recommended('chat');
  }
}

function toModel(entry: ModelEntry, configured: ReadonlySet<string>): AiModel {
  const { provider, type, name } = partsOf(entry.id);
  const state = entry.state ?? 'enabled';
  return {
    ...plainMultipliers,
    description: null,
    recommended: false,
    replacement: null,
    voices: [],
    serverVad: false,
    clientVad: false,
    ...entry,
    name,
    provider,
    type: type as ModelType,
    state,
    available: state !== 'disabled' && configured.has(provider),
  };
}

function toVoice({ id, description }: VoiceEntry): Voice {
  const { provider, name } = partsOf(id);
  return { id, name, description, provider };
}
