/** The kinds of file that uploads may have, by MIME type. */
export const fileKinds = {
  'application/pdf': 'document',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'document',
  'application/msword': 'document',
  'text/plain': 'document',
  'text/markdown': 'document',
  'image/png': 'image',
  'image/jpeg': 'image',
  'image/gif': 'image',
  'image/svg+xml': 'image',
  'text/csv': 'data',
  'application/json': 'data',
  'application/xml': 'data',
  'audio/mpeg': 'media',
  'video/mp4': 'media',
} as const satisfies Record<string, 'document' | 'image' | 'data' | 'media'>;

export type FileMimeType = keyof typeof fileKinds;

export interface RecognizedKind {
  mimeType: FileMimeType;
  kind: (typeof fileKinds)[FileMimeType];
}

/** For errors: what can be uploaded. */
export const acceptedKinds =
  'PDF, Word, text and Markdown documents; PNG, JPG, GIF and SVG images; CSV, JSON and XML data; MP3 and MP4 media. ' +
  'Texts must be UTF-8 or UTF-16';
