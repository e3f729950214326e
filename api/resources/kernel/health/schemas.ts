import Type from 'typebox';
import { OneOf } from '../../../http/schemas.js';

export const LiveResponse = Type.Object({ status: OneOf(['live']) }, { $id: 'LiveResponse' });

export const ReadyResponse = Type.Object(
  {
    status: OneOf(['ready']),
    database: OneOf(['reachable']),
    temporal: OneOf(['reachable', 'unreachable']),
  },
  { $id: 'ReadyResponse' },
);
