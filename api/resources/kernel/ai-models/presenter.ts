import type { AiModel } from '../../../../domain/kernel/ai-models/model-catalogue.js';
import { omitNullish } from '../../../http/omit-nullish.js';
import type { AiModelResponse } from './schemas.js';

export function presentModel(model: AiModel): AiModelResponse {
  const { id, name, provider, type, state, available, recommended, multiplier } = model;
  return {
    ...{ id, name, provider, type, state, available, recommended, multiplier },
    ...omitNullish({ description: model.description, replacement: model.replacement }),
    ...(type === 'chat' || type === 'realtime' ? presentTokenMultipliers(model) : {}),
    ...(type === 'realtime' ? presentSpeech(model) : {}),
  };
}

function presentTokenMultipliers({ inputMultiplier, outputMultiplier, cachedMultiplier }: AiModel) {
  return { inputMultiplier, outputMultiplier, cachedMultiplier };
}

function presentSpeech({ voices, serverVad, clientVad }: AiModel) {
  return { voices: [...voices], serverVad, clientVad };
}
