import type { FileAccess, FileRow } from '../../db/files/files.js';
import type { FolderRow } from '../../db/files/folders.js';
import type { FileReader } from '../../db/files/readable-files.js';
import type { Actor } from '../kernel/actor.js';
import { readerOf } from '../kernel/who-reads.js';

/*
 * Who may do what with files and folders that it reads (docs/decisions/0111-who-may-see-a-file.md). What may not be read is not
 * found; what may be read and not be changed is forbidden.
 */

/** By whose right the actor reads files and shows them to others; null without the scope of reading files. */
export function giverOf(actor: Actor): FileReader | null {
  return actor.hasScope('files:read') ? readerOf(actor) : null;
}

/**
 * Whether the actor may change, delete and share a file: the permission, or the file is the actor's own upload. What
 * came with a message or was made by an agent stays as it was said.
 */
export function mayChangeFile(actor: Actor, { ownerMemberId, source }: FileRow): boolean {
  if (actor.can('files:write')) return true;
  return ownerMemberId === actor.memberId && source === 'upload' && actor.hasScope('files:write');
}

export function mayChangeFolder(actor: Actor, { ownerMemberId }: Pick<FolderRow, 'ownerMemberId'>): boolean {
  if (actor.can('files:write')) return true;
  return ownerMemberId === actor.memberId && actor.hasScope('files:write');
}

/** @throws Forbidden */
export function requireFileChange(actor: Actor, file: FileRow): void {
  if (!mayChangeFile(actor, file)) actor.require('files:write');
}

/** @throws Forbidden */
export function requireFolderChange(actor: Actor, folder: Pick<FolderRow, 'ownerMemberId'>): void {
  if (!mayChangeFolder(actor, folder)) actor.require('files:write');
}

/** Returns the access of a new file or folder: as asked for, else that of the folder it is put into. @throws Forbidden */
export function accessOfNew(
  actor: Actor,
  place: Pick<FolderRow, 'access'> | undefined,
  asked: FileAccess | undefined,
): FileAccess {
  const ofPlace = place?.access ?? 'private';
  const access = asked ?? ofPlace;
  requireAccessChange(actor, ofPlace, access);
  return access;
}

/** Members without the permission show what is theirs to no others, except by links. @throws Forbidden */
export function requireAccessChange(actor: Actor, from: FileAccess, to: FileAccess): void {
  if (to !== from && to !== 'private') actor.require('files:write');
}

export const permissionBits = { read: 1, change: 2, delete: 4, share: 8 } as const;

/** What the actor may do with a file or folder that it may read, as bits. */
export function permissionsWith(mayChange: boolean): number {
  const { read, change, delete: remove, share } = permissionBits;
  return mayChange ? read | change | remove | share : read;
}

/** The access of a file in the numbers of data records' `accessMode` (docs/decisions/0040). */
export function accessModeOf({ access, source }: Pick<FileRow, 'access' | 'source'>): number {
  if (access !== 'private') return 3;
  return source === 'upload' ? 0 : 1;
}
