import type { AiModel } from '../../../../domain/kernel/ai-models/model-catalogue.js';
import { omitNullish } from '../../../http/omit-nullish.js';
import type { AiModelResponse } from './schemas.js';

export function presentModel(model: AiModel): AiModelResponse {
  const { id, name, provider, type, state, available, recommended, multiplier } = model;
  const { inputMultiplier, outputMultiplier, cachedMultiplier, serverVad, clientVad } = model;
  return {
    ...{ id, name, provider, type, state, available, recommended, multiplier },
    ...omitNullish({ description: model.description, replacement: model.replacement }),
    ...(['chat', 'realtime'].includes(type) && { inputMultiplier, outputMultiplier, cachedMultiplier }),
    ...(type === 'chat' && { images: model.images }),
    ...(type === 'realtime' && { voices: [...model.voices], serverVad, clientVad }),
  };
}
