import type { DeliveryClaim } from '../../domain/channels/deliveries/claim-delivery.js';
import { objectKey } from '../../domain/files/object-store.js';
import {
  ProviderBusy,
  ProviderFailure,
  ProviderRefused,
  ProviderUnusable,
} from '../../providers/failures.js';
import type { Storage } from '../../providers/storage/storage.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';

type WithMedia = Pick<
  Extract<DeliveryClaim, { kind: 'claimed' }>,
  'workspaceUuid' | 'media' | 'validitySeconds'
>;

/** The code of a refusal where a file has a row and no bytes. */
export const bytesLost = 'bytes_lost';

/** Less than the rest of an attempt has: one that takes longer would be taken for a message that may have been sent. */
const checkedWithinMs = 5_000;
/** How long after the carrier has given up a message it may still fetch its media. */
const lateFetchSeconds = 900;

/**
 * Checks that the carrier will find the bytes: otherwise it would report a failure that is the storage's.
 * @throws ProviderRefused if they are lost; ProviderBusy, ProviderUnusable of the storage
 */
export async function requireBytes(
  { storage }: Pick<ActivityDependencies, 'storage'>,
  { workspaceUuid, media }: WithMedia,
): Promise<void> {
  if (media.length === 0) return;
  const keys = media.map(({ objectUuid }) => objectKey(workspaceUuid, objectUuid));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ProviderBusy('storage', 'timeout')), checkedWithinMs);
  });
  try {
    const found = await Promise.race([Promise.all(keys.map((key) => isThere(storage, key))), late]);
    if (found.includes(false)) throw new ProviderRefused('storage', bytesLost);
  } finally {
    clearTimeout(timer);
  }
}

async function isThere(storage: Storage, key: string): Promise<boolean> {
  try {
    return (await storage.head(key)) !== undefined;
  } catch (error) {
    // What the storage refuses may be there still when an operator has seen to it.
    if (error instanceof ProviderBusy || error instanceof ProviderUnusable) throw error;
    // The carrier has not been asked: whatever went wrong, nothing was sent.
    throw new ProviderBusy('storage', error instanceof ProviderFailure ? error.code : 'unknown');
  }
}

/**
 * Addresses of the service for the carrier, made for one attempt. They are valid as long as the carrier may keep the
 * message in its queue, and stop when the file is deleted.
 */
export function mediaAddresses(
  { fileAddresses, clock }: Pick<ActivityDependencies, 'fileAddresses' | 'clock'>,
  { workspaceUuid, media, validitySeconds }: WithMedia,
): string[] {
  const seconds = validitySeconds + lateFetchSeconds;
  return media.map(({ fileId, versionNumber, filename }) => {
    const file = { workspaceUuid, fileId, versionNumber, filename, disposition: 'attachment' } as const;
    return fileAddresses.addressOf(file, clock.now(), seconds);
  });
}

export function isOfStorage(error: unknown): boolean {
  return error instanceof ProviderFailure && error.provider === 'storage';
}
