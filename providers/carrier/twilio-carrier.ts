import type { Twilio } from 'twilio';
import { validateRequest } from 'twilio/lib/webhooks/webhooks.js';
import { parseUrl } from '../../domain/lib/parse-url.js';
import { loadedAtFirstUse } from '../loaded-at-first-use.js';
import { attemptWindow } from './attempt-window.js';
import {
  type BilledPage,
  type Carrier,
  CarrierBusy,
  type CarrierMessage,
  CarrierOutcomeUnknown,
  connectionOverrides,
  type FetchedMedia,
  type InboundPage,
  type ListQuery,
  MediaMissing,
  type MediaRef,
  type OutgoingSms,
  type SignedRequest,
  type SmsQuery,
} from './carrier.js';
import type { CarrierCalls } from './carrier-calls.js';
import { priceOf } from './carrier-price.js';
import type { CarrierRequestOptions } from './carrier-request-client.js';
import { chooseCandidate } from './choose-candidate.js';
import { MediaFetcher } from './fetch-media.js';
import { isMissing, rethrowing, typed } from './map-carrier-errors.js';
import { TwilioCalls } from './twilio-calls.js';

export interface TwilioCarrierOptions extends Partial<CarrierRequestOptions> {
  accountSid: string;
  authToken: string;
}

/** How many messages between the same two numbers are searched for a lost one. */
const SEARCHED = 200;
/** More media than a message can have. */
const MOST_MEDIA = 20;
/** Page size of the list by time; the carrier's maximum. */
const LISTED = 1_000;

/** The carrier through the `twilio` package, with the package's own retries off. */
export class TwilioCarrier implements Carrier {
  readonly account: string;
  readonly calls: CarrierCalls;
  readonly #client: () => Promise<Twilio>;
  readonly #authToken: string;
  readonly #media: MediaFetcher;
  readonly #apiUrl: string;

  constructor(options: TwilioCarrierOptions, load = () => import('./carrier-request-client.js')) {
    const { accountSid, authToken, ...request } = options;
    this.#media = new MediaFetcher(request.apiBaseUrl);
    this.#apiUrl = (request.apiBaseUrl ?? 'https://api.twilio.com').replace(/\/+$/, '');
    this.account = accountSid;
    this.#authToken = authToken;
    this.#client = loadedAtFirstUse(async () => (await load()).createClient(options), CarrierBusy);
    this.calls = new TwilioCalls(this.#client);
  }

  async sendSms(message: OutgoingSms): Promise<CarrierMessage> {
    const { from, to, body, statusCallback, validitySeconds, mediaUrls = [] } = message;
    const { messages } = await this.#client();
    const sent = await messages
      .create({
        from,
        to,
        body,
        ...(mediaUrls.length === 0 ? {} : { mediaUrl: [...mediaUrls] }),
        ...(validitySeconds === undefined ? {} : { validityPeriod: validitySeconds }),
        ...(statusCallback === undefined ? {} : { statusCallback }),
      })
      .catch(rethrowing(CarrierOutcomeUnknown));
    if (!sent.sid) throw new CarrierOutcomeUnknown('unreadable_answer');
    return present(sent);
  }

  /** Filters by creation time here: a message in the carrier's queue has no `DateSent`. */
  async findSms(query: SmsQuery): Promise<CarrierMessage | undefined> {
    const { from, to, claimedAt, knownIds = [] } = query;
    const { messages } = await this.#client();
    const listed = await messages
      .list({ from, to, limit: SEARCHED, pageSize: SEARCHED })
      .catch(rethrowing(CarrierBusy));
    const { earliest, latest } = attemptWindow(claimedAt);
    // The list has the newest message first.
    const candidates = listed
      .reverse()
      .filter(
        ({ sid, direction, dateCreated }) =>
          direction === 'outbound-api' &&
          dateCreated.getTime() >= earliest &&
          dateCreated.getTime() <= latest &&
          !knownIds.includes(sid),
      );
    const found = chooseCandidate(candidates, query);
    return found && present(found);
  }

  async smsStatus(carrierMessageId: string): Promise<CarrierMessage | undefined> {
    const { messages } = await this.#client();
    try {
      return present(await messages(carrierMessageId).fetch());
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw typed(error, CarrierBusy);
    }
  }

  /** The list contains both directions, and the carrier cannot filter by direction. */
  async listInbound(query: ListQuery): Promise<InboundPage> {
    const { listed, ...next } = await this.#list(query);
    return {
      messages: listed
        .filter(({ direction }) => direction === 'inbound')
        .map(({ sid, from, to, body, numMedia, dateSent, dateCreated }) => ({
          carrierMessageId: sid,
          from,
          to,
          body,
          receivedAt: dateSent ?? dateCreated,
          mediaCount: Number(numMedia) || 0,
        })),
      ...next,
    };
  }

  async listBilled(query: ListQuery): Promise<BilledPage> {
    const { listed, ...next } = await this.#list(query);
    return {
      messages: listed.map((message) => {
        const { sid, from, to, direction, dateSent, dateCreated, numSegments } = message;
        const price = priceOf(message);
        return {
          carrierMessageId: sid,
          from,
          to,
          inbound: direction === 'inbound',
          sentAt: dateSent ?? dateCreated,
          segments: Number(numSegments) || 0,
          ...(price === undefined ? {} : { price }),
        };
      }),
      ...next,
    };
  }

  async #list({ since, until, page }: ListQuery) {
    const { messages } = await this.#client();
    const asked =
      page === undefined
        ? messages.page({ dateSentAfter: since, dateSentBefore: until, pageSize: LISTED })
        : messages.getPage(page);
    const { instances: listed, nextPageUrl } = await asked.catch(rethrowing(CarrierBusy));
    return { listed, ...(nextPageUrl ? { nextPage: nextPageUrl } : {}) };
  }

