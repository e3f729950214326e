import { extname } from 'node:path/posix';
import { filenameOf } from '../../files/filename.js';

/** File systems take names of 255 bytes; the id is before it. */
const maxBytes = 180;

/** Characters that a file system, a shell or an unpacking program could take for more than a part of a name. */
const special = /[/\\:*?"<>|;`$&]/g;

/**
 * The path of a file's bytes in an archive: below one folder, never beyond it, and different for each object, whatever
 * its files are called.
 */
export function pathOfBytes(objectId: number, filename: string): string {
  const name = filenameOf(filename)
    .replace(special, '_')
    .replace(/[. ]+$/, '');
  return `bytes/${objectId}-${shortened(name === '' ? 'file' : name)}`;
}

function shortened(name: string): string {
  const extension = extname(name);
  let stem = [...name.slice(0, name.length - extension.length)];
  while (stem.length > 0 && Buffer.byteLength(stem.join('') + extension) > maxBytes) stem = stem.slice(0, -1);
  return stem.join('') + extension;
}
