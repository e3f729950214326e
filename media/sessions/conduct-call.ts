import type { ChatPlace, Signal } from '../../db/live/notices.js';
import { type CallBackendContext, openCallBackend } from '../../domain/agent/voice/call-backend.js';
import type { ChatModel } from '../../providers/model/chat-model.js';
import type { RealtimeModel } from '../../providers/realtime/realtime.js';
import type { Logger } from '../../runtime/logger.js';
import { runBridge } from '../bridge/bridge.js';
import type { BridgeEnd, Recorder } from '../bridge/ports.js';
import { systemClock } from '../bridge/system-clock.js';
import { runRelay } from '../relay/relay.js';
import type { HeldCall } from './call-keeper.js';
import { SpeakingIndicator, watchLine, watchSound } from './speaking-indicator.js';

export interface ConductorOptions {
  context: CallBackendContext;
  /** Undefined: none is configured, so that a bridge ends at once, and the carrier's next question decides what follows. */
  models: { realtime: RealtimeModel; chat: ChatModel } | undefined;
  logger: Logger;
  /** Tells those who follow the chat who speaks. */
  signal?(place: ChatPlace, signal: Signal): void;
}

/** Of calls that are not recorded. */
const noRecorder: Recorder = { heard() {}, spoke() {}, cleared() {}, async finish() {} };

/** Conducts a call by a bridge to the realtime model, or a session of text by the chat model. */
export async function conductCall(
  held: HeldCall,
  { context, models, logger, signal: signalOf }: ConductorOptions,
): Promise<BridgeEnd> {
  if (models === undefined) return { reason: 'model_lost' };
  const { workspaceId, chatId, callId, attempt, beganAt, recording, joined, signal, hangUp } = held;
  const call = {
    workspaceId,
    chatId,
    callId,
    attempt,
    beganAt,
    streamBeganMs: recording?.streamBeganMs ?? (joined.kind === 'text' ? held.answeredForMs : 0),
    recordingUuid: recording?.uuid ?? null,
  };
  const backend = openCallBackend(context, call);
  const log = logger.child({ workspaceId, callId, attempt });
  const shared = { call, backend, clock: systemClock, log, signal, hangUp };
  const speakers = new SpeakingIndicator(systemClock, (speaker, active) =>
    signalOf?.({ workspaceId, chatId }, { type: 'call.speaking', phoneCallId: callId, speaker, active }),
  );
  try {
    if (joined.kind === 'text') {
      return await runRelay({ ...shared, line: watchLine(joined.stream, speakers), model: models.chat });
    }
    const watched = watchSound(joined.stream, models.realtime, speakers);
    return await runBridge({ ...shared, ...watched, recorder: recorderOf(held) });
  } finally {
    speakers.ended();
  }
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
