import { partsOf } from './entries.js';

/** The provider's own name of a model: the last part of a catalogue id `<provider>:<type>:<name>`. */
export function modelName(modelId: string): string {
  return partsOf(modelId).name || modelId;
}
