/**
 * Writes the content of a mail as a line of JSON to its standard output, and its attachments into files. It is a
 * process of its own because a mail can make its readers use any time and memory (`../read-mail.ts`).
 * Arguments: path, what the paths of attachments begin with.
 */
import { readContent } from './content.js';
import type { MailLine } from './lines.js';

const [path = '', partsPath = ''] = process.argv.slice(2);
const mail = await readContent(path, partsPath);
const line: MailLine = mail === undefined ? { refused: true } : { mail };
process.stdout.write(`${JSON.stringify(line)}\n`);
