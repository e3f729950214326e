import { Model, type ModelClass, type PartialModelObject, type Pojo, snakeCaseMappers } from 'objection';
import type { Tx } from '../database.js';

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

/** Changes a row and returns it as it is then, in one statement. @throws when there is no such row */
export async function patchRow<M extends TenantModel>(
  model: new () => M,
  tx: Tx,
  id: number,
  changes: PartialModelObject<M>,
): Promise<RowOf<M>> {
  const table = model as unknown as ModelClass<TenantModel>;
  const [row] = await table.query(tx).patch(changes).where({ id }).returning('*');
  if (row === undefined) throw new Error(`there is no row ${id} in ${table.tableName}`);
  return toRow(row as unknown as M);
}
