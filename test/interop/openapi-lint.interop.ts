import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openApiDocument } from '../../api/http/openapi.js';
import { routes } from '../../api/resources/index.js';
import { type ProgramResult, runProgram } from './support/run-program.js';

/** The findings of Redocly’s strictest ready-made rules (`redocly.yaml`) for a document. */
async function lint(document: object): Promise<ProgramResult> {
  const folder = mkdtempSync(join(tmpdir(), 'wes-openapi-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  const options = ['--config', 'redocly.yaml', '--format', 'json'];
  return runProgram('node_modules/.bin/redocly', ['lint', ...options, file]);
}

it('lints the OpenAPI document without findings under Redocly recommended-strict', async () => {
  const { code, output } = await lint(openApiDocument(routes));
  expect(output).toContain('"totals"');
  expect(code, output).toBe(0);
});

it('fails the lint for an OpenAPI document without a licence', async () => {
  const { info, ...rest } = openApiDocument(routes);
  const { code, output } = await lint({ ...rest, info: { ...info, license: undefined } });
  expect(code).not.toBe(0);
  expect(output).toContain('info-license');
});
