import type { FileMimeType } from './accepted-mime-types.js';
import type { FileSource } from './file-source.js';
import { isCompoundFile, isWordCompoundFile } from './signatures/compound-file.js';
import { isGif, isJpeg, isPng } from './signatures/images.js';
import { isMp3, isMp4 } from './signatures/media.js';
import { isWordDocument, isZip } from './signatures/word-document.js';

export async function recognizeBinary(
  source: FileSource,
  head: Uint8Array,
): Promise<FileMimeType | undefined> {
  if (isPng(head)) return 'image/png';
  if (isJpeg(head)) return 'image/jpeg';
  if (isGif(head)) return 'image/gif';
  if (isMp4(head)) return 'video/mp4';
  if (isZip(head)) return (await isWordDocument(source)) ? wordMimeType : undefined;
  if (isCompoundFile(head))
    return (await isWordCompoundFile(source, head)) ? 'application/msword' : undefined;
  return (await isMp3(source, head)) ? 'audio/mpeg' : undefined;
}

const wordMimeType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
