import { ifNoneMatchParameter } from '../pipeline/conditional.js';

const text = { type: 'string' };

/** The headers of a request for a file. */
export const fileParameters = [
  {
    name: 'Range',
    in: 'header',
    required: false,
    description:
      'A part of the file, such as `bytes=0-99`, `bytes=100-` or `bytes=-100`. Overlapping and adjacent ranges are answered as one; for ranges with gaps between them, the answer is the whole file (200).',
    schema: text,
  },
  {
    name: 'If-Range',
    in: 'header',
    required: false,
    description:
      'The ETag of an earlier answer, to continue a download: if the file has changed since, `Range` is ignored.',
    schema: text,
  },
  {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The ETag of an earlier answer, or several with commas. If the file has changed since, the answer is 412 `precondition_failed`.',
    schema: text,
  },
  ifNoneMatchParameter,
];

const validators = {
  ETag: {
    description: 'Strong: equal tags are equal bytes. It is the SHA-256 of the file, in hexadecimal.',
    schema: text,
  },
  'Cache-Control': { description: 'Shared caches never keep a file.', schema: text },
};

const headers = {
  ...validators,
  'Accept-Ranges': { description: 'Always `bytes`.', schema: { const: 'bytes' } },
  'Content-Disposition': {
    description:
      'The name of the file, and whether a browser saves it (`attachment`) or shows it (`inline`).',
    schema: text,
  },
};

const contentRange = {
  'Content-Range': {
    description: 'The range that was answered and the length of the file: `bytes 0-99/1234`.',
    schema: text,
  },
};

/** The media type is the one of the file. */
const content = { '*/*': { schema: { type: 'string', format: 'binary' } } };

export function fileAnswer(description: string): object {
  return { description, headers, content };
}

/** Answers besides the whole file. */
export const otherFileAnswers = {
  206: {
    description: 'The range of the file that `Range` asks for.',
    headers: { ...headers, ...contentRange },
    content,
  },
  304: { description: 'The file has not changed since the ETag in `If-None-Match`.', headers: validators },
};
