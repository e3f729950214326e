/** The provider's own name of a model: the last part of a catalogue id `<provider>:<type>:<name>`. */
export function modelName(modelId: string): string {
  const [provider, type, ...name] = modelId.split(':');
  return provider === undefined || type === undefined || name.length === 0 ? modelId : name.join(':');
}
