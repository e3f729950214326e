import { basename, extname } from 'node:path/posix';
import { countCharacters } from '../lib/characters.js';

const maxCharacters = 200;
const maxExtensionLength = 16;

// Controls, line separators, and characters that reverse the direction of the text after them: "fdp.exe" reads "exe.pdf".
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const unwanted = /[\p{Surrogate}\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Makes a label of the name that a sender gave a file: the last part of a path, without characters that mislead. It is
 * shown and offered for saving, and is never a path of ours.
 */
export function filenameOf(given: string | null): string {
  const clean = (given ?? '').normalize('NFC').replace(unwanted, '').replaceAll('\\', '/');
  const name = basename(clean).trim().replace(/^\.+$/, '');
  if (name === '') return 'file';
  if (countCharacters(name) <= maxCharacters) return name;
  const extension = extname(name).length <= maxExtensionLength ? extname(name) : '';
  const stem = [...name].slice(0, maxCharacters - countCharacters(extension)).join('');
  return `${stem}${extension}`;
}
