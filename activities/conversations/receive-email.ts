import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ApplicationFailure, cancellationSignal, heartbeat } from '@temporalio/activity';
import { readHeader } from '../../domain/channels/email/inbound/headers.js';
import type { MailAttachment } from '../../domain/channels/email/inbound/mail-content.js';
import { headOfMail } from '../../domain/conversations/emails/accept-email.js';
import type { ReadMail } from '../../domain/conversations/emails/decide-mail.js';
import {
  dropAttachments,
  type KeptAttachment,
  keepAttachment,
} from '../../domain/conversations/emails/kept-attachment.js';
import {
  beginParseAttempt,
  outcomeOf,
  releaseParseAttempt,
} from '../../domain/conversations/emails/parse-attempts.js';
import {
  foreseeFiles,
  type InboundRef,
  type MailOutcome,
  receiveEmail,
} from '../../domain/conversations/emails/receive-email.js';
import { messageLimits } from '../../domain/files/attachments/limits.js';
import { objectKey, type SpooledBytes } from '../../domain/files/object-store.js';
import { TooManyRequests } from '../../domain/lib/errors.js';
import { ProviderFailure } from '../../providers/failures.js';
import { StorageMissing } from '../../providers/storage/storage.js';
import { maxAttachments, partPath } from '../channels/read-mail/lines.js';
import { readMail } from '../channels/read-mail.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { CrashedApart } from '../kernel/read-apart.js';
import { retryLater } from '../kernel/retry-later.js';

const heartbeatMs = 5_000;
/** The bytes of the attachments of one mail of a sender who is not known. */
const maxOfStrangers = 5 * 1_048_576;

type Dependencies = Pick<ActivityDependencies, 'db' | 'clock' | 'outreach' | 'storage' | 'bytesPerWorkspace'>;
type Ref = InboundRef & { workspaceUuid: string };

const unreadable: ReadMail = { header: undefined, content: undefined };

export function emailActivities(dependencies: Dependencies, read: typeof readMail = readMail) {
  const { storage, bytesPerWorkspace } = dependencies;

  return {
    /** Reads a mail in a process of its own, keeps its attachments, and carries out what is to become of it. */
    async receiveEmail(ref: Ref): Promise<MailOutcome> {
      const reading = await beginParseAttempt(dependencies, ref);
      if (reading.kind === 'settled') return outcomeOf(dependencies, ref);
      if (reading.kind === 'unreadable') return receiveEmail(dependencies, ref, unreadable, []);
      const beats = setInterval(() => heartbeat(), heartbeatMs);
      // In the spool folder, where a crash leaves them to its collector.
      const partsPath = join(storage.spoolFolder, randomUUID());
      let path: string | undefined;
      try {
        path = await fetchBytes(ref, reading.raw);
        if (path === undefined) return await receiveEmail(dependencies, ref, unreadable, []);
        return await receive(ref, path, partsPath);
      } catch (error) {
        if (error instanceof CrashedApart) {
          const message = `the process that reads the mail has ended (${error.reason})`;
          throw ApplicationFailure.create({ type: 'reading_crashed', message });
        }
        if (isOfOthers(error)) await releaseParseAttempt(dependencies, ref).catch(() => {});
        throw retryLater(error);
      } finally {
        clearInterval(beats);
        if (path !== undefined) await rm(path, { force: true });
        for (let place = 0; place < maxAttachments; place += 1) {
          await rm(partPath(partsPath, place), { force: true });
        }
      }
    },
  };

  /** Receives the bytes into the spool folder, where a crash leaves them to its collector. Undefined if they are lost. */
  async function fetchBytes(
    { workspaceUuid }: Ref,
    { objectUuid, bytes }: { objectUuid: string; bytes: number },
  ): Promise<string | undefined> {
    try {
      const source = await storage.get(objectKey(workspaceUuid, objectUuid));
      return (await storage.receive(source, { maxBytes: bytes })).path;
    } catch (error) {
      if (error instanceof StorageMissing) return undefined;
      throw error;
    }
  }

  async function receive(ref: Ref, path: string, partsPath: string): Promise<MailOutcome> {
    const header = readHeader(await headOfMail(path));
    const content = header && (await read({ path, partsPath, signal: cancellationSignal() }));
    const mail = { header, content };
    const foreseen = content && (await foreseeFiles(dependencies, ref, mail));
    const attachments: KeptAttachment[] = [];
    try {
      if (foreseen !== undefined) {
        const place = { ...ref, ...foreseen };
        let bytes = 0;
        for (const [index, attachment] of content?.attachments.slice(0, messageLimits.files).entries() ??
          []) {
          bytes += attachment.bytes;
          if (foreseen.unknownDomain !== null && bytes > maxOfStrangers) {
            attachments.push({ failure: 'too_large' });
            continue;
          }
          const spooled = await spool(partPath(partsPath, index), attachment);
          try {
            const kept = { attachment, spooled };
            attachments.push(
              await keepAttachment(dependencies, { objects: storage, bytesPerWorkspace }, place, kept),
            );
          } finally {
            await rm(spooled.path, { force: true });
          }
          heartbeat();
        }
      }
      return await receiveEmail(dependencies, ref, mail, attachments);
    } catch (error) {
      await dropAttachments(dependencies, ref.workspaceId, attachments).catch(() => {});
      throw error instanceof TooManyRequests ? later(error) : error;
    }
  }

  /** Brings the bytes of an attachment to where the storage takes them from. */
  function spool(path: string, { bytes }: MailAttachment): Promise<SpooledBytes> {
    return storage.receive(createReadStream(path), { maxBytes: bytes });
  }
}

/** A storage that is away, or a stopped worker, says nothing about the mail. All else counts: some mail may fail each time. */
function isOfOthers(error: unknown): boolean {
  return (
    error instanceof ProviderFailure || error instanceof ApplicationFailure || cancellationSignal().aborted
  );
}

/** A member has at most so many uploads under way; those of a crashed attempt count for some minutes. */
function later({ retryAfterSeconds }: TooManyRequests): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'too_many_uploads',
    message: 'the sender has too many uploads under way',
    nextRetryDelay: retryAfterSeconds * 1_000,
  });
}