  /** In the order of their creation: the list has the newest first. */
  async listMedia(carrierMessageId: string): Promise<string[]> {
    const { messages } = await this.#client();
    try {
      const found = await messages(carrierMessageId).media.list({ limit: MOST_MEDIA });
      return found.reverse().map(({ sid }) => sid);
    } catch (error) {
      if (isMissing(error)) throw new MediaMissing();
      throw typed(error, CarrierBusy);
    }
  }

  /**
   * Reads the address from the ids, not from the webhook. https://www.twilio.com/docs/messaging/api/media-resource
   */
  fetchMedia({ carrierMessageId, mediaId }: MediaRef, signal: AbortSignal): Promise<FetchedMedia> {
    const account = `${this.#apiUrl}/2010-04-01/Accounts/${this.account}`;
    const url = `${account}/Messages/${carrierMessageId}/Media/${mediaId}`;
    const credentials = Buffer.from(`${this.account}:${this.#authToken}`).toString('base64');
    return this.#media.fetch({ url, credentials, signal });
  }

  /** The package throws on some malformed requests, which are then not the carrier's. */
  verifySignature({ signature, url, params }: SignedRequest): boolean {
    if (signature === undefined || signature === '' || parseUrl(url) === undefined) return false;
    try {
      return signedForms(url).some((signed) => validateRequest(this.#authToken, signature, signed, params));
    } catch {
      return false;
    }
  }
}

/**
 * The forms of an address that a signature may cover. The package tries both with and without the port, but takes 80 for
 * the port of `wss`. It is not documented whether the signature covers the overrides in a configured address. Accepting
 * all is safe, because each needs the auth token.
 */
function signedForms(url: string): string[] {
  const socket = /^wss:\/\/([^/?#]+)(.*)$/s.exec(url);
  if (socket === null) return [url, `${url}${connectionOverrides}`];
  const [, host = '', rest = ''] = socket;
  return [url, `wss://${host.replace(/:443$/, '')}:443${rest}`];
}

type Sent = { sid: string; status: string; errorCode: number | null | undefined };

function present({ sid, status, errorCode }: Sent): CarrierMessage {
  const coded = typeof errorCode === 'number' && Number.isFinite(errorCode) && errorCode !== 0;
  return { carrierMessageId: sid, status, ...(coded ? { errorCode: String(errorCode) } : {}) };
}
