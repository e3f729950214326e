import { HttpProblem } from '../problem.js';

/** Bytes allowed in addition to the file: text fields, and the boundaries between the parts. */
export const maxFieldBytes = 65_536;
export const maxFields = 100;
/** All parts, including refused ones. */
export const maxParts = maxFields + 10;

/** The sender of so many parts has to be stopped before reading them costs more than the connection. */
export class TooManyParts extends HttpProblem {
  constructor() {
    super(400, 'malformed_body', `The body has more than ${maxParts} parts.`);
  }
}

/** @param maxBytes of the file */
export function tooLarge(maxBytes: number): HttpProblem {
  const why = `The file is larger than ${maxBytes} bytes, or its fields are larger than ${maxFieldBytes}.`;
  return new HttpProblem(413, 'body_too_large', why);
}

export function malformed(): HttpProblem {
  return new HttpProblem(400, 'malformed_body', 'The body is not multipart/form-data, or not all of it.');
}
