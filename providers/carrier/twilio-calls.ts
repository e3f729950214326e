import type { Twilio } from 'twilio';
import { attemptWindow } from './attempt-window.js';
import { CarrierBusy, CarrierOutcomeUnknown, CarrierRefused } from './carrier.js';
import type {
  CallInstructions,
  CallQuery,
  CarrierCall,
  CarrierCalls,
  OutgoingCall,
} from './carrier-calls.js';
import { priceOf } from './carrier-price.js';
import { assignToClaims } from './choose-candidate.js';
import { isMissing, rethrowing, typed } from './map-carrier-errors.js';

/** How many calls between the same two numbers are searched for a lost one. */
const SEARCHED = 200;
/** "Call is not in-progress": it has ended, or has not been answered. */
const NOT_IN_PROGRESS = '21220';

type Listed = Awaited<ReturnType<Twilio['calls']['list']>>[number];

/** The carrier's calls through the `twilio` package. https://www.twilio.com/docs/voice/api/call-resource */
export class TwilioCalls implements CarrierCalls {
  readonly #client: () => Promise<Twilio>;

  constructor(client: () => Promise<Twilio>) {
    this.#client = client;
  }

  async create(call: OutgoingCall): Promise<CarrierCall> {
    const { from, to, url, statusCallback, ringSeconds, maxSeconds, machineDetection } = call;
    const { calls } = await this.#client();
    const created = await calls
      .create({
        from,
        to,
        url,
        method: 'POST',
        statusCallback,
        statusCallbackEvent: ['initiated', 'ringing', 'answered', 'completed'],
        ...(ringSeconds === undefined ? {} : { timeout: ringSeconds }),
        ...(maxSeconds === undefined ? {} : { timeLimit: maxSeconds }),
        ...detectionOf(machineDetection),
      })
      .catch(rethrowing(CarrierOutcomeUnknown));
    if (!created.sid) throw new CarrierOutcomeUnknown('unreadable_answer');
    return present(created);
  }

  /** Filters by creation time here: a call that is not dialled yet has no `StartTime`. */
  async find({ from, to, claimedAt, claimsBefore = [], claimsAfter = [], knownIds = [] }: CallQuery) {
    const { calls } = await this.#client();
    const listed = await calls
      .list({ from, to, limit: SEARCHED, pageSize: SEARCHED })
      .catch(rethrowing(CarrierBusy));
    const { earliest, latest } = attemptWindow(claimedAt);
    // The list has the newest call first.
    const candidates = listed
      .reverse()
      .filter(
        ({ sid, direction, dateCreated }) =>
          direction === 'outbound-api' &&
          isTime(dateCreated) &&
          dateCreated.getTime() >= earliest &&
          dateCreated.getTime() <= latest &&
          !knownIds.includes(sid),
      );
    const claims = [...claimsBefore, claimedAt, ...claimsAfter];
    const found = assignToClaims(claims, candidates).get(claimsBefore.length);
    return found && present(found);
  }

  async status(carrierCallId: string): Promise<CarrierCall | undefined> {
    const { calls } = await this.#client();
    try {
      return present(await calls(carrierCallId).fetch());
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw typed(error, CarrierBusy);
    }
  }

  /** `completed` also hangs up a call that is queued or ringing; `canceled` would not one in progress. */
  async end(carrierCallId: string): Promise<CarrierCall | undefined> {
    const { calls } = await this.#client();
    try {
      return present(await calls(carrierCallId).update({ status: 'completed' }));
    } catch (error) {
      if (isMissing(error)) return undefined;
      if (isNotInProgress(error)) return this.status(carrierCallId);
      // Whether the carrier took it does not matter, because it may be repeated.
      if (error instanceof CarrierOutcomeUnknown) throw new CarrierBusy(error.code);
      throw typed(error, CarrierBusy);
    }
  }

  async redirect(carrierCallId: string, to: CallInstructions): Promise<CarrierCall | undefined> {
    const instructions = 'url' in to ? { url: to.url, method: 'POST' } : { twiml: to.twiml };
    const { calls } = await this.#client();
    try {
      return present(await calls(carrierCallId).update(instructions));
    } catch (error) {
      if (isMissing(error) || isNotInProgress(error)) return undefined;
      throw typed(error, CarrierOutcomeUnknown);
    }
  }
}

function detectionOf(detection: OutgoingCall['machineDetection']) {
  if (detection === undefined) return {};
  const { reportAt, callback, timeoutSeconds } = detection;
  return {
    machineDetection: reportAt === 'greeting_end' ? 'DetectMessageEnd' : 'Enable',
    asyncAmd: 'true',
    asyncAmdStatusCallback: callback,
    asyncAmdStatusCallbackMethod: 'POST',
    ...(timeoutSeconds === undefined ? {} : { machineDetectionTimeout: timeoutSeconds }),
  };
}

function isNotInProgress(error: unknown): boolean {
  return error instanceof CarrierRefused && error.code === NOT_IN_PROGRESS;
}

type Presented = Pick<
  Listed,
  'sid' | 'status' | 'startTime' | 'endTime' | 'duration' | 'price' | 'priceUnit' | 'answeredBy'
>;

/** The package says of an empty time, duration or price `null`, and of an unreadable time its text. */
function present(call: Presented): CarrierCall {
  const { sid, status, startTime, endTime, answeredBy } = call;
  const durationSeconds = wholeNumber(call.duration);
  const price = priceOf(call);
  return {
    carrierCallId: sid,
    status,
    ...(isTime(startTime) ? { startedAt: startTime } : {}),
    ...(isTime(endTime) ? { endedAt: endTime } : {}),
    ...(durationSeconds === undefined ? {} : { durationSeconds }),
    ...(price === undefined ? {} : { price }),
    ...(answeredBy ? { answeredBy } : {}),
  };
}

function isTime(value: unknown): value is Date {
  return value instanceof Date && !Number.isNaN(value.getTime());
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
