import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  name: string;
  content: string | Uint8Array;
  /** The size that the archive declares, if it lies. */
  declaredBytes?: number;
}

/** Writes a ZIP archive, in the order of its entries. */
export function zip(entries: readonly (ZipEntry | [string, string])[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const one of entries) {
    const { name, content, declaredBytes } = Array.isArray(one) ? entryOf(one) : one;
    const bytes = Buffer.from(content as Uint8Array);
    const packed = deflateRawSync(bytes, { level: 9 });
    const fileName = Buffer.from(name);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(8, 4);
    shared.writeUInt32LE(crc32(bytes), 10);
    shared.writeUInt32LE(packed.byteLength, 14);
    shared.writeUInt32LE(declaredBytes ?? bytes.byteLength, 18);
    shared.writeUInt16LE(fileName.byteLength, 22);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(20, 4);
    shared.copy(central, 6);
    central.writeUInt32LE(offset, 42);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared, fileName, packed]);
    locals.push(local);
    directory.push(central, fileName);
    offset += local.byteLength;
  }
  const directoryBytes = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directoryBytes.byteLength, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directoryBytes, end]);
}

function entryOf([name, content]: [string, string]): ZipEntry {
  return { name, content };
}
