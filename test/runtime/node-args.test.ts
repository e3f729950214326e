import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { nodeArgs, workerEnvironment } from '../../runtime/node-args.js';

const textOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const programs = { api: 'dist/api/main.js', media: 'dist/media/main.js', worker: 'dist/runtime/main.js' };
const assignments = (variables: Record<string, string>) =>
  Object.entries(variables).map(([name, value]) => `${name}=${value}`);

describe('nodeArgs', () => {
  it.each(['api', 'media', 'worker'] as const)(
    'equal the arguments of `npm run %s` and of the manual',
    (name) => {
      const variables = name === 'worker' ? assignments(workerEnvironment) : [];
      const command = [...variables, 'node', ...nodeArgs[name], programs[name]].join(' ');
      expect(JSON.parse(textOf('package.json')).scripts[name]).toBe(command);
      expect(textOf('docs/running.md')).toContain(`\`${command}\``);
    },
  );

  it('equal the arguments of the images', () => {
    const command = (name: keyof typeof programs) => [
      'node',
      '--enable-source-maps',
      ...nodeArgs[name],
      programs[name],
    ];
    const [inImage] =
      textOf('Dockerfile')
        .match(/(?<=^CMD )\[.*\]$/gm)
        ?.slice(-1) ?? [];

    expect(JSON.parse(inImage ?? '[]')).toEqual(command('api'));
    const { services } = parse(textOf('docker-compose.yml'));
    expect(services.worker.command).toEqual(command('worker'));
    expect(services.worker.environment).toMatchObject(
      Object.fromEntries(Object.entries(workerEnvironment).map(([name, value]) => [name, Number(value)])),
    );
    expect(services.media.command).toEqual(command('media'));
  });
});
