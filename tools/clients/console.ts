import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApiDocument } from '../../api/http/openapi.js';
import { routes } from '../../api/resources/index.js';
import { generateTypes } from './generate.js';
import { withoutProblems } from './typescript.js';

// Writes the types with which the console calls the API, unless they are of the present document.
const output = 'console/kit/schema.ts';
const document = JSON.stringify(withoutProblems(openApiDocument(routes)));
const mark = `// Of the document ${createHash('sha256').update(document).digest('hex')}\n`;

function written(): string {
  try {
    return readFileSync(output, 'utf8');
  } catch {
    return '';
  }
}

if (!written().startsWith(mark)) {
  const folder = mkdtempSync(join(tmpdir(), 'wes-console-'));
  try {
    writeFileSync(join(folder, 'document.json'), document);
    await generateTypes(join(folder, 'document.json'), output);
    writeFileSync(output, mark + readFileSync(output, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
