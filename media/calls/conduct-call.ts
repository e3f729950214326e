import { type DeskContext, openDesk } from '../../domain/agent/calls/open-desk.js';
import type { ChatModel } from '../../providers/model/chat-model.js';
import type { RealtimeModel } from '../../providers/realtime/realtime.js';
import type { Logger } from '../../runtime/logger.js';
import { runBridge } from '../bridge/bridge.js';
import type { BridgeEnd, Recorder } from '../bridge/ports.js';
import { systemClock } from '../bridge/system-clock.js';
import { runRelay } from '../relay/relay.js';
import type { HeldCall } from './call-keeper.js';

export interface ConductorOptions {
  context: DeskContext;
  /** Undefined: none is configured, so that a bridge ends at once, and the carrier's next question decides what follows. */
  models: { realtime: RealtimeModel; chat: ChatModel } | undefined;
  logger: Logger;
}

/** Of calls that are not recorded. */
const noRecorder: Recorder = { heard() {}, spoke() {}, cleared() {}, async finish() {} };

/** Conducts a call by a bridge to the realtime model, or a session of text by the chat model. */
export async function conductCall(
  held: HeldCall,
  { context, models, logger }: ConductorOptions,
): Promise<BridgeEnd> {
  if (models === undefined) return { reason: 'model_lost' };
  const { workspaceId, chatId, callId, attempt, recording, joined, signal } = held;
  const call = {
    workspaceId,
    chatId,
    callId,
    attempt,
    streamBeganMs: recording?.streamBeganMs ?? (joined.kind === 'text' ? held.answeredForMs : 0),
    recordingUuid: recording?.uuid ?? null,
  };
  const desk = openDesk(context, call);
  const log = logger.child({ workspaceId, callId, attempt });
  const shared = { call, desk, clock: systemClock, log, signal };
  if (joined.kind === 'text') return runRelay({ ...shared, line: joined.stream, model: models.chat });
  const recorder = recorderOf(held);
  return runBridge({ ...shared, stream: joined.stream, model: models.realtime, recorder });
}

/** The end of a bridge does not wait for the storage: what was recorded is stored afterwards. */
function recorderOf({ recorder }: HeldCall): Recorder {
  if (recorder === undefined) return noRecorder;
  return {
    heard: (payload, timestampMs) => recorder.heard(payload, timestampMs),
    spoke: (payload) => recorder.spoke(payload),
    cleared: () => recorder.cleared(),
    async finish() {
      void recorder.finish();
    },
  };
}
