import type { ProviderState } from '../provider-state.js';
import type { RealtimeModel } from './realtime.js';

/** Opens sessions through the circuit breaker of the model's account. */
export function guardRealtime(model: RealtimeModel, state: ProviderState): RealtimeModel {
  return { connect: (...session) => state.call(() => model.connect(...session)) };
}
