import Type, { type TSchema } from 'typebox';
import type { TaskType } from '../task-tree/types.js';

const strict = { additionalProperties: false };
const Nothing = Type.Object({}, strict);
const Slug = Type.String({ minLength: 1, maxLength: 63 });
const Template = Type.String({ minLength: 1, maxLength: 20_000 });
const ShortText = Type.Optional(Type.String({ minLength: 1, maxLength: 500 }));

/** The schema of `configuration` by task type. `call` accepts anything, because calls are not implemented yet. */
export const configurationSchemas: Record<TaskType, TSchema> = {
  conversation: Nothing,
  collect: Type.Object(
    {
      dataTypeSlug: Slug,
      fieldSlugs: Type.Array(Slug, { minItems: 1, maxItems: 200, uniqueItems: true }),
    },
    strict,
  ),
  message: Type.Object({ text: Template }, strict),
  // Publishing requires exactly one of `for` and `until`; a draft may still have neither.
  wait: Type.Object(
    {
      for: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
      until: Type.Optional(Template),
      unlessReply: Type.Optional(Type.Boolean()),
    },
    strict,
  ),
  decision: Nothing,
  call: Type.Object({}),
  handoff: Type.Object({ reason: ShortText, message: Type.Optional(Template) }, strict),
  conclude: Type.Object({ outcome: ShortText, outcomeReason: ShortText }, strict),
};

/** Keys of `configuration` that hold a template. */
export const configurationTemplates: Partial<Record<TaskType, readonly string[]>> = {
  message: ['text'],
  wait: ['until'],
  handoff: ['message'],
  conclude: ['outcomeReason'],
};
