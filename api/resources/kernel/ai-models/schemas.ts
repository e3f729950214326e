import Type from 'typebox';
import { modelStates, modelTypes } from '../../../../domain/kernel/ai-models/entries.js';
import { type AnswerOf, OneOf } from '../../../http/schemas.js';

const tokenMultiplier = Type.Optional(
  Type.Number({ minimum: 0, description: 'For chat and realtime models: the weight of this kind of token' }),
);
const forSpeech = (can: string) =>
  Type.Optional(Type.Boolean({ description: `For realtime models: ${can}` }));

export const AiModelResponse = Type.Object(
  {
    id: Type.String({ description: 'Id of the model, as <provider>:<type>:<name>' }),
    name: Type.String(),
    provider: Type.String(),
    type: OneOf(modelTypes),
    description: Type.Optional(Type.String()),
    state: OneOf(modelStates, {
      description: 'A deprecated model still works; a request that names it gets its replacement',
    }),
    available: Type.Boolean({ description: 'The provider is configured, and the model is not disabled' }),
    recommended: Type.Boolean({ description: 'Used by default' }),
    replacement: Type.Optional(Type.String({ description: 'The model that replaces it' })),
    multiplier: Type.Number({
      minimum: 0,
      description:
        'Credits per unit: chat and realtime per 1000 tokens, image per image, stt per minute of audio, tts per 1000 characters',
    }),
    inputMultiplier: tokenMultiplier,
    outputMultiplier: tokenMultiplier,
    cachedMultiplier: tokenMultiplier,
    images: Type.Optional(
      Type.Boolean({ description: 'For chat models: images of messages can be shown to the model' }),
    ),
    voices: Type.Optional(Type.Array(Type.String(), { description: 'For realtime models: ids of voices' })),
    serverVad: forSpeech('the model detects speech itself'),
    clientVad: forSpeech('the client can signal speech'),
  },
  { $id: 'AiModelResponse' },
);
export type AiModelResponse = AnswerOf<typeof AiModelResponse>;

export const AiModelList = Type.Object({ items: Type.Array(AiModelResponse) }, { $id: 'AiModelList' });

export const AiVoiceResponse = Type.Object(
  {
    id: Type.String({ description: 'Id of the voice, as <provider>:voice:<name>' }),
    name: Type.String(),
    description: Type.String(),
    provider: Type.String(),
  },
  { $id: 'AiVoiceResponse' },
);

export const AiVoiceList = Type.Object({ items: Type.Array(AiVoiceResponse) }, { $id: 'AiVoiceList' });

const provider = Type.Optional(
  Type.String({ minLength: 1, maxLength: 100, description: 'A provider in the catalogue' }),
);

export const ListByProviderQuery = Type.Object({ provider });

export const ListAllModelsQuery = Type.Object({
  provider,
  include_unavailable: Type.Boolean({
    default: false,
    description: 'Include models that are not available here',
  }),
});
