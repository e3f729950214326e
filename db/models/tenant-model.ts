import { Model, snakeCaseMappers } from 'objection';

/**
 * A row of a workspace. Left unbound (no `Model.knex`): a forgotten transaction throws instead of silently
 * reading on a connection that has no workspace set. Columns are `declare`d, so that no class field shadows them.
 */
export abstract class TenantModel extends Model {
  static override columnNameMappers = snakeCaseMappers();

  declare id: number;
  declare workspaceId: number;
}

/** The plain row behind a model: what leaves `db/`. */
export type RowOf<M extends TenantModel> = Omit<M, keyof Model>;

/** Strips Objection from a row. */
export function toRow<M extends TenantModel>(model: M): RowOf<M> {
  return { ...model };
}

/** `toRow` for a query that may find nothing. */
export function toRowOrUndefined<M extends TenantModel>(model: M | undefined): RowOf<M> | undefined {
  return model === undefined ? undefined : toRow(model);
}
