import type { AssistantRow } from '../../../db/conversations/assistants.js';
import {
  type RealtimeModelConfig,
  usableRealtimeConfig,
} from '../../kernel/ai-models/realtime-model-config.js';

/**
 * How the agent listens and speaks in a call: as the participant in the chat says, else the definition, else the assistant,
 * each setting by itself (docs/voice.md).
 */
export function callSettings(
  assistant: Pick<AssistantRow, 'realtimeModelConfig'> | null,
  definition: Record<string, unknown>,
  participant: { realtimeModelConfig: Record<string, unknown> | null } | undefined,
): RealtimeModelConfig {
  return usableRealtimeConfig({
    ...assistant?.realtimeModelConfig,
    ...definition,
    ...participant?.realtimeModelConfig,
  });
}
