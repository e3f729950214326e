import { type DeskContext, openDesk } from '../../domain/agent/calls/open-desk.js';
import type { RealtimeModel } from '../../providers/realtime/realtime.js';
import type { Logger } from '../../runtime/logger.js';
import { runBridge } from '../bridge/bridge.js';
import type { BridgeEnd, Recorder } from '../bridge/ports.js';
import { systemClock } from '../bridge/system-clock.js';
import type { HeldCall } from './call-keeper.js';

export interface ConductorOptions {
  context: DeskContext;
  /** Undefined: none is configured, so that a bridge ends at once, and the carrier's next question decides what follows. */
  model: RealtimeModel | undefined;
  logger: Logger;
}

/** Of calls that are not recorded. */
const noRecorder: Recorder = { heard() {}, spoke() {}, cleared() {}, async finish() {} };

/** Conducts a call by a bridge to the realtime model. */
export async function conductCall(
  held: HeldCall,
  { context, model, logger }: ConductorOptions,
): Promise<BridgeEnd> {
  if (model === undefined) return { reason: 'model_lost' };
  const { workspaceId, chatId, callId, attempt, recording, stream, signal } = held;
  const call = {
    workspaceId,
    chatId,
    callId,
    attempt,
    streamBeganMs: recording?.streamBeganMs ?? 0,
    recordingUuid: recording?.uuid ?? null,
  };
  const desk = openDesk(context, call);
  const log = logger.child({ workspaceId, callId, attempt });
  const recorder = recorderOf(held);
  return runBridge({ stream, call, desk, model, recorder, clock: systemClock, log, signal });
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
