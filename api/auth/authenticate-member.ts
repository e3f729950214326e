import type { IncomingHttpHeaders } from 'node:http';
import { findMemberAccess } from '../../db/queries/member-access.js';
import { Actor } from '../../domain/actor.js';
import type { ServiceContext } from '../../domain/context.js';
import { NotFound, Unauthenticated } from '../../domain/errors.js';
import { acceptApiKey, apiKeyHash } from './api-key.js';
import { bearerToken } from './bearer.js';

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const nowhere = '00000000-0000-0000-0000-000000000000';

/**
 * Who is calling, as a member of the workspace in the path: one look-up outside any tenant, one short
 * transaction inside this one. A workspace that does not exist and one of which the caller is no member look
 * the same: 404.
 *
 * @throws Unauthenticated or NotFound
 */
export async function authenticateMember(
  service: ServiceContext,
  headers: IncomingHttpHeaders,
  workspaceUuid: string,
): Promise<Actor> {
  const hash = apiKeyHash(bearerToken(headers));
  const uuid = uuidForm.test(workspaceUuid) ? workspaceUuid.toLowerCase() : nowhere;
  const key = await service.db.identity.apiKeys.findByHashInWorkspace(hash, uuid);
  if (key === undefined) throw new Unauthenticated();
  acceptApiKey(service, key, key.accountEnabled);

  const { workspaceId, memberId } = key;
  if (workspaceId === null || memberId === null) throw new NotFound('Workspace');
  const member = await service.db.readInWorkspace(workspaceId, (tx) => findMemberAccess(tx, memberId));
  if (member === undefined) throw new NotFound('Workspace');

  return new Actor({
    workspaceId,
    workspaceUuid: uuid,
    accountId: key.accountId,
    memberId,
    memberRoleId: member.memberRoleId,
    permissions: member.permissions,
    credential: { kind: 'api_key', id: key.id, scopes: key.scopes },
  });
}
