import { readFileSync } from 'node:fs';
import { builtInEntries } from '../domain/kernel/ai-models/built-in-entries.js';
import {
  type CatalogueEntries,
  checkEntries,
  checkShape,
  combineEntries,
  recommendChatModel,
} from '../domain/kernel/ai-models/entries.js';
import { ModelCatalogue } from '../domain/kernel/ai-models/model-catalogue.js';
import { type Configuration, ConfigurationError } from './configuration.js';

/**
 * Builds the catalogue of this deployment: the built-in entries, the entries of the file, and `CHAT_MODEL` as the
 * recommended chat model.
 * @throws ConfigurationError when the file cannot be read or is invalid, or when no chat model is usable
 */
export function loadModelCatalogue({
  model,
  aiModelsFile,
}: Pick<Configuration, 'model' | 'aiModelsFile'>): ModelCatalogue {
  const own = aiModelsFile === undefined ? {} : readEntries(aiModelsFile);
  const combined = combineEntries(builtInEntries, own);
  if (aiModelsFile !== undefined) refuse(`AI_MODELS_FILE ${aiModelsFile}`, checkEntries(combined));
  if (model === undefined) return new ModelCatalogue(combined, []);

  const { provider, chatModel } = model;
  if (!/^[a-z0-9_-]+$/.test(provider)) {
    throw new ConfigurationError('MODEL_PROVIDER has to be small letters, digits, - and _.');
  }
  // Either the catalogue's id or the provider's name of a model.
  const isId = /^[a-z0-9_-]+:chat:\S+$/.test(chatModel ?? '');
  const id = isId ? chatModel : chatModel && `${provider}:chat:${chatModel}`;
  const entries = id === undefined ? combined : recommendChatModel(combined, id);
  refuse(`CHAT_MODEL ${chatModel}`, checkEntries(entries));
  const catalogue = new ModelCatalogue(entries, [provider]);
  if (catalogue.recommended('chat') === undefined) {
    throw new ConfigurationError(
      `The provider ${provider} has no chat model to recommend: set CHAT_MODEL, or recommend one in AI_MODELS_FILE.`,
    );
  }
  return catalogue;
}

function readEntries(file: string): Partial<CatalogueEntries> {
  let entries: unknown;
  try {
    entries = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = error instanceof SyntaxError ? 'is no JSON' : `cannot be read (${code})`;
    throw new ConfigurationError(`AI_MODELS_FILE ${file} ${why}.`);
  }
  refuse(`AI_MODELS_FILE ${file}`, checkShape(entries));
  return entries as Partial<CatalogueEntries>;
}

/** @throws ConfigurationError that lists the errors, if there are any */
function refuse(what: string, errors: readonly string[]): void {
  if (errors.length > 0) throw new ConfigurationError(`${what} cannot be used: ${errors.join('; ')}.`);
}
