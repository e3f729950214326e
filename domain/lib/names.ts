/*
 * Names are shown in lists, in mail and to models. A name has at least one visible character, and none that ends a line
 * or reverses the direction of the text after it. Joiners and directional marks are parts of words and emoji, so they
 * are allowed next to visible characters.
 */

const forbidden = '\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069';
const invisible =
  ' \\u00a0\\u00ad\\u034f\\u115f\\u1160\\u1680\\u180b-\\u180f\\u2000-\\u200f\\u202f\\u205f-\\u2065\\u2800\\u3000\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0';

/**
 * The form of a name as a pattern of JSON Schema. The leading invisible characters and the first visible character are
 * disjoint sets, so that matching is linear. The empty text matches, because `minLength` already refuses it and one
 * mistake should give one error.
 */
export const namePattern = `^(?:[${invisible}]*[^${forbidden}${invisible}][^${forbidden}]*)?$`;

/** The error message for a text that does not match `namePattern`. */
export const nameForm =
  'must have a visible character, and no control characters or characters that change the direction of text';

const form = new RegExp(namePattern, 'u');

export function isName(text: string): boolean {
  return text !== '' && form.test(text);
}
