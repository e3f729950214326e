import type { FileView } from '../../../../domain/files/files/file-view.js';
import type { CommandContext } from '../../../../domain/kernel/context.js';
import type { Services } from '../../../http/services.js';
import { bytesAddress } from '../bytes-address.js';
import type { FileResponse } from './schemas.js';

/** A file with the address of its bytes. @param data a small image, where its bytes were read */
export function presentFileFor(
  { context, services }: { context: CommandContext; services: Services },
  file: FileView,
  data: string | null = null,
): FileResponse {
  return {
    ...file,
    ownerId: file.ownerMemberId,
    labels: file.labels.map((label) => ({ ...label, description: label.description ?? '' })),
    data,
    cdnUrl: bytesAddress(services, context.actor.workspaceUuid, file, context.clock.now()),
    isS3Stored: services.storage.kind === 's3',
  };
}
