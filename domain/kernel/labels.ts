import { findLabelChange } from '../../db/lib/label-changes.js';
import {
  findLabel,
  insertLabel,
  type LabelFilter,
  type LabelRow,
  type LabelSortField,
  type LabelTable,
  type LabelValues,
  patchLabel,
  removeLabel,
  selectLabels,
} from '../../db/lib/labels.js';
import type { Tx } from '../../db/tx.js';
import { type FieldError, InvalidInput, NotFound } from '../lib/errors.js';
import type { PageOf, PageRequest } from '../lib/paging.js';
import { mappingUniqueViolation } from '../lib/unique-violation.js';
import type { CommandContext } from './context.js';
import { pokeLabelRun } from './runs.js';
import type { Scope } from './scopes.js';

/**
 * The labels of members (`people/member-labels`), of chats (`conversations/chat-labels`) or of files (`files/labels`).
 * Every member may read them.
 */
export interface LabelKind {
  title: 'Member' | 'Chat' | 'File';
  table: LabelTable;
  /** The permission to create, change and delete labels. */
  writing: Scope;
  hasDescription: boolean;
  /** The error message for the id of a label that the workspace does not have. */
  unknown: string;
  /** Wakes the runs that wait for a change of these, which have the label. @returns how many */
  wakeLabelled?: (tx: Tx, ids: readonly number[]) => Promise<number>;
}

export type NewLabel = Pick<LabelValues, 'name'> & {
  slug?: string;
  /** `#rrggbb`; default: grey. */
  color?: string;
  /** Default: empty. */
  description?: string;
};

export const labelSlugPattern = '^[a-z0-9][a-z0-9_-]{0,62}$';

const grey = '#808080';

export async function listLabels(
  { db, actor }: CommandContext,
  { table }: LabelKind,
  request: PageRequest<LabelSortField> & LabelFilter,
): Promise<PageOf<LabelRow>> {
  return db.readInWorkspace(actor.workspaceId, (tx) => selectLabels(tx, table, request, request));
}

export async function getLabel(
  { db, actor }: CommandContext,
  kind: LabelKind,
  id: number,
): Promise<LabelRow> {
  const found = await db.readInWorkspace(actor.workspaceId, (tx) => findLabel(tx, kind.table, id));
  return existing(kind, found);
}

/** @throws Forbidden, InvalidInput if the slug is taken */
export async function createLabel(
  { db, clock, actor }: CommandContext,
  kind: LabelKind,
  { name, slug, color = grey, description = '' }: NewLabel,
): Promise<LabelRow> {
  actor.require(kind.writing);
  const values = {
    name,
    slug: slug ?? slugOfName(name),
    color: color.toLowerCase(),
    ...(kind.hasDescription ? { description } : {}),
  };
  return reportingTakenSlug(kind)(() =>
    db.inWorkspace(actor.workspaceId, (tx) => insertLabel(tx, kind.table, values, clock.now())),
  );
}

/**
 * Changes a label for all that have it, which is no update of them: no `member:updated` (docs/decisions/0042).
 * A run wakes those that wait for a change of them (docs/decisions/0241).
 * @throws NotFound, Forbidden, InvalidInput if the slug is taken
 */
export async function updateLabel(
  { db, clock, actor }: CommandContext,
  kind: LabelKind,
  id: number,
  { name, slug, color, description }: Partial<NewLabel>,
): Promise<LabelRow> {
  actor.require(kind.writing);
  const changes = {
    ...(name === undefined ? {} : { name }),
    ...(slug === undefined ? {} : { slug }),
    ...(color === undefined ? {} : { color: color.toLowerCase() }),
    ...(description === undefined || !kind.hasDescription ? {} : { description }),
  };
  const updated = await reportingTakenSlug(kind)(() =>
    db.inWorkspace(actor.workspaceId, async (tx) => {
      const patched = await patchLabel(tx, kind.table, id, changes, clock.now());
      if (slug !== undefined) await beginLabelChange(tx, kind, id);
      return patched;
    }),
  );
  return existing(kind, updated);
}

/**
 * Deletes a label, which nobody has from then on; a run clears up (docs/decisions/0241).
 * @throws NotFound, Forbidden
 */
export async function deleteLabel({ db, actor }: CommandContext, kind: LabelKind, id: number): Promise<void> {
  actor.require(kind.writing);
  const existed = await db.inWorkspace(actor.workspaceId, async (tx) => {
    const existed = await removeLabel(tx, kind.table, id);
    await beginLabelChange(tx, kind, id);
    return existed;
  });
  existing(kind, existed ? id : undefined);
}

/** The field errors for labels that do not exist in the workspace. */
export function unknownLabels(
  { unknown }: LabelKind,
  labelIds: readonly number[],
  known: { has(labelId: number): boolean },
  field = 'labelIds',
): FieldError[] {
  return labelIds.flatMap((id, index) =>
    known.has(id) ? [] : [{ pointer: `/${field}/${index}`, message: unknown }],
  );
}

/** Pokes the run of a label whose change the database has noted. */
async function beginLabelChange(tx: Tx, { table }: LabelKind, id: number): Promise<void> {
  const change = await findLabelChange(tx, table.noun, id);
  if (change !== undefined) await pokeLabelRun(tx, change);
}

function existing<T>({ title }: LabelKind, found: T | undefined): T {
  if (found === undefined) throw new NotFound(`${title} label`);
  return found;
}

function reportingTakenSlug({ table: { noun } }: LabelKind) {
  return mappingUniqueViolation({
    constraint: `${noun}_labels_workspace_id_slug_key`,
    pointer: '/slug',
    message: `Another ${noun} label of the workspace has this slug.`,
  });
}

/** Removes accents, and replaces what a slug cannot contain with hyphens. @throws InvalidInput if nothing is left */
export function slugOfName(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .slice(0, 63)
    .replace(/^[-_]+|-+$/g, '');
  if (slug === '') throw InvalidInput.field('/slug', 'is required, as none can be made of this name');
  return slug;
}
