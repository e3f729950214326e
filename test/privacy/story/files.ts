import { pdfOf } from '../../support/files/samples.js';
import { sendFile } from '../../support/files/send-file.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { planted } from '../markers.js';
import { answered, type Stage } from '../stage.js';

/** What the agent and people search for. */
export const passageWord = planted('passageText').split(/\W/)[2] ?? '';

/**
 * A text in a folder, with a label, that is read, searched, read again and held by a record, and a document that cannot
 * be read.
 */
export async function keepFiles(stage: Stage): Promise<void> {
  const admin = stage.as();
  const folder = await admin('POST', '/folders', {
    name: planted('folderName'),
    description: planted('folderDescription'),
    access: 'workspace',
  });
  const label = await admin('POST', '/file-labels', {
    name: planted('fileLabelName'),
    description: planted('fileLabelDescription'),
  });
  const leaflet = {
    headers: { 'Idempotency-Key': planted('idempotencyKey') },
    content: `${planted('passageText')}\n`,
    filename: `${planted('fileName')}.txt`,
    fields: {
      name: planted('fileTitle'),
      folderId: String(folder.id),
      externalId: planted('fileExternalId'),
    },
  };
  const file = answered(await sendFile(stage.api, stage.workspace, leaflet));
  if (!file.cdnUrl.includes('X-Amz-Signature')) throw new Error('the address does not lead to the bucket');
  const change = { labelIds: [label.id], choicePrompt: planted('fileChoicePrompt') };
  await admin('PUT', `/files/${file.id}`, change);
  await settles(stage, file.id, 'indexed');
  await finds(stage, folder.id);
  await admin('GET', '/files/search', undefined, 400, { q: planted('refused'), words: planted('refused') });
  await admin('POST', `/files/${file.id}/reindex`, undefined, 202);
  await settles(stage, file.id, 'indexed');

  await hold(stage, file.id);

  const content = new Uint8Array(pdfOf([planted('passageText')], { locked: true }));
  const locked = answered(await sendFile(stage.api, stage.workspace, { content, filename: 'locked.pdf' }));
  await settles(stage, locked.id, 'failed');
}

/** A record that holds the file, and one that is refused. */
async function hold(stage: Stage, fileId: number): Promise<void> {
  const admin = stage.as();
  const fields = [{ slug: 'scan', name: 'Scan', fieldType: 'file' }];
  const type = await admin('POST', '/data-types', {
    name: 'Scans',
    slug: 'scans',
    isCollection: true,
    fields,
  });
  const path = `/data-types/${type.id}/records`;
  const { files } = await admin('POST', path, { fieldValues: { scan: fileId } });
  if (files?.[0]?.title !== planted('fileTitle')) throw new Error('the record does not say what its file is');
  await admin('POST', path, { fieldValues: { scan: planted('refused') } }, 400);
}

async function settles(stage: Stage, fileId: number, state: string): Promise<void> {
  await waitFor(`file ${fileId} is ${state}`, async () => {
    const { indexing } = await stage.as()('GET', `/files/${fileId}`);
    return indexing.state === state;
  });
}

async function finds(stage: Stage, folderId: number): Promise<void> {
  const query = { q: passageWord, folderId };
  const { items } = await stage.as()('GET', '/files/search', undefined, 200, query);
  if (items[0]?.text !== planted('passageText')) throw new Error('the search did not find the passage');
}
