import Type from 'typebox';
import {
  type FieldDefinition as FieldOfType,
  fieldTypeNames,
} from '../../../../domain/records/field-values.js';
import { Id, Name, OneOf, Page, PageQuery, Picked, Timestamp, Uuid } from '../../../http/schemas.js';

const bound = Type.Optional(
  Type.Union([Type.Number(), Type.String({ maxLength: 40 })], {
    description: 'For a number, the length of a text, the number of choices or files, a date or a time',
  }),
);
const value = Type.String({ minLength: 1, maxLength: 200 });

export const FieldDefinition = Type.Object(
  {
    slug: Type.String({ minLength: 1, maxLength: 63, description: 'Key in fieldValues' }),
    name: Name(),
    fieldType: OneOf(fieldTypeNames),
    description: Type.Optional(Type.String({ maxLength: 2_000 })),
    required: Type.Optional(Type.Boolean()),
    shouldIndex: Type.Optional(
      Type.Boolean({
        description: 'Lists of records can be filtered, sorted and searched by it; not for json',
      }),
    ),
    unique: Type.Optional(
      Type.Boolean({
        description:
          'No two records of the type may have the same value, except retired ones; case and white space are ignored. Implies the indexing of shouldIndex. Not for textarea, json, multiselect, file and files',
      }),
    ),
    sensitive: Type.Optional(
      Type.Boolean({
        description:
          'A task that collects it during a call asks for it by keys, which neither the transcript nor the model gets. For text, number and integer',
      }),
    ),
    min: bound,
    max: bound,
    pattern: Type.Optional(
      Type.String({ maxLength: 500, description: 'Regular expression that the whole text must match' }),
    ),
    options: Type.Optional(
      Type.Array(Type.Union([value, Type.Object({ value, label: Type.Optional(value) })]), { maxItems: 500 }),
    ),
  },
  { $id: 'FieldDefinition' },
);

const name = Name();
const fields = Type.Array(FieldDefinition, { maxItems: 200 });

export const DataTypeResponse = Picked(
  {
    id: Id,
    uuid: Uuid,
    name: Type.String(),
    slug: Type.String(),
    isCollection: Type.Boolean({ description: 'True: many records per member; false: one' }),
    fields: Type.Unsafe<FieldOfType[]>(Type.Array(FieldDefinition)),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'DataTypeResponse' },
);

export const DataTypePage = Page(DataTypeResponse);

export const CreateDataTypeRequest = Type.Object({
  name,
  slug: Type.String({
    // The form that permissions for single data types require (domain/kernel/scopes.ts).
    pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
    maxLength: 63,
    description: 'Lower-case letters, digits, _ and -; cannot be changed',
  }),
  isCollection: Type.Boolean({ description: 'True: many records per member; false: one. Cannot be changed' }),
  fields,
});

export const UpdateDataTypeRequest = Type.Object({
  name: Type.Optional(name),
  fields: Type.Optional(fields),
});

export const ListDataTypesQuery = PageQuery(['id', 'name', 'slug', 'createdAt'], {
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of name or slug' })),
  slug: Type.Optional(Type.String({ minLength: 1, maxLength: 63, description: 'The whole slug' })),
  isCollection: Type.Optional(Type.Boolean()),
});
