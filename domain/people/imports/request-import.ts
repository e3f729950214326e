import { doomPendingObject, markObjectStored } from '../../../db/files/stored-objects.js';
import { lockSubject } from '../../../db/lock-subject.js';
import {
  countOpenImports,
  findRequestedImport,
  insertMemberImport,
  type MemberImportRow,
} from '../../../db/people/member-imports.js';
import type { Tx } from '../../../db/tx.js';
import { objectKey, PutUnknown, type SpooledBytes } from '../../files/object-store.js';
import type { FileStorage } from '../../files/objects/file-storage.js';
import { reserveObject } from '../../files/objects/reserve-object.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { startImportRun } from '../../kernel/runs.js';
import { TooManyRequests, Unavailable } from '../../lib/errors.js';
import { type FileToImport, planMemberImport } from '../members/transfer/plan-import.js';
import { importLimits } from './limits.js';

export interface RequestedImport extends Omit<FileToImport, 'path'> {
  /** Names the import: one with the same is not made again. */
  requestUuid: string;
  /** The CSV file. It is stored as an object until the import has ended. */
  spooled: SpooledBytes;
}

const mimeType = 'text/csv';

/**
 * Has a run import members from a CSV file, which is checked and stored first. The run asks for the rights of the actor
 * again with each batch of rows.
 * @throws Forbidden, InvalidInput, Conflict `storage_full`, TooManyRequests `too_many_imports`, Unavailable
 */
export async function requestMemberImport(
  context: CommandContext,
  storage: FileStorage,
  { requestUuid, spooled, ...file }: RequestedImport,
): Promise<MemberImportRow> {
  const { db, clock, actor } = context;
  const asked = { memberId: actor.memberId, uuid: requestUuid };
  actor.require('members:write');
  const before = await db.readInWorkspace(actor.workspaceId, async (tx) => {
    const found = await findRequestedImport(tx, asked);
    if (found === undefined) await requireRoom(tx, actor.memberId);
    return found;
  });
  if (before !== undefined) return before;
  const { settings, layout, columnsPassedOver, total } = await planMemberImport(context, {
    ...file,
    path: spooled.path,
  });
  const objectId = await storeFile(context, storage, spooled);
  try {
    return await db.inWorkspace(actor.workspaceId, async (tx) => {
      await lockSubject(tx, 'imports of members');
      const now = clock.now();
      const meanwhile = await findRequestedImport(tx, asked);
      if (meanwhile !== undefined) {
        await doomPendingObject(tx, objectId, now);
        return meanwhile;
      }
      await requireRoom(tx, actor.memberId);
      const expiresAt = new Date(now.getTime() + importLimits.maxMs);
      if ((await markObjectStored(tx, objectId, now, expiresAt)) === undefined) {
        throw new Error('the file of an import was collected before the import was stored');
      }
      const { kind: credentialKind, id: credentialId, scopes } = actor.credential;
      const created = await insertMemberImport(tx, {
        ...asked,
        ...{ credentialKind, credentialId, scopes: scopes === null ? null : [...scopes] },
        ...{ objectId, layout: [...layout], columnsPassedOver, total },
        ...{ dataTypeIds: [...settings.dataTypeIds], newMemberRoleId: settings.newMemberRoleId },
        ...{ blankCells: settings.blankCells, createdAt: now, updatedAt: now },
      });
      recordAudit(tx, { clock, actor }, 'member_import:requested', {
        subject: ['member_import', created.id],
      });
      await startImportRun(tx, created);
      return created;
    });
  } catch (error) {
    // Without the database, the collector drops it later. One that is stored stays.
    await dropFile(context, objectId).catch(() => {});
    throw error;
  }
}

/** @throws TooManyRequests `too_many_imports` */
async function requireRoom(tx: Tx, memberId: number): Promise<void> {
  const open = await countOpenImports(tx, memberId);
  const { openOfMember, openOfWorkspace } = importLimits;
  if (open.ofMember < openOfMember && open.ofWorkspace < openOfWorkspace) return;
  const [place, most] =
    open.ofMember >= openOfMember ? ['A member', openOfMember] : ['A workspace', openOfWorkspace];
  throw new TooManyRequests(`${place} has at most ${most} imports under way.`, 30, 'too_many_imports');
}

/** @returns the id of the object, which is pending */
async function storeFile(
  context: CommandContext,
  { objects, bytesPerWorkspace }: FileStorage,
  spooled: SpooledBytes,
): Promise<number> {
  const { actor } = context;
  const object = await reserveObject(context, actor.workspaceId, {
    object: {
      bytes: spooled.bytes,
      sha256: Buffer.from(spooled.sha256, 'hex'),
      mimeType,
      createdByMemberId: actor.memberId,
    },
    quota: bytesPerWorkspace,
  });
  try {
    await objects.put(objectKey(actor.workspaceUuid, object.uuid), spooled, { mimeType });
  } catch (error) {
    const storedNothing = error instanceof Unavailable && !(error instanceof PutUnknown);
    // Without the database, the collector drops it later.
    if (storedNothing) await dropFile(context, object.id).catch(() => {});
    throw error;
  }
  return object.id;
}

async function dropFile({ db, clock, actor }: CommandContext, objectId: number): Promise<void> {
  await db.inWorkspace(actor.workspaceId, (tx) => doomPendingObject(tx, objectId, clock.now()));
}
