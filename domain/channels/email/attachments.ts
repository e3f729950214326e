/** Of all files of an email together. Most servers take emails of 20 MB or more, and encoding adds a third. */
export const attachmentsLimit = 10_000_000;

/** Returns the place of the file with which an email becomes too large; undefined if it carries them all. */
export function findNoRoom(files: readonly { fileSize: number }[]): number | undefined {
  let bytes = 0;
  const place = files.findIndex(({ fileSize }) => {
    bytes += fileSize;
    return bytes > attachmentsLimit;
  });
  return place < 0 ? undefined : place;
}

export const noRoom = 'makes the files larger than 10 MB together, the most that an email carries';
