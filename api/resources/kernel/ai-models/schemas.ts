import Type, { type Static } from 'typebox';
import { modelStates, modelTypes } from '../../../../domain/kernel/ai-models/entries.js';
import { OneOf } from '../../../http/schemas.js';

const tokenMultiplier = Type.Optional(
  Type.Number({ minimum: 0, description: 'Of chat and realtime models: the weight of this kind of token' }),
);

export const AiModelResponse = Type.Object(
  {
    id: Type.String({ description: '<provider>:<type>:<name>' }),
    name: Type.String(),
    provider: Type.String(),
    type: OneOf(modelTypes),
    description: Type.Optional(Type.String()),
    state: OneOf(modelStates, {
      description: 'A deprecated model still works; who asks for it is given its replacement',
    }),
    available: Type.Boolean({ description: 'The provider is configured, and the model is not disabled' }),
    recommended: Type.Boolean({ description: 'Taken where nothing else is said' }),
    replacement: Type.Optional(Type.String({ description: 'What takes its place' })),
    multiplier: Type.Number({
      minimum: 0,
      description:
        'Credits: chat and realtime for each 1000 tokens, image for each image, stt for each minute of audio, tts for each 1000 characters',
    }),
    inputMultiplier: tokenMultiplier,
    outputMultiplier: tokenMultiplier,
    cachedMultiplier: tokenMultiplier,
    voices: Type.Optional(Type.Array(Type.String(), { description: 'Of realtime models: ids of voices' })),
    serverVad: Type.Optional(Type.Boolean({ description: 'Of realtime models: notices speech by itself' })),
    clientVad: Type.Optional(
      Type.Boolean({ description: 'Of realtime models: lets the client say when somebody speaks' }),
    ),
  },
  { $id: 'AiModelResponse' },
);
export type AiModelResponse = Static<typeof AiModelResponse>;

export const AiModelList = Type.Object({ items: Type.Array(AiModelResponse) });

export const AiVoiceResponse = Type.Object(
  {
    id: Type.String({ description: '<provider>:voice:<name>' }),
    name: Type.String(),
    description: Type.String(),
    provider: Type.String(),
  },
  { $id: 'AiVoiceResponse' },
);

export const AiVoiceList = Type.Object({ items: Type.Array(AiVoiceResponse) });

const provider = Type.Optional(
  Type.String({ minLength: 1, maxLength: 100, description: 'A provider that the catalogue has' }),
);

export const ListByProviderQuery = Type.Object({ provider });

export const ListAllModelsQuery = Type.Object({
  provider,
  include_unavailable: Type.Boolean({ default: false, description: 'Also what cannot be used here' }),
});
