import type { CallStep } from '../../workflows/contracts/steps.js';
import type { CallPlace } from './claim-call.js';

/** What the run of a call has to do next: at the carrier, or at the process that holds the sound. */
export type CallAction =
  | { kind: 'dial' }
  /** Look for a call that the carrier may have taken. */
  | { kind: 'find' }
  /** Ask how it is; of an ended call, what it cost. */
  | { kind: 'ask'; carrierCallId: string }
  /** Tell the process that its bridge has a command, and wait for the acknowledgement. */
  | { kind: 'command'; processId: string }
  /** End it, then ask. */
  | { kind: 'end'; carrierCallId: string }
  /** Have the carrier ask the service what follows, which closes the stream. */
  | { kind: 'redirect'; carrierCallId: string; place: CallPlace };

export type NextCallStep = CallAction | Exclude<CallStep, { kind: 'again' }>;
