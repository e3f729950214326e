import Type, { type Static, type TSchema } from 'typebox';
import type { TaskType } from '../task-tree/types.js';

const strict = { additionalProperties: false };
const Slug = Type.String({ minLength: 1, maxLength: 63 });
const Template = Type.String({ minLength: 1, maxLength: 20_000 });
const ShortText = Type.String({ minLength: 1, maxLength: 500 });

export const CollectConfiguration = Type.Object(
  {
    dataTypeSlug: Slug,
    fieldSlugs: Type.Array(Slug, { minItems: 1, maxItems: 200, uniqueItems: true }),
  },
  strict,
);
export const MessageConfiguration = Type.Object({ text: Template }, strict);
/** Publishing requires exactly one of `for` and `until`; a draft may still have neither. */
export const WaitConfiguration = Type.Object(
  {
    for: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
    until: Type.Optional(Template),
    unlessReply: Type.Optional(Type.Boolean()),
  },
  strict,
);
export const HandoffConfiguration = Type.Object(
  { reason: Type.Optional(ShortText), message: Type.Optional(Template) },
  strict,
);
export const ConcludeConfiguration = Type.Object(
  { outcome: Type.Optional(ShortText), outcomeReason: Type.Optional(ShortText) },
  strict,
);
export type CollectConfiguration = Static<typeof CollectConfiguration>;
export type MessageConfiguration = Static<typeof MessageConfiguration>;
export type WaitConfiguration = Static<typeof WaitConfiguration>;
export type HandoffConfiguration = Static<typeof HandoffConfiguration>;
export type ConcludeConfiguration = Static<typeof ConcludeConfiguration>;

const Nothing = Type.Object({}, strict);

/** The schema of `configuration` by task type. `call` accepts anything, because calls are not implemented yet. */
export const configurationSchemas: Record<TaskType, TSchema> = {
  conversation: Nothing,
  collect: CollectConfiguration,
  message: MessageConfiguration,
  wait: WaitConfiguration,
  decision: Nothing,
  call: Type.Object({}),
  handoff: HandoffConfiguration,
  conclude: ConcludeConfiguration,
};

/** Keys of `configuration` that hold a template. */
export const configurationTemplates: Partial<Record<TaskType, readonly string[]>> = {
  message: ['text'],
  wait: ['until'],
  handoff: ['message'],
  conclude: ['outcomeReason'],
};
