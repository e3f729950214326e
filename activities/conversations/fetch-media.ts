import { rm } from 'node:fs/promises';
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import {
  type AwaitedMedia,
  announceMedia,
  countMedia,
  findAwaitedMedia,
  giveUpMedia,
  keepMedia,
  type MediaFetched,
  type MediaRef,
} from '../../domain/conversations/media/keep-media.js';
import { type MediaFailure, mediaLimits } from '../../domain/files/attachments/limits.js';
import { Conflict } from '../../domain/lib/errors.js';
import { type Carrier, CarrierUnusable, MediaMissing } from '../../providers/carrier/carrier.js';
import {
  notConfigured,
  ProviderBusy,
  ProviderFailure,
  ProviderOutcomeUnknown,
  ProviderRefused,
} from '../../providers/failures.js';
import { StorageTooLarge } from '../../providers/storage/storage.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { maxRetryMs, retryLater } from '../kernel/retry-later.js';

const heartbeatMs = 5_000;

type Dependencies = Pick<
  ActivityDependencies,
  'db' | 'clock' | 'logger' | 'carrier' | 'storage' | 'bytesPerWorkspace'
>;

export function mediaActivities(dependencies: Dependencies) {
  const { clock, logger, storage, bytesPerWorkspace } = dependencies;

  return {
    /** Fetches what is still awaited. Media that fail do not hold up the others; those that may come yet are retried. */
    async fetchMedia(ref: MediaRef): Promise<MediaFetched> {
      const awaited = await findAwaitedMedia(dependencies, ref);
      if (awaited === undefined) return countMedia(dependencies, ref);
      const beats = setInterval(() => heartbeat(), heartbeatMs);
      try {
        const { failure, settled } = await fetchAll(ref, awaited);
        if (failure === undefined) return await countMedia(dependencies, ref);
        if (settled > 0) await announceMedia(dependencies, ref);
        throw retryLater(toBeRetried(failure), maxRetryMs);
      } finally {
        clearInterval(beats);
      }
    },
  };

  async function fetchAll(
    ref: MediaRef,
    awaited: AwaitedMedia,
  ): Promise<{ failure: unknown; settled: number }> {
    const listed = await idsOf(awaited).catch((error: unknown) => error);
    const ids = Array.isArray(listed) ? listed.filter((id) => !awaited.knownIds.includes(id)) : [];
    let failure: unknown;
    let settled = 0;
    for (const [index, place] of awaited.places.entries()) {
      const mediaId: string | undefined = ids[index];
      try {
        if (!Array.isArray(listed)) throw listed;
        if (mediaId === undefined) throw new MediaMissing();
        await fetchOne(ref, awaited, place, mediaId);
        settled += 1;
      } catch (error) {
        const reason = verdictOn(error, clock.now().getTime() - awaited.awaitedSince.getTime());
        if (reason === undefined) {
          failure ??= error;
          continue;
        }
        await giveUpMedia(dependencies, ref, { place, mediaId, reason });
        settled += 1;
        const { workspaceId, messageId } = ref;
        logger.warn({ workspaceId, messageId, reason }, 'media of a message are given up');
      }
    }
    return { failure, settled };
  }

  async function idsOf({ carrierMessageId }: AwaitedMedia): Promise<string[]> {
    if (dependencies.carrier === undefined) throw new CarrierUnusable(notConfigured);
    return dependencies.carrier.listMedia(carrierMessageId);
  }

  async function fetchOne(
    ref: MediaRef,
    { carrierMessageId, memberId }: AwaitedMedia,
    place: number,
    mediaId: string,
  ): Promise<void> {
    const { carrier } = dependencies;
    if (carrier === undefined) throw new CarrierUnusable(notConfigured);
    const received = await receive(carrier, { carrierMessageId, mediaId });
    try {
      if (received.spooled.bytes === 0) throw new EmptyMedia();
      const kept = { place, memberId, received: { ...received, mediaId }, storedNothing };
      await keepMedia(dependencies, { objects: storage, bytesPerWorkspace }, ref, kept);
    } finally {
      await rm(received.spooled.path, { force: true });
    }
  }

  async function receive(carrier: Carrier, media: { carrierMessageId: string; mediaId: string }) {
    const deadline = AbortSignal.timeout(mediaLimits.fetchMs);
    const signal = AbortSignal.any([deadline, cancellationSignal()]);
    const { mimeType, bytes } = await carrier.fetchMedia(media, signal);
    return { mimeType, spooled: await storage.receive(bytes, { maxBytes: mediaLimits.bytes }) };
  }
}

class EmptyMedia extends Error {}

function storedNothing(error: unknown): boolean {
  return error instanceof ProviderFailure && !(error instanceof ProviderOutcomeUnknown);
}

/** Why media are given up after that time; undefined while they may come yet. */
function verdictOn(error: unknown, awaitedMs: number): MediaFailure | undefined {
  if (error instanceof MediaMissing) return awaitedMs > mediaLimits.missingMs ? 'gone' : undefined;
  if (error instanceof StorageTooLarge) return 'too_large';
  if (error instanceof EmptyMedia) return 'empty';
  if (error instanceof Conflict && error.code === 'storage_full') return 'storage_full';
  // What the storage refuses may be there still when an operator has seen to it.
  if (error instanceof ProviderRefused && error.provider === 'carrier') return 'refused';
  return awaitedMs > mediaLimits.insistMs ? 'unavailable' : undefined;
}

/** That media are missing is no fault of the request: the carrier may have them soon. */
function toBeRetried(error: unknown): unknown {
  return error instanceof MediaMissing ? new ProviderBusy('carrier', error.code) : error;
}
