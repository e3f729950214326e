import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { StoredTable } from '../../../db/lib/personal-data-inventory.js';
import { IdentityModel } from '../../../db/lib/table-model.js';
import { declaredTables } from '../../support/person-data/declared-tables.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const folder = '../../../db/identity/models/';
const files = readdirSync(new URL(folder, import.meta.url));
const modules: object[] = await Promise.all(files.map((file) => import(folder + file)));
const models: StoredTable[] = modules
  .flatMap((module) => Object.values(module))
  .filter((exported) => exported?.prototype instanceof IdentityModel);

const { workspace } = useWorkspace();

it('each table of schema identity has one model, with all of its columns and what they hold', () => {
  const declared = declaredTables
    .filter(({ name }) => name.startsWith('identity.'))
    .map(({ name, holds }) => [name, holds] as const);
  expect(Object.fromEntries(models.map(({ tableName, holds }) => [tableName, holds]))).toEqual(
    Object.fromEntries(declared),
  );
  expect(models).toHaveLength(declared.length);
});

it('a row has no columns that are only written and compared', async () => {
  const { siteVisitors } = workspace.database.identity;
  const hash = randomBytes(32);
  const [createdAt, expiresAt] = [new Date(), new Date(Date.now() + 60_000)];
  const visitor = await workspace.within((tx) =>
    siteVisitors.insert({ siteId: 1, hash, createdAt, expiresAt }, tx),
  );
  expect(visitor).not.toHaveProperty('hash');
  expect(await siteVisitors.findInForce(hash, createdAt)).toEqual(visitor);
});
