import type {
  ContentPart,
  MessageFile,
  MessageRow,
  StoredMessageFile,
} from '../../db/conversations/messages.js';
import type { Database } from '../../db/database.js';
import { findVersionBytes } from '../../db/files/file-versions.js';
import type { Tx } from '../../db/tx.js';
import { objectKey } from '../files/object-store.js';
import { type ImageToShow, type PartsOfFiles, quotedNote } from './model-history.js';

/** The images that are shown in one request, newest first; the rest is named only. */
export const imageBounds = {
  images: 6,
  bytesOfImage: 4 * 1_048_576,
  bytes: 8 * 1_048_576,
} as const;

/** SVG is none of them: models do not read it, and it can hold a script. */
const shownTypes = ['image/png', 'image/jpeg', 'image/gif'];

/**
 * Returns what a model is told of the files of messages. Each is named as data; images that people sent are shown as well. The version
 * that was sent is shown, whatever became of the file, unless it was deleted.
 */
export async function describeFiles(
  { identity }: Pick<Database, 'identity'>,
  tx: Tx,
  rows: readonly MessageRow[],
  { showsImages }: { showsImages: boolean },
): Promise<PartsOfFiles> {
  const withFiles = rows.filter(({ files }) => files.length > 0);
  if (withFiles.length === 0) return new Map();
  const chosen = showsImages ? chooseImages(withFiles.filter(({ role }) => role === 'user')) : [];
  const keys = await keysOf({ identity }, tx, chosen);
  return new Map(
    withFiles.map(({ id, role, files }) => [
      id,
      role === 'assistant'
        ? [namesOf(files)]
        : files.flatMap((file) => {
            const image = file.status === 'stored' ? keys.get(file) : undefined;
            return [{ type: 'text', text: nameOf(file) }, ...(image === undefined ? [] : [image])];
          }),
    ]),
  );
}

function chooseImages(rows: readonly MessageRow[]): StoredMessageFile[] {
  let bytes = 0;
  const chosen: StoredMessageFile[] = [];
  for (const { files } of rows.toReversed()) {
    for (const file of files) {
      if (file.status !== 'stored' || !shownTypes.includes(file.mimeType)) continue;
      if (file.fileSize > imageBounds.bytesOfImage || bytes + file.fileSize > imageBounds.bytes) continue;
      if (chosen.length >= imageBounds.images) return chosen;
      chosen.push(file);
      bytes += file.fileSize;
    }
  }
  return chosen;
}

async function keysOf(
  { identity }: Pick<Database, 'identity'>,
  tx: Tx,
  files: readonly StoredMessageFile[],
): Promise<Map<MessageFile, ImageToShow>> {
  if (files.length === 0) return new Map();
  const workspace = await identity.workspaces.findById(tx.workspaceId, tx);
  const versions = await findVersionBytes(
    tx,
    files.map(({ versionId }) => versionId),
  );
  const found = new Map<MessageFile, ImageToShow>();
  for (const file of files) {
    const version = versions.get(file.versionId);
    if (workspace === undefined || version === undefined) continue;
    const key = objectKey(workspace.uuid, version.objectUuid);
    found.set(file, { type: 'image_to_show', key, mimeType: version.mimeType, bytes: file.fileSize });
  }
  return found;
}

/** What an assistant has sent is told in a note after its words, which are its own. */
function namesOf(files: readonly MessageFile[]): ContentPart {
  const sent = files.flatMap((file) => (file.status === 'stored' ? [dataOf(file)] : []));
  return { type: 'text', text: quotedNote(`The assistant's message carried files: ${JSON.stringify(sent)}`) };
}

function dataOf({ fileId, filename, mimeType, fileSize }: StoredMessageFile) {
  return { fileId, name: filename, type: mimeType, bytes: fileSize };
}

/** A stranger may have chosen the name of a file, so it is quoted as data. */
function nameOf(file: MessageFile): string {
  if (file.status !== 'stored') {
    return quotedNote(
      file.status === 'awaited'
        ? 'A file of this message has not arrived yet.'
        : `A file of this message could not be received: ${file.reason}.`,
    );
  }
  return quotedNote(`A file of this message: ${JSON.stringify(dataOf(file))}`);
}
