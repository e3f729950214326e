import { randomUUID } from 'node:crypto';
import type { DeliveryRow } from '../../db/channels/deliveries.js';
import { awaitTime } from '../../domain/channels/deliveries/await-time.js';
import {
  type ClaimedNext,
  claimDelivery,
  claimNext,
  type DeliveryClaim,
  releaseDelivery,
} from '../../domain/channels/deliveries/claim-delivery.js';
import { prepareDeliveryLookup, recordLookupMiss } from '../../domain/channels/deliveries/delivery-lookup.js';
import type { DeliveryRef } from '../../domain/channels/deliveries/delivery-ref.js';
import {
  holdBesideChat,
  holdDelivery,
  holdForPlace,
} from '../../domain/channels/deliveries/hold-delivery.js';
import {
  type Following,
  type NextDelivery,
  nextDelivery,
} from '../../domain/channels/deliveries/next-delivery.js';
import { slowDownAfter } from '../../domain/channels/deliveries/pace.js';
import { recordAndGoOn } from '../../domain/channels/deliveries/record-and-go-on.js';
import {
  findLateReceipt,
  recordDeliveryNews,
  recordFoundMessage,
  recordLateReceipt,
} from '../../domain/channels/deliveries/record-delivery-news.js';
import { type DeliveryNews, unknownOutcome } from '../../domain/channels/deliveries/settle-delivery.js';
import { notConfigured, ProviderBusy, ProviderUnusable, tooManyRequests } from '../../providers/failures.js';
import type { DeliveryDone, DeliveryStep } from '../../workflows/contracts/steps.js';
import { patienceMs, performOnce, persistently } from '../kernel/at-most-once.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { maxRetryMs, retryLater } from '../kernel/retry-later.js';
import type { ChannelSender } from './channel-sender.js';
import { emailSender } from './email-sender.js';
import { bytesLost, isOfStorage } from './message-media.js';
import { smsSender } from './sms-sender.js';

/** For how long a step is tried again that has claimed nothing: its run tries it later. */
const nothingClaimedMs = 3_000;

type RefInChat = DeliveryRef & { chatId: number };
type ToSend = Extract<ClaimedNext, { kind: 'send' }>;
type SenderOf = (channel: DeliveryRow['channel']) => ChannelSender;

export function deliveryActivities(dependencies: ActivityDependencies) {
  const sms = smsSender(dependencies);
  const email = emailSender(dependencies);
  const senderOf: SenderOf = (channel) => {
    if (channel === 'phone-sms') return sms;
    return email;
  };
  const send = async (ref: RefInChat, next: ToSend, token: string): Promise<Following | undefined> => {
    const sendOnce = () => sendDelivery(dependencies, senderOf, ref, { claimed: next.claim, token });
    if (next.claim !== undefined) return sendOnce();
    if (next.begins === true && !(await awaitTime(dependencies, ref))) return undefined;
    const entered = next.needsPlace === true ? await email.enter?.(ref) : undefined;
    if (entered?.kind === 'full') {
      await holdForPlace(dependencies, ref, entered.waitMs);
      return undefined;
    }
    try {
      return await sendOnce();
    } finally {
      entered?.leave();
    }
  };
  /**
   * Slows a sender down that the provider says is too fast, and returns whether the message waits, so that the run goes on
   * with others. An answer is tried again soon.
   */
  const waitsForPace = async (error: unknown, next: NextDelivery, ref: DeliveryRef): Promise<boolean> => {
    if (!(error instanceof ProviderBusy && error.code === tooManyRequests) || next.kind !== 'send')
      return false;
    await slowDownAfter(dependencies, ref, error.retryAfterMs);
    return next.begins ?? false;
  };
  /** Returns whether a message that its provider does not take now waits alone, so that the run goes on with its chat. */
  const waitsAlone = async (error: unknown, next: NextDelivery, ref: DeliveryRef): Promise<boolean> => {
    const isAway = error instanceof ProviderBusy || error instanceof ProviderUnusable;
    return isAway && next.kind === 'send' && holdBesideChat(dependencies, ref);
  };
  return {
    /** Safe to repeat: the next step is determined anew, and a claimed attempt is not made again. */
    async deliverNext(input: { workspaceId: number; chatId: number }): Promise<DeliveryStep> {
      const token = randomUUID();
      // A claim whose commit was not answered is found again only by its token.
      let maybeClaimed = false;
      const claim = () =>
        claimNext(dependencies, input, token, () => {
          maybeClaimed = true;
        });
      const next = await persistently(claim, () => (maybeClaimed ? patienceMs : nothingClaimedMs));
      if (next.kind === 'wait' || next.kind === 'idle') return next;
      const { kind: act, deliveryId: lastDeliveryId } = next;
      const ref = { ...input, deliveryId: next.deliveryId };
      let following: Following | undefined;
      try {
        if (next.kind === 'send') following = await send(ref, next, token);
        else if (next.kind === 'resolve') await resolveDelivery(dependencies, senderOf, ref);
        else await askForReceipt(dependencies, senderOf, ref);
      } catch (error) {
        if (isOfStorage(error)) await holdDelivery(dependencies, ref);
        else if (!(await waitsForPace(error, next, ref)) && !(await waitsAlone(error, next, ref))) {
          if (error instanceof ProviderUnusable) return untilUsable(dependencies, error);
          throw retryLater(error);
        }
      }
      following ??= await nextDelivery(dependencies, { ...input, lastDeliveryId });
      const { last, ...then } = following;
      const step: DeliveryStep = then.kind === 'wait' || then.kind === 'idle' ? then : { kind: 'again' };
      return last === undefined ? step : { ...step, done: doneOf(act, last) };
    },
  };
}

