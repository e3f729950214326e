import type { AccountRow } from '../../../db/identity/models/account.js';
import type { ReceiverAddresses } from '../../events/event-rules/receiver.js';
import type { FileAddresses } from '../../files/file-addresses.js';
import type { AccountContext } from '../../kernel/account-context.js';
import { givenNames, recordAccountAudit } from '../../kernel/audit/record-audit.js';
import type { ErrorCode } from '../../lib/error-codes.js';
import { InvalidInput, Unauthenticated } from '../../lib/errors.js';
import { parseUrl } from '../../lib/parse-url.js';
import { checkLocaleAndTimezone } from '../workspaces/workspace-attributes.js';

type AccountAttributes = Partial<
  Pick<AccountRow, 'tosAccepted' | 'optedOut' | 'locale' | 'timezone' | 'avatarUrl'> & { name: string }
>;

/** What pictures of accounts are checked with. */
export interface PictureAddresses {
  /** Which hosts are on the public internet. */
  webhookAddresses: ReceiverAddresses;
  fileAddresses: FileAddresses;
}

/** Changes the account of the caller; fields that are left out stay unchanged. @throws InvalidInput */
export async function updateAccount(
  { db, clock, account, credential, ...addresses }: AccountContext & PictureAddresses,
  input: AccountAttributes,
): Promise<AccountRow> {
  const changes = { ...input, updatedAt: clock.now() };
  if (input.name !== undefined) changes.name = input.name.trim();
  const errors = checkLocaleAndTimezone(changes);
  if (errors.length > 0) throw InvalidInput.fields(errors);
  if (input.avatarUrl != null) changes.avatarUrl = await pictureAt(addresses, input.avatarUrl);

  return db.inIdentity(async (tx) => {
    const updated = await db.identity.accounts.update(account.id, changes, tx);
    if (updated === undefined) throw new Unauthenticated();
    const by = { now: changes.updatedAt, credential };
    recordAccountAudit(tx, by, account.id, 'account:updated', { names: givenNames(input) });
    return updated;
  });
}

const maxUrlLength = 2_048;

/**
 * The service never fetches the picture; the browsers of others do, so it leads neither into a private network nor to
 * anything but a page. @returns the URL as the standard writes it
 */
async function pictureAt(
  { webhookAddresses, fileAddresses }: PictureAddresses,
  given: string,
): Promise<string> {
  if (fileAddresses.isOfPublicFile(given)) return given;
  const url = parseUrl(given);
  if (url?.protocol !== 'https:') {
    throw refused(
      'must begin with https://, or be the address of a public file of the service',
      'https_required',
    );
  }
  const problem = await webhookAddresses.check(given);
  if (problem !== undefined) throw refused(problem.detail, problem.code);
  if (url.href.length > maxUrlLength)
    throw refused(`must have at most ${maxUrlLength} characters`, 'invalid_url');
  return url.href;
}

function refused(detail: string, code: ErrorCode<'invalid'>): InvalidInput {
  return InvalidInput.field('/avatarUrl', detail, code);
}
