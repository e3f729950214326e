import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What the database and a storage in a folder say about the bytes of a workspace. */
export interface BytesAndRows {
  versions: { fileId: number; number: number; objectUuid: string; bytes: number }[];
  /** Received mails whose bytes are kept. */
  mails: { id: number; objectUuid: string }[];
  /** Parts of recordings of calls. */
  sounds: { id: number; objectUuid: string }[];
  objects: { uuid: string; state: 'pending' | 'stored' | 'doomed'; bytes: number; sha256: string | null }[];
  kept: { uuid: string; bytes: number; sha256: string }[];
  /** What counts against the quota. */
  usedBytes: number;
}

type Select = <Row>(sql: string) => Promise<Row[]>;

export async function readBytesAndRows(
  select: Select,
  { folder, workspaceUuid }: { folder: string; workspaceUuid: string },
): Promise<BytesAndRows> {
  const [usage] = await select<{ bytes: number }>('select bytes from storage_usage');
  return {
    versions: await select(
      `select v.file_id as "fileId", v.number, o.uuid as "objectUuid", v.file_size as bytes
       from file_versions v join stored_objects o on o.id = v.object_id order by v.id`,
    ),
    mails: await select(
      `select e.id, o.uuid as "objectUuid" from inbound_emails e join stored_objects o on o.id = e.object_id order by e.id`,
    ),
    sounds: await select(
      `select s.id, o.uuid as "objectUuid" from call_recording_segments s
       join stored_objects o on o.id = s.object_id order by s.id`,
    ),
    objects: await select(
      `select uuid, state, bytes, encode(sha256, 'hex') as sha256 from stored_objects order by id`,
    ),
    kept: await keptIn(join(folder, 'objects', workspaceUuid)),
    usedBytes: usage?.bytes ?? 0,
  };
}

async function keptIn(folder: string): Promise<BytesAndRows['kept']> {
  const names = await readdir(folder).catch(() => []);
  const kept: BytesAndRows['kept'] = [];
  for (const uuid of names) {
    const path = join(folder, uuid);
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path)) hash.update(chunk);
    kept.push({ uuid, bytes: (await stat(path)).size, sha256: hash.digest('hex') });
  }
  return kept;
}

/** What is not as it has to be once the collector has been through: a line for each row or object. */
export function discrepancies({ versions, mails, sounds, objects, kept, usedBytes }: BytesAndRows): string[] {
  const found: string[] = [];
  const bytesOf = new Map(kept.map((object) => [object.uuid, object]));
  const rowOf = new Map(objects.map((object) => [object.uuid, object]));
  for (const { fileId, number, objectUuid, bytes } of versions) {
    const state = rowOf.get(objectUuid)?.state;
    const version = `version ${number} of file ${fileId}`;
    if (state !== 'stored') found.push(`${version} has an object that is ${state ?? 'nowhere'}`);
    if (bytesOf.get(objectUuid)?.bytes !== bytes) found.push(`${version} has not its ${bytes} bytes`);
  }
  for (const { id, objectUuid } of mails) {
    if (!bytesOf.has(objectUuid)) found.push(`received mail ${id} has not its bytes`);
  }
  for (const { id, objectUuid } of sounds) {
    if (!bytesOf.has(objectUuid)) found.push(`part ${id} of a recording has not its bytes`);
  }
  const referred = new Set([...versions, ...mails, ...sounds].map(({ objectUuid }) => objectUuid));
  for (const { uuid, state, sha256 } of objects) {
    if (state !== 'stored') found.push(`object ${uuid} is still ${state}`);
    else if (!referred.has(uuid)) found.push(`object ${uuid} is of no version, no mail and no recording`);
    else if (bytesOf.get(uuid)?.sha256 !== sha256)
      found.push(`object ${uuid} has other bytes than were sent`);
  }
  for (const { uuid } of kept) if (!rowOf.has(uuid)) found.push(`the bytes of ${uuid} have no row`);
  const sum = objects.reduce((total, { bytes }) => total + bytes, 0);
  if (sum !== usedBytes) found.push(`${usedBytes} bytes count against the quota, and there are ${sum}`);
  return found;
}
