import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { notStores, otherStores } from '../../../db/person-data/other-stores.js';
import { DiskStorage } from '../../../providers/storage/disk-storage.js';
import { searchAttributeNames } from '../../../runtime/temporal/run-options.js';
import { useConnection, useDatabase } from '../../support/db/use-database.js';
import { temporaryFolder } from '../../support/lib/temporary-folder.js';
import { store } from '../../support/storage/bytes.js';

const database = useDatabase();
const query = useConnection(() => database.superuserUrl);

const sources = ['api', 'activities', 'db', 'domain', 'media', 'providers', 'runtime', 'workflows'].flatMap(
  (folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => join(folder, file))
      .filter((file) => file.endsWith('.ts') && !file.startsWith('api/http/openapi/page')),
);

/** What code contains that writes to a file, opens a connection, or tells others. */
const traces: Record<string, RegExp> = {
  'writes to a file':
    /import \{[^}]*\b(appendFile|copyFile|cp|createWriteStream|mkdir|mkdirSync|mkdtemp|mkdtempSync|rename|writeFile|writeFileSync)\b[^}]*\} from 'node:fs(\/promises)?'|\bopen\([^)]*, '[rwa]\+?x?\+?'\)(?<!, 'r'\))/,
  'opens a connection':
    /^(?:(?:import (?!type)[\w\s{},]*|\} )from |.*\bimport\()'(node:(http|https|http2|net|tls|dgram)|undici|nodemailer|twilio|openai|ws|ioredis|redis)'/m,
  fetches: /(?<![.\w])fetch\(/,
  'connects to Temporal': /(?<!\w)(Native)?Connection\.(connect|lazy)\(/,
  notifies: /pg_notify/,
  'logs or counts': /from '(pino|prom-client)'/,
};

/** Names of `node:net` and `node:http` that open nothing. */
const harmless = /^import (type )?\{ ?(type \w+,? ?|isIP\w*,? ?)*\} from 'node:\w+';$/gm;

function tracesIn(file: string): string[] {
  const text = readFileSync(file, 'utf8')
    .replace(harmless, '')
    .replace(/^import type .*$/gm, '');
  return Object.entries(traces)
    .filter(([, trace]) => trace.test(text))
    .map(([name]) => name);
}

describe('the stores that are no tables', () => {
  it('include what any code writes to, sends to or logs to', () => {
    const declared = [
      ...Object.values(otherStores).flatMap(({ writtenBy }) => writtenBy),
      ...Object.keys(notStores),
    ];
    const found = sources.filter((file) => tracesIn(file).length > 0);
    expect(
      found
        .map((file) => `${file}: ${tracesIn(file)}`)
        .filter((one) => !declared.includes(one.split(':')[0] ?? '')),
    ).toEqual([]);
    expect(declared.filter((file) => !found.includes(file))).toEqual([]);
  });

  it.each([
    [`import { writeFile } from 'node:fs/promises';`, 'writes to a file'],
    [`await open(path, 'w')`, 'writes to a file'],
    [`import http from 'node:http';`, 'opens a connection'],
    [`const { Twilio } = await import('twilio');`, 'opens a connection'],
    [`await fetch(url)`, 'fetches'],
  ])('would include code such as %s', (code, name) => {
    expect(traces[name]?.test(code)).toBe(true);
  });

  it('are each in docs/person-data.md, with what they hold and how it is erased', () => {
    const text = readFileSync('docs/person-data.md', 'utf8');
    const lines = Object.entries(otherStores).map(([name, { holds, erased }]) => [name, holds, erased]);
    for (const [name, holds, erased] of lines) {
      const line = text.split('\n').find((one) => one.startsWith(`| ${name} |`));
      expect(line?.replace(/ \(\[[^)]*\)\)/g, '')).toBe(`| ${name} | ${holds} | ${erased} |`);
    }
  });

  it('are all the folders that the storage makes', async () => {
    const folder = temporaryFolder();
    const storage = new DiskStorage(folder);
    await storage.check();
    await store(
      storage,
      '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f01/5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f02',
      'bytes',
    );
    expect(readdirSync(folder).sort()).toEqual(['objects', 'spool']);
  });

  it('have search attributes of ids and names of configuration only', () => {
    const known = [
      'AssignmentId',
      'CallId',
      'ChatId',
      'EventType',
      'MemberId',
      'RuleId',
      'Stands',
      'Summary',
      'WorkspaceUuid',
    ];
    expect([...searchAttributeNames].sort()).toEqual(known);
  });
});

describe('the database', () => {
  it('has tables in the declared schemas only, and nothing else that stores rows', async () => {
    const { rows } = await query<{ kind: string; name: string }>(
      `select c.relkind as kind, n.nspname || '.' || c.relname as name
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p', 'm', 'f') and n.nspname !~ '^(pg_|information_schema$)'
         and not (c.relkind in ('r', 'p') and n.nspname in ('public', 'identity'))`,
    );
    expect(rows).toEqual([]);
  });
});