function doneOf(
  act: DeliveryDone['act'],
  { messageId, state, failureReason }: Pick<DeliveryRow, 'messageId' | 'state' | 'failureReason'>,
): DeliveryDone {
  return { act, messageId, state, ...(failureReason === null ? {} : { reason: failureReason }) };
}

/** Looks up the outcome of a claimed attempt at the provider. Never sends. */
async function resolveDelivery(
  dependencies: ActivityDependencies,
  senderOf: SenderOf,
  ref: DeliveryRef,
): Promise<void> {
  const unknown = await prepareDeliveryLookup(dependencies, ref);
  if (unknown === undefined) return;
  const { attempt, isPast } = unknown;
  const giveUp = () =>
    recordDeliveryNews(dependencies, ref, attempt, { state: 'failed', failureReason: unknownOutcome });
  try {
    const found = await senderOf(unknown.channel).find(unknown);
    const isRecorded = found !== undefined && (await recordFoundMessage(dependencies, ref, attempt, found));
    if (!isRecorded && (await recordLookupMiss(dependencies, ref, attempt))) await giveUp();
  } catch (error) {
    if (!(error instanceof ProviderUnusable && isPast)) throw error;
    await giveUp();
  }
}

/** Asks the provider for the status of a message whose receipt is late. */
async function askForReceipt(
  dependencies: ActivityDependencies,
  senderOf: SenderOf,
  ref: DeliveryRef,
): Promise<void> {
  const late = await findLateReceipt(dependencies, ref);
  if (late === undefined) return;
  const { attempt, carrierMessageId, channel } = late;
  const found = carrierMessageId === null ? undefined : await senderOf(channel).ask(carrierMessageId);
  await recordLateReceipt(dependencies, ref, attempt, found ?? { state: 'sent' });
}

/** The run itself waits while the account is unusable, so that a poke or a receipt still reaches it. */
function untilUsable({ clock }: ActivityDependencies, { details }: ProviderUnusable): DeliveryStep {
  const until = clock.now().getTime() + (details.retryAfterMs ?? maxRetryMs);
  return { kind: 'wait', until, code: 'carrier_unusable' };
}

/**
 * Sends a message, at most once. If the outcome is unknown, a callback or a look-up resolves the claim later.
 * @param claimed what the token has claimed, if it has
 * @returns what is next in the chat, if the record has found it
 * @throws ProviderBusy, ProviderUnusable when it was certainly not sent
 */
async function sendDelivery(
  dependencies: ActivityDependencies,
  senderOf: SenderOf,
  ref: RefInChat,
  { claimed, token }: { claimed: DeliveryClaim | undefined; token: string },
): Promise<Following | undefined> {
  let following: Following | undefined;
  await performOnce(
    {
      claim: async () => claimed ?? (await claimDelivery(dependencies, ref, token)),
      perform: (claim) => senderOf(claim.channel).send(claim),
      async record(outcome, { attempt, channel }) {
        const tell = (news: Omit<DeliveryNews, 'learntBy'>) =>
          recordDeliveryNews(dependencies, ref, attempt, news);
        switch (outcome.kind) {
          case 'done':
            following = await recordAndGoOn(dependencies, ref, attempt, {
              state: 'sent',
              carrierMessageId: outcome.result.carrierMessageId,
            });
            return undefined;
          case 'refused':
            return tell({ state: 'failed', ...failureOf(outcome) });
          case 'released':
            return releaseDelivery(dependencies, ref, { token, counts: outcome.counts });
          case 'unknown':
            if (senderOf(channel).looksUp) return undefined;
            return tell({ state: 'failed', failureReason: unknownOutcome });
        }
      },
    },
    token,
  );
  return following;
}

function failureOf({ reason, code }: { reason: string; code: string }): Partial<DeliveryNews> {
  if (code === notConfigured) return { failureReason: reason };
  return code === bytesLost ? { failureReason: 'file_deleted' } : { errorCode: code };
}
