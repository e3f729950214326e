import type { Static } from 'typebox';
import { keptByErasure } from '../../../../db/person-data/catalogue.js';
import type { PersonErasureRow } from '../../../../db/person-data/person-erasures.js';
import type { ErasureResponse } from './schemas.js';

export function presentErasure(erasure: PersonErasureRow): Static<typeof ErasureResponse> {
  const { uuid, memberId, requestedByMemberId, counts, createdAt, erasedAt, lookAgainAt, finishedAt } =
    erasure;
  return {
    uuid,
    memberId,
    requestedByMemberId,
    state: finishedAt !== null ? 'finished' : erasedAt !== null ? 'erased' : 'erasing',
    erased: counts,
    kept: keptByErasure.map(({ table, what }) => ({ store: table, what })),
    createdAt: createdAt.toISOString(),
    erasedAt: erasedAt?.toISOString() ?? null,
    lookAgainAt: lookAgainAt?.toISOString() ?? null,
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}
