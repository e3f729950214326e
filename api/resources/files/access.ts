import Type from 'typebox';
import { workspaceMember } from '../../http/access.js';
import { OneOf } from '../../http/schemas.js';

export const readers = workspaceMember({ scope: 'files:read' });
export const writers = workspaceMember({ scope: 'files:write' });

export const accesses = ['private', 'workspace', 'public'] as const;

/** The access in a request. `otherwise` says what holds if it is left out. */
export function Access(subject: string, otherwise: string) {
  return Type.Optional(
    OneOf(accesses, {
      description: `Who sees the ${subject} besides its owner and those with the permission files:read: private: nobody else; workspace: every member; public: everyone, at the sharing endpoints without signing in. ${otherwise}. All but private need the permission files:write`,
    }),
  );
}

export const Permissions = Type.Integer({
  minimum: 1,
  maximum: 15,
  description: 'What the caller may do with it, as the sum of 1 (read), 2 (change), 4 (delete) and 8 (share)',
});

export const ShareCount = Type.Integer({
  minimum: 0,
  description: 'How many links to it are in force: not revoked, and not expired',
});
