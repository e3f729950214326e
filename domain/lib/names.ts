/*
 * Names are shown in lists, in mail and to models. A name has at least one visible character, and none that ends a line
 * or reverses the direction of the text after it. Joiners and directional marks are parts of words and emoji, so they
 * are allowed next to visible characters.
 */

const forbidden = '\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069';
const invisible =
  ' \\u00a0\\u00ad\\u034f\\u115f\\u1160\\u1680\\u180b-\\u180f\\u2000-\\u200f\\u202f\\u205f-\\u2065\\u2800\\u3000\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0';

/**
 * For JSON Schema. Matching is linear, because the invisible characters and the first visible one are disjoint sets.
 * The empty text matches, because `minLength` already refuses it and one mistake should give one error.
 */
export const namePattern = `^(?:[${invisible}]*[^${forbidden}${invisible}][^${forbidden}]*)?$`;

/** The error message for a text that does not match `namePattern`. */
export const nameForm =
  'must have a visible character, and no control characters or characters that change the direction of text';

const form = new RegExp(namePattern, 'u');

export function isName(text: string): boolean {
  return text !== '' && form.test(text);
}
