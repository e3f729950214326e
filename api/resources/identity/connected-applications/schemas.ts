import Type from 'typebox';
import { Nullable, Picked, Timestamp, Uuid } from '../../../http/schemas.js';

export const ConnectedApplicationResponse = Picked(
  {
    uuid: Uuid,
    clientId: Type.String({ description: 'Id or address of the application' }),
    clientName: Type.String({ description: 'Name of the application when the person consented' }),
    workspaceUuid: Uuid,
    workspaceName: Type.String({ description: 'Name of the workspace that the application may act in' }),
    scopes: Type.Array(Type.String()),
    resource: Type.String({ description: 'What the tokens are for: the API or the tools' }),
    createdAt: Timestamp,
    lastUsedAt: Nullable(Timestamp),
    expiresAt: Timestamp,
  },
  { $id: 'ConnectedApplicationResponse' },
);
