import Type from 'typebox';
import { Id, Nullable, Page, PageQuery, Picked, Time, Timestamp, Uuid } from '../../../http/schemas.js';

const link = {
  uuid: Uuid,
  expiresAt: Nullable(Timestamp),
  revokedAt: Nullable(Time({ description: 'When the link was revoked; null: it was not' })),
  isInForce: Type.Boolean({ description: 'Whether the link works: it is not revoked and has not expired' }),
  uses: Type.Integer({ minimum: 0, description: 'How often the link was used' }),
  lastUsedAt: Nullable(Time({ description: 'When the link was last used; null: never' })),
  createdByMemberId: Nullable(Id),
  createdAt: Timestamp,
};

export const ShareLinkResponse = Picked(link, { $id: 'ShareLinkResponse' });

export const NewShareLinkResponse = Picked(
  {
    ...link,
    token: Type.String({
      description:
        'The secret of the link, as the parameter `token` of the sharing endpoints. Shown only now',
    }),
  },
  { $id: 'NewShareLinkResponse' },
);

export const ShareLinkPage = Page(ShareLinkResponse);
export const ListSharesQuery = PageQuery(['createdAt'], {}, 'desc');

export const CreateShareRequest = Type.Object({
  expiresAt: Type.Optional(
    Nullable(
      Type.String({
        format: 'date-time',
        maxLength: 40,
        description: 'When the link stops working; by default never. It can be revoked at any time',
      }),
    ),
  ),
});
