import type { FileSource } from '../file-source.js';

const signature = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const entryBytes = 128;
const maxSectors = 16;

/** The container of Word, Excel and PowerPoint before 2007, and of installers. */
export function isCompoundFile(head: Uint8Array): boolean {
  return head.byteLength >= 512 && signature.every((byte, at) => head[at] === byte);
}

/** Whether the container has Word's stream in the first sectors of its directory. */
export async function isWordCompoundFile(source: FileSource, head: Uint8Array): Promise<boolean> {
  const header = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const shift = header.getUint16(30, true);
  if (shift !== 9 && shift !== 12) return false;
  const sectorBytes = 1 << shift;
  const placeOf = (sector: number) => (sector + 1) * sectorBytes;
  let sector = header.getUint32(48, true);
  for (let read = 0; read < maxSectors && placeOf(sector) < source.bytes; read++) {
    if (hasWordEntry(await source.read(placeOf(sector), sectorBytes))) return true;
    // The sector after this one, by the first sectors of the allocation table, which the header lists.
    const perSector = sectorBytes / 4;
    const tableSector = Math.floor(sector / perSector);
    if (tableSector >= 109) return false;
    const table = placeOf(header.getUint32(76 + tableSector * 4, true));
    const next = await source.read(table + (sector % perSector) * 4, 4);
    if (next.byteLength < 4) return false;
    sector = new DataView(next.buffer, next.byteOffset, 4).getUint32(0, true);
  }
  return false;
}

function hasWordEntry(directory: Uint8Array): boolean {
  for (let at = 0; at + entryBytes <= directory.byteLength; at += entryBytes) {
    const name = Buffer.from(directory.subarray(at, at + 64)).toString('utf16le');
    if (name.startsWith('WordDocument\0')) return true;
  }
  return false;
}
