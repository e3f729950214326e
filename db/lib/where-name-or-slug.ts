import type { Model, QueryBuilder } from 'objection';
import { containsPattern } from './contains-pattern.js';

/** Narrows a query to rows whose name or slug contains a text, in upper or lower case. Without a text it changes nothing. */
export function whereNameOrSlug<M extends Model>(query: QueryBuilder<M>, text: string | undefined): void {
  if (text === undefined) return;
  const part = containsPattern(text);
  query.where((any) => {
    any.whereILike('name', part).orWhereILike('slug', part);
  });
}
