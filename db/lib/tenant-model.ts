import { Model, type Pojo, snakeCaseMappers } from 'objection';

/**
 * A row of a workspace. Left unbound (no `Model.knex`): a forgotten transaction throws instead of silently
 * reading on a connection that has no workspace set. Columns are `declare`d, so that no class field shadows them.
 */
export abstract class TenantModel extends Model {
  static override columnNameMappers = snakeCaseMappers();

  declare id: number;
  declare workspaceId: number;

  /**
   * The driver has parsed jsonb already. Objection would do so once more with what came out as text: it would read
   * the message "4" as a number, and "null" as none at all.
   */
  override $parseDatabaseJson(json: Pojo): Pojo {
    return TenantModel.columnNameMappers.parse(json);
  }
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
