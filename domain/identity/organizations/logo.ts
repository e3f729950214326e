import type { ReadingDatabase } from '../../../db/database.js';
import { findVersionBytes, type VersionBytes } from '../../../db/files/file-versions.js';
import type { FileRow } from '../../../db/files/files.js';
import { findSharedFile } from '../../../db/files/shared-files.js';
import type { OrganizationRow } from '../../../db/identity/models/organization.js';
import type { WorkspaceOfOrganization } from '../../../db/identity/organizations.js';
import type { Tx } from '../../../db/tx.js';
import { InvalidInput } from '../../lib/errors.js';

/** A file of a workspace of the organization. */
export interface LogoInput {
  workspaceUuid: string;
  fileId: number;
}

/** The logo as it is now, for its address. */
export interface Logo {
  workspaceUuid: string;
  file: FileRow;
  content: VersionBytes;
}

const visitor = { member: undefined, link: undefined };

/**
 * A logo is a public picture, so that it shows nothing that its workspace has not shown to all already. @throws InvalidInput
 */
export async function checkLogo(
  within: ReadingDatabase,
  workspaces: readonly WorkspaceOfOrganization[],
  { workspaceUuid, fileId }: LogoInput,
): Promise<Pick<OrganizationRow, 'logoWorkspaceId' | 'logoFileId'>> {
  const workspace = workspaces.find(({ uuid }) => uuid === workspaceUuid.toLowerCase());
  if (workspace === undefined) {
    throw InvalidInput.field('/logo/workspaceUuid', 'is no workspace of the organization');
  }
  const logo = await within.readInWorkspace(workspace.id, (tx) => publicPicture(tx, fileId));
  if (logo === undefined) throw InvalidInput.field('/logo/fileId', 'is no public image of the workspace');
  return { logoWorkspaceId: workspace.id, logoFileId: fileId };
}

/** Undefined without a logo, and if its file is not public any more, or its workspace has left the organization. */
export async function findLogo(
  db: ReadingDatabase,
  organization: Pick<OrganizationRow, 'logoWorkspaceId' | 'logoFileId'>,
  workspaces: readonly WorkspaceOfOrganization[],
): Promise<Logo | undefined> {
  const { logoWorkspaceId, logoFileId } = organization;
  const workspace = workspaces.find(({ id }) => id === logoWorkspaceId);
  if (workspace === undefined || logoFileId === null) return undefined;
  return db.readInWorkspace(workspace.id, async (tx) => {
    const file = await publicPicture(tx, logoFileId);
    const content = file && (await findVersionBytes(tx, [file.currentVersionId])).get(file.currentVersionId);
    return file && content && { workspaceUuid: workspace.uuid, file, content };
  });
}

async function publicPicture(tx: Tx, fileId: number): Promise<FileRow | undefined> {
  const file = await findSharedFile(tx, fileId, visitor);
  return file?.kind === 'image' ? file : undefined;
}
