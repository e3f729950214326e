import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Service {
  image: string;
  ports?: string[];
  environment?: Record<string, string>;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  mem_limit?: string;
  pids_limit?: number;
  command?: string[];
  profiles?: string[];
  networks?: string[];
  volumes?: string[];
}

const read = (name: string) => readFile(new URL(`../../../../${name}`, import.meta.url), 'utf8');
const text = await read('docker-compose.yml');
const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };
const dockerfile = await read('Dockerfile');
const simulators = await read('tools/dev/compose/simulators.env');
const named = Object.entries(services);
const ours = named.filter(([, { image }]) => image.startsWith('workspace-engagement-service'));

describe('docker-compose.yml', () => {
  it.each(named)('confines %s by capabilities, memory and process limits', (_, service) => {
    expect(service).toMatchObject({ cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(service.mem_limit).toMatch(/^\d+[mg]$/);
    expect(service.pids_limit).toBeGreaterThan(0);
  });

  it.each(ours)('mounts the image of %s read-only', (_, service) => {
    expect(service.read_only).toBe(true);
  });

  it('publishes every port on localhost only, unless configured', () => {
    const published = named.flatMap(([, { ports = [] }]) => ports);
    expect(published.length).toBeGreaterThan(4);
    const open = published.filter((port) => !/^(127\.0\.0\.1|\$\{API_ADDRESS:-127\.0\.0\.1\}):/.test(port));
    expect(open).toEqual([]);
  });

  it('has no default passwords or secrets', () => {
    const taken = [...text.matchAll(/\$\{([A-Z_]*(?:PASSWORD|SECRET|ENCRYPTION_KEY))(\W[^}]*)?\}/g)];
    expect(taken.length).toBeGreaterThan(6);
    expect(taken.filter(([, , otherwise = '']) => !otherwise.startsWith(':?'))).toEqual([]);
  });

  it('requires the public address of the api', () => {
    expect(text).toContain('PUBLIC_URL: ${PUBLIC_URL:?');
  });

  it('gets all required variables from the simulators’ environment file', () => {
    const needed = new Set([...text.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name]) => name));
    const given = new Set([...simulators.matchAll(/^([A-Z_]+)=./gm)].map(([, name]) => name));
    expect([...needed].filter((name) => !given.has(name))).toEqual([]);
  });

  it('gives Temporal its own database role', () => {
    const own = { POSTGRES_USER: 'temporal', SKIP_DB_CREATE: 'true' };
    expect(services.temporal?.environment).toMatchObject(own);
    expect(services.provision?.environment).toHaveProperty('TEMPORAL_DATABASE_PASSWORD');
  });

  it('pins exact versions of third-party images', () => {
    const theirs = named.map(([, { image }]) => image).filter((image) => image.includes(':'));
    expect(theirs.length).toBe(4);
    expect(theirs.filter((image) => !/:v?\d+\.\d+(\.\d+)?$/.test(image))).toEqual([]);
    expect(dockerfile).toMatch(/^ARG NODE_IMAGE=node:\d+\.\d+\.\d+-/m);
  });

  it('gives api and worker one folder for files, which the image makes for their user', () => {
    const { api, worker } = services;
    const folder = api?.environment?.STORAGE_FOLDER ?? '';
    expect(api?.volumes).toEqual([`storage:${folder}`]);
    expect(worker?.volumes).toEqual(api?.volumes);
    expect(worker?.environment?.STORAGE_FOLDER).toBe(folder);
    expect(dockerfile).toContain(`RUN mkdir -p ${folder} && chown -R node:node /var/lib/wes\nUSER node\n`);
  });

  it('keeps the S3 server out unless its profile is chosen', () => {
    expect(services.s3).toMatchObject({ profiles: ['s3'], read_only: true, networks: ['default'] });
  });

  it('separates the simulators from PostgreSQL and Temporal', () => {
    const simulated = named.filter(([, { profiles = [] }]) => profiles.includes('simulators'));
    expect(simulated.length).toBe(3);
    for (const [, { networks }] of simulated) expect(networks).toEqual(['default']);
  });

  it('runs only programs that are in the service’s image', () => {
    const programs = ours
      .filter(([, { profiles = [] }]) => !profiles.includes('simulators'))
      .map(([, { command = [] }]) => command.find((part) => part.startsWith('dist/')) ?? '');
    expect(programs.length).toBeGreaterThan(4);
    expect(programs.filter((program) => /^dist\/(dev|simulators)\//.test(program))).toEqual([]);
  });
});

it('the service’s image contains no development programs or dependencies', () => {
  expect(dockerfile).toContain('RUN rm -rf dist/tools\n');
  expect(dockerfile).toContain('COPY --from=compiled /app/dist ./dist');
  expect(dockerfile).toContain('RUN npm ci --omit=dev --ignore-scripts');
});
