import { subjectsWaiting } from '../../db/outbox.js';
import {
  findErasureOfMember,
  findPersonErasure,
  type PersonErasureRow,
  selectOpenErasures,
} from '../../db/person-data/person-erasures.js';
import type { CommandContext, ServiceContext } from '../kernel/context.js';
import { pokeErasureRun } from '../kernel/runs.js';
import { NotFound } from '../lib/errors.js';
import type { WalkPage } from '../lib/paging.js';

/** The erasure of a member. @throws Forbidden, NotFound */
export async function getErasure({ db, actor }: CommandContext, memberId: number): Promise<PersonErasureRow> {
  actor.require('person_data:erase');
  const found = await db.readInWorkspace(actor.workspaceId, (tx) => findErasureOfMember(tx, memberId));
  if (found === undefined) throw new NotFound('Erasure');
  return found;
}

/** An erasure that is not finished, which needs its run. */
export interface OpenErasure {
  workspaceId: number;
  erasureId: number;
  erasureUuid: string;
}

const pageSize = 200;

/** Returns the next page of such erasures, except those with an outbox entry that the relay has yet to deliver. */
export async function pageOfOpenErasures(
  { db }: ServiceContext,
  workspaceId: number,
  afterId = 0,
): Promise<WalkPage<OpenErasure, number>> {
  return db.readInWorkspace(workspaceId, async (tx) => {
    const erasures = await selectOpenErasures(tx, afterId, pageSize);
    const uuids = erasures.map(({ uuid }) => uuid);
    const waiting = await subjectsWaiting(tx, 'erasePersonData', uuids);
    const items = erasures
      .filter(({ uuid }) => !waiting.has(uuid))
      .map(({ id, uuid }) => ({ workspaceId, erasureId: id, erasureUuid: uuid }));
    return { items, next: erasures.length < pageSize ? undefined : erasures.at(-1)?.id };
  });
}

/** Pokes the missing run of an erasure. Harmless if it exists. */
export async function restartErasure({ db }: ServiceContext, open: OpenErasure): Promise<void> {
  await db.inWorkspace(open.workspaceId, async (tx) => {
    const erasure = await findPersonErasure(tx, open.erasureId);
    if (erasure !== undefined && erasure.finishedAt === null) await pokeErasureRun(tx, erasure);
  });
}
