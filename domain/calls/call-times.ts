/** The deadlines of calls, which their runs keep. */

const secondMs = 1_000;
const minuteMs = 60 * secondMs;

/** How long after it is asked for a call may be dialled: later, nobody expects it any more. */
export const dialWithinMs = 10 * minuteMs;
/** How often a call that is not dialled looks whether the hold of the workspace has ended, whose end pokes its run. */
export const holdCheckMs = 60 * minuteMs;
/** How long it rings at the carrier's request, which may take some seconds longer. */
export const ringSeconds = 45;
/** After dialling, when the carrier is asked how a call is that was not answered, as far as is known. */
export const answerWithinMs = 2 * minuteMs;
/** The longest call. */
export const maxCallMs = 2 * 60 * minuteMs;
/** What the carrier is granted to end the longest call by itself, and to say so. */
export const endGraceMs = minuteMs;
/** How long a process may take to say goodbye after it was commanded to. */
export const goodbyeWithinMs = 30 * secondMs;
/** What a message to a machine may take, before the run ends the call. */
export const messageWithinMs = 3 * minuteMs;
/** How often a run looks at a call that goes on. */
export const checkEveryMs = 5 * minuteMs;
/** When the carrier is asked how a call is whose sound nobody holds. */
export const silentForMs = 30 * secondMs;
/** After the end of the last stream, when the run is poked if the carrier has reported no end: it then asks at once. */
export const unreportedForMs = silentForMs + secondMs;
/** Over without a heartbeat for so long. */
export const leaseMs = 15 * secondMs;
/** Delays after the claim at which a call is looked for that the carrier may have taken. */
export const lookUpDelaysMs: readonly number[] = [10 * secondMs, 45 * secondMs, 2 * minuteMs];
/** When the carrier is asked what a call cost: it bills within minutes. Later ones follow while it has not. */
export const billDelaysMs: readonly number[] = [5 * minuteMs, 2 * 60 * minuteMs, 26 * 60 * minuteMs];
/** How long without a definite answer of the carrier a call that must be over is taken to be over. */
export const unansweredForMs = 15 * minuteMs;
