import { findFileVersion, findVersionBytes, type VersionBytes } from '../../../db/files/file-versions.js';
import type { FileRow } from '../../../db/files/files.js';
import { findSiteFile } from '../../../db/files/site-files.js';
import { findSiteByUuid, type SiteRow } from '../../../db/sites/sites.js';
import type { EnteredTx } from '../../../db/tx.js';
import { fileLimits } from '../../files/limits.js';
import type { CommandContext, VisitContext } from '../../kernel/context.js';
import { Forbidden, NotFound } from '../../lib/errors.js';
import type { SiteAddresses } from '../site-addresses.js';
import { requireSiteInSight, requireVisibleSite } from './visible-site.js';

export interface SiteFileContent {
  file: FileRow;
  content: VersionBytes;
  /** How long the address gives these bytes, in seconds; undefined: it gives those of the current version. */
  validSeconds: number | undefined;
}

interface SiteFileRequest {
  siteUuid: string;
  fileId: number;
  token: string | undefined;
}

/**
 * The bytes of a file of a site: of the version that a token names, whoever has it; else of the current version, to those who
 * read the site. @throws NotFound, Forbidden `address_expired`
 */
export async function readSiteFile(
  context: VisitContext & { addresses: SiteAddresses },
  { siteUuid, fileId, token }: SiteFileRequest,
): Promise<SiteFileContent> {
  const { db, clock, workspaceId, workspaceUuid, addresses } = context;
  const now = clock.now();
  const signed =
    token === undefined ? undefined : addresses.readToken(token, { workspaceUuid, siteUuid, fileId }, now);
  return db.readInWorkspace(workspaceId, async (tx) => {
    if (signed?.state === 'valid') {
      const site = await findSiteByUuid(tx, siteUuid.toLowerCase());
      const file = site && (await fileOf(tx, site, fileId));
      const version = file && (await findFileVersion(tx, fileId, signed.version));
      if (file === undefined || version === undefined) throw new NotFound('File');
      return { file, content: await bytesOf(tx, version.id), validSeconds: secondsLeft(token, now) };
    }
    try {
      const site = await requireVisibleSite(tx, context, siteUuid);
      const file = await fileOf(tx, site, fileId);
      if (file === undefined) throw new NotFound('File');
      return { file, content: await bytesOf(tx, file.currentVersionId), validSeconds: undefined };
    } catch (error) {
      if (!(error instanceof NotFound) || signed === undefined) throw error;
      throw new Forbidden('address', 'The address has expired.', 'address_expired');
    }
  });
}

/** An address at which anyone reads the current version of a file of a site for 15 to 20 minutes. @throws NotFound */
export async function addressOfSiteFile(
  { db, actor, clock, addresses }: CommandContext & { addresses: SiteAddresses },
  siteId: number,
  fileId: number,
): Promise<ReturnType<SiteAddresses['fileWithToken']>> {
  const { workspaceId, workspaceUuid } = actor;
  return db.readInWorkspace(workspaceId, async (tx) => {
    const site = await requireSiteInSight(tx, actor, siteId);
    const file = await fileOf(tx, site, fileId);
    if (file === undefined) throw new NotFound('File');
    const { currentVersionNumber: version, filename } = file;
    return addresses.fileWithToken(
      { workspaceUuid, siteUuid: site.uuid, fileId, version, filename },
      clock.now(),
    );
  });
}

function fileOf(tx: EnteredTx, site: SiteRow, fileId: number): Promise<FileRow | undefined> {
  return findSiteFile(tx, fileId, site, fileLimits.folderLevels);
}

async function bytesOf(tx: EnteredTx, versionId: number): Promise<VersionBytes> {
  const content = (await findVersionBytes(tx, [versionId])).get(versionId);
  if (content === undefined) throw new NotFound('File');
  return content;
}

function secondsLeft(token = '', now: Date): number {
  return Math.max(0, Number(token.split('.')[1]) - Math.floor(now.getTime() / 1_000));
}
