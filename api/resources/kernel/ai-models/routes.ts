import type { ModelType } from '../../../../domain/kernel/ai-models/entries.js';
import { listModels, listVoices as voicesOf } from '../../../../domain/kernel/ai-models/list-models.js';
import type { AiModel } from '../../../../domain/kernel/ai-models/model-catalogue.js';
import { signedInAccount } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import type { Route } from '../../../http/route.js';
import {
  AiModelList,
  type AiModelResponse,
  AiVoiceList,
  ListAllModelsQuery,
  ListByProviderQuery,
} from './schemas.js';

const common = {
  method: 'GET',
  tag: 'AI models',
  access: signedInAccount({ scope: 'models:read', openToProviders: true }),
} as const;
const asFiltered = 'An unknown provider is refused.';

const listAll = defineRoute({
  ...common,
  operationId: 'listAiModels',
  path: '/ai-models/all',
  summary: 'List AI models of all types',
  description: `Models that are available here; with include_unavailable, the whole catalogue. ${asFiltered}`,
  query: ListAllModelsQuery,
  response: { status: 200, schema: AiModelList },
  handler: async ({ context, query: { provider, include_unavailable: includeUnavailable } }) => ({
    items: listModels(context, { provider, includeUnavailable }).map(presentModel),
  }),
});

function listOfType(type: ModelType, operationId: string, what: string): Route {
  return defineRoute({
    ...common,
    operationId,
    path: `/ai-models/${type}`,
    summary: `List ${what}`,
    description: `Models that are available here. ${asFiltered}`,
    query: ListByProviderQuery,
    response: { status: 200, schema: AiModelList },
    handler: async ({ context, query: { provider } }) => ({
      items: listModels(context, { type, provider }).map(presentModel),
    }),
  });
}

const listVoices = defineRoute({
  ...common,
  operationId: 'listAiVoices',
  path: '/ai-models/voices',
  summary: 'List voices',
  description: `Voices of the providers that are configured here. ${asFiltered}`,
  query: ListByProviderQuery,
  response: { status: 200, schema: AiVoiceList },
  handler: async ({ context, query }) => ({ items: voicesOf(context, query) }),
});

/** Shows only what there is in models of this type. */
function presentModel(model: AiModel): AiModelResponse {
  const { id, name, provider, type, description, state, available, recommended, replacement } = model;
  const { multiplier, inputMultiplier, outputMultiplier, cachedMultiplier, serverVad, clientVad } = model;
  return {
    ...{ id, name, provider, type, description, state, available, recommended, replacement, multiplier },
    ...(['chat', 'realtime'].includes(type) && { inputMultiplier, outputMultiplier, cachedMultiplier }),
    ...(type === 'chat' && { images: model.images }),
    ...(type === 'realtime' && { voices: model.voices, serverVad, clientVad }),
  };
}

export const aiModelRoutes = [
  listAll,
  listOfType('chat', 'listChatModels', 'chat models'),
  listOfType('image', 'listImageModels', 'models that make images'),
  listOfType('realtime', 'listRealtimeModels', 'models that speak and listen'),
  listOfType('stt', 'listSpeechToTextModels', 'models that write down speech'),
  listOfType('tts', 'listTextToSpeechModels', 'models that read text aloud'),
  listVoices,
];
