import { Model, type Pojo, snakeCaseMappers } from 'objection';

/**
 * A row of a workspace. Not bound to a knex (`Model.knex`), so that a query without a transaction throws instead of
 * silently reading on a connection without a workspace. Columns are `declare`d, so that no class field shadows them.
 */
export abstract class TenantModel extends Model {
  static override columnNameMappers = snakeCaseMappers();

  declare id: number;
  declare workspaceId: number;

  /**
   * The driver has already parsed jsonb. Objection would parse values that are text once more: it would read the
   * message "4" as a number, and "null" as null.
   */
  override $parseDatabaseJson(json: Pojo): Pojo {
    return TenantModel.columnNameMappers.parse(json);
  }
}

/** The plain row of a model, in which form rows leave `db/`. */
export type RowOf<M extends TenantModel> = Omit<M, keyof Model>;

/** Strips Objection from a row. */
export function toRow<M extends TenantModel>(model: M): RowOf<M> {
  return { ...model };
}

/** `toRow` for a query that may find nothing. */
export function toRowOrUndefined<M extends TenantModel>(model: M | undefined): RowOf<M> | undefined {
  return model === undefined ? undefined : toRow(model);
}
