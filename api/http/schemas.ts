import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { OneOf } from '../../domain/lib/schema-parts.js';

export {
  DateOnly,
  Id,
  Name,
  Nullable,
  OneOf,
  Timestamp as TimeInput,
  Uuid,
} from '../../domain/lib/schema-parts.js';
export { Picked } from './validation/schema-rules.js';

/** A time in an answer: a `Date`, which the serialiser writes. Times in requests are text (`TimeInput`). */
export function Time(options: { description?: string; maxLength?: number }) {
  return Type.Unsafe<Date>({ type: 'string', format: 'date-time', ...options });
}
export const Timestamp = Time({ maxLength: 40 });

/** What a handler answers: rows, which may have more fields, and null for an optional field that is to be left out. */
export type AnswerOf<Schema extends TSchema> = Answered<Static<Schema>>;
type Answered<Value> = Value extends Date
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Answered<Item>[]
    : Value extends object
      ? { [Name in keyof Value]: Answered<Value[Name]> | Absent<Value, Name> }
      : Value;
/** Of the values of a record, whose names are not declared, none is absent. */
type Absent<Value, Name extends keyof Value> = string extends Name
  ? never
  : Pick<Value, Name> extends Required<Pick<Value, Name>>
    ? never
    : null | undefined;

/** `<provider>:<type>:<name>` (specification: AI model catalogue entry). Commands check whether the model exists. */
export function ModelId(type: 'chat' | 'realtime') {
  return Type.String({
    pattern: `^[a-z0-9_-]+:${type}:\\S+$`,
    maxLength: 200,
    description: `Id of a model of the catalogue, as <provider>:${type}:<name>`,
  });
}

/** A query parameter that may be repeated; an item matches if it has any of the values. */
export function AnyOf<Schema extends TSchema>(schema: Schema) {
  return Type.Array(schema, {
    minItems: 1,
    maxItems: 50,
    description: 'Only items with any of these; may be repeated',
  });
}

/** An answer with one page of a list (`PageOf`, domain/lib/paging.ts), named after its items: `MemberRolePage`. */
export function Page<Item extends TSchema>(item: Item) {
  return Type.Object(pageOf(item), { $id: pageNameOf(item) });
}

function pageOf<Item extends TSchema>(item: Item) {
  return {
    items: Type.Array(item, { description: 'The items of this page, in the order asked for' }),
    total: Type.Integer({ minimum: 0, description: 'The number of items on all pages' }),
    page: Type.Integer({ minimum: 1, description: 'The number of this page, from 1' }),
    pageSize: Type.Integer({ minimum: 1, maximum: 100, description: 'The most items that a page has' }),
    totalPages: Type.Integer({ minimum: 0, description: 'The number of pages' }),
    isCut: Type.Optional(
      Type.Boolean({
        description:
          'True: the page was too large for one answer (2 MiB), and items has its first rows only. The others are on the same page with a smaller pageSize. A page of one item is never cut.',
      }),
    ),
  };
}

/** As `Page`, for a list whose items are counted up to 10,000, or to more where it is asked for. */
export function CountedPage<Item extends TSchema>(item: Item, most = 10_000) {
  const further = most === 10_000 ? '' : ' or the number asked for';
  const total = `The number of items on all pages, counted up to 10,000${further}`;
  return Type.Object(
    {
      ...pageOf(item),
      total: Type.Integer({ minimum: 0, maximum: most, description: total }),
      totalIsExact: Type.Boolean({ description: 'False if there are more' }),
    },
    { $id: pageNameOf(item) },
  );
}

function pageNameOf(item: TSchema): string {
  return `${(item as { $id?: string }).$id?.replace(/Response$/, '')}Page`;
}

const pageNumber = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  default: 1,
  description: 'Number of the page, from 1',
});
const pageSize = Type.Integer({
  minimum: 1,
  maximum: 100,
  default: 25,
  description: 'The most items that a page has',
});

/** The query of a list. Validation fills in all but the filters; the default of `sortBy` is the first field. */
export function PageQuery<
  const SortFields extends readonly [string, ...string[]],
  Filters extends TProperties = Record<never, never>,
>(sortFields: SortFields, filters?: Filters, defaultOrder: 'asc' | 'desc' = 'asc') {
  return Type.Object({
    page: pageNumber,
    pageSize,
    sortBy: OneOf(sortFields, { default: sortFields[0] }),
    sortOrder: OneOf(['asc', 'desc'], { default: defaultOrder }),
    ...((filters ?? {}) as Filters),
  });
}

const time = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', maxLength: 40, description }));
export const createdBetween = {
  createdFrom: time('At this time or later'),
  createdBefore: time('Before this time'),
};

/** The query of a list, newest first, whose pages follow from each other: `before` is `next` of the page before. */
export const beforeQuery = {
  before: Type.Optional(Type.String({ minLength: 1, maxLength: 60, description: 'next of the page before' })),
  limit: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 25,
    description: 'How many are listed at most',
  }),
};
/** In a page of such a list. */
export const nextBefore = Type.Optional(
  Type.String({
    description: 'Where the next page begins, for the parameter before. Absent on the last page',
  }),
);

/** In the last line of an import. */
export const columnsPassedOver = Type.Array(Type.String(), {
  description:
    'Columns that are not known and have no values, and were passed over, with the reason; a hundred at most',
});

/** In an export: whether texts that a spreadsheet would run as formulas are neutralised. */
export const neutralize = Type.Boolean({
  default: true,
  description:
    'False for programs: no cell gets an apostrophe in front, and the file has no byte order mark. Not for spreadsheets',
});

/** The body of every error answer (RFC 9457, extended by `code`, `requestId` and `errors`). */
export const Problem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.String({ description: 'What is wrong, as a stable word for programs' }),
    requestId: Type.String(),
    errors: Type.Array(
      Type.Object({
        pointer: Type.String({ description: 'JSON pointer (RFC 6901) to the field' }),
        message: Type.String(),
        in: Type.Optional(
          OneOf(['path', 'query', 'body'], {
            description: 'The part of the request that the pointer is into',
          }),
        ),
      }),
    ),
  },
  { $id: 'Problem' },
);
export type Problem = Static<typeof Problem>;
