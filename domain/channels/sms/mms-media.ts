/*
 * What the carrier sends as MMS (https://www.twilio.com/docs/messaging/api/message-resource, "MediaUrl", and
 * https://www.twilio.com/docs/messaging/guides/accepted-mime-types).
 */

/** Pictures, which the carrier makes as small as the handset needs. */
const pictureTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif']);
/** Of the other types that it takes, those that the service stores. They are sent as they are. */
const otherTypes: ReadonlySet<string> = new Set([
  'application/pdf',
  'audio/amr',
  'audio/mpeg',
  'text/csv',
  'text/vcard',
  'video/3gpp',
  'video/mp4',
]);

/** In bytes, counted in thousands, as the smaller reading of the carrier's kB and MB. */
export const mmsLimits = { ofAll: 5_000_000, ofOther: 500_000 } as const;

interface Media {
  mimeType: string;
  fileSize: number;
}

/** Returns the first of these files that MMS does not carry, and why; undefined if it carries all of them. */
export function findNoMms(files: readonly Media[]): { place: number; problem: string } | undefined {
  let bytes = 0;
  for (const [place, { mimeType, fileSize }] of files.entries()) {
    bytes += fileSize;
    const isPicture = pictureTypes.has(mimeType);
    if (fileSize === 0) return { place, problem: 'is empty' };
    if (!isPicture && !otherTypes.has(mimeType)) {
      return {
        place,
        problem: 'is of a kind that MMS does not carry: pictures (JPG, PNG, GIF), PDF, CSV, MP3, MP4',
      };
    }
    if (!isPicture && fileSize > mmsLimits.ofOther) {
      return {
        place,
        problem: 'has more than 500 kB, the most that MMS carries of a file that is no picture',
      };
    }
    if (bytes > mmsLimits.ofAll) {
      return { place, problem: 'makes the files larger than 5 MB together, the most that MMS carries' };
    }
  }
  return undefined;
}
