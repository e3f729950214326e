import {
  type CatalogueEntries,
  type ModelEntry,
  type ModelState,
  type ModelType,
  partsOf,
  type VoiceEntry,
} from './entries.js';
import { type ModelMultipliers, plainMultipliers } from './multipliers.js';

/** A model of the catalogue with all defaults applied, and whether this deployment can use it. */
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
  images: boolean;
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

/** The models that this deployment knows, and which of them it can use. Built once at boot and immutable. */
export class ModelCatalogue {
  readonly models: readonly AiModel[];
  /** Voices of configured providers. */
  readonly voices: readonly Voice[];
  /** Every provider of a model or a voice, configured or not. */
  readonly providers: ReadonlySet<string>;
  readonly #byId: ReadonlyMap<string, AiModel>;

  /** @param configured the providers for which the service has an address and credentials */
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

  /** The model to use for this one: its replacement if that is available, else itself; undefined if neither is. */
  inPlaceOf(id: string): AiModel | undefined {
    const model = this.find(id);
    if (model === undefined) return undefined;
    const replacement = model.replacement === null ? undefined : this.find(model.replacement);
    if (replacement?.available) return replacement;
    return model.available ? model : undefined;
  }

  /** The default model of this type; undefined if it is not available. */
  recommended(type: ModelType): AiModel | undefined {
    return this.models.find((model) => model.type === type && model.recommended && model.available);
  }

  /**
   * The chat model for a turn: the first of the requested models that can be used, itself or by its replacement, else
   * the recommended one. A turn never fails because a model was withdrawn after a chat or an assistant had chosen it.
   */
  chooseChatModel(wishes: readonly (string | null | undefined)[]): AiModel | undefined {
    return this.#choose('chat', wishes);
  }

  /** Like `chooseChatModel`, for a call. */
  chooseRealtimeModel(wishes: readonly (string | null | undefined)[]): AiModel | undefined {
    return this.#choose('realtime', wishes);
  }

  #choose(type: ModelType, wishes: readonly (string | null | undefined)[]): AiModel | undefined {
    for (const id of wishes) {
      const model = id == null ? undefined : this.inPlaceOf(id);
      if (model?.type === type) return model;
    }
    return this.recommended(type);
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
    images: false,
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
