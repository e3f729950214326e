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
 *
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
  const id =
    chatModel === undefined || isChatModelId(chatModel) ? chatModel : `${provider}:chat:${chatModel}`;
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

/** Whether the text is a catalogue id and not a provider's name of a model. */
function isChatModelId(text: string): boolean {
  return /^[a-z0-9_-]+:chat:\S+$/.test(text);
}

function readEntries(file: string): Partial<CatalogueEntries> {
  const entries = parse(file);
  refuse(`AI_MODELS_FILE ${file}`, checkShape(entries));
  return entries as Partial<CatalogueEntries>;
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof SyntaxError ? 'is no JSON' : `cannot be read (${codeOf(error)})`;
    throw new ConfigurationError(`AI_MODELS_FILE ${file} ${why}.`);
  }
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}

/** @throws ConfigurationError that lists the errors, if there are any */
function refuse(what: string, errors: readonly string[]): void {
  if (errors.length > 0) throw new ConfigurationError(`${what} cannot be used: ${errors.join('; ')}.`);
}
