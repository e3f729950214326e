import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { Database } from '../../db/database.js';
import { ConfigurationError } from '../../runtime/configuration.js';
import { preparePhoneNumbers } from '../../runtime/prepare-phone-numbers.js';
import { addPhoneNumber } from '../support/workspace/definitions.js';
import { uniquePhone } from '../support/workspace/factories.js';
import { useWorkspace } from '../support/workspace/use-workspace.js';

const setup = useWorkspace();
const logger = pino({ level: 'silent' });

/** The database, except that its first transaction fails as if the server were away. */
function awayAtFirst(database: Database, onTry = () => {}): Database {
  let tries = 0;
  const inIdentity: Database['inIdentity'] = async (work) => {
    onTry();
    tries += 1;
    if (tries === 1) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    return database.inIdentity(work);
  };
  const { identity } = database;
  const changed = { inIdentity: { value: inIdentity }, identity: { value: identity } };
  return Object.create(database, changed) as Database;
}

it('preparePhoneNumbers rejects a login number that belongs to a workspace', async () => {
  const context = { ...setup.workspace.context(), logger };
  const { number } = await addPhoneNumber(setup.workspace);
  const prepared = preparePhoneNumbers(context, { loginSmsFrom: number }, new AbortController().signal);
  await expect(prepared).rejects.toThrow(ConfigurationError);
  await expect(prepared).rejects.toThrow('LOGIN_SMS_FROM');
});

it('preparePhoneNumbers waits for a database that is away, and then fills the pool', async () => {
  const { database } = setup.workspace;
  const number = uniquePhone();
  const context = { ...setup.workspace.context(), logger, db: awayAtFirst(database) };

  await preparePhoneNumbers(context, { phoneNumberPool: [number] }, new AbortController().signal);

  const page = { page: 1, pageSize: 25, sortBy: 'number', sortOrder: 'asc' } as const;
  const { items } = await database.identity.phoneNumberPool.list({ search: number }, page);
  expect(items).toMatchObject([{ number, source: 'setting', workspaceUuid: null }]);
});

it('preparePhoneNumbers stops waiting for its database when the process ends', async () => {
  const stopping = new AbortController();
  const away = awayAtFirst(setup.workspace.database, () => stopping.abort());
  const context = { ...setup.workspace.context(), logger, db: away };
  await expect(preparePhoneNumbers(context, {}, stopping.signal)).resolves.toBeUndefined();
});
