import Type from 'typebox';
import { Id, Name, Nullable, Page, PageQuery, Picked, Timestamp, Uuid } from '../../../http/schemas.js';
import { maxText } from '../messages/schemas.js';

const expressions =
  'with `{{ }}` around expressions of the member, the chat and now, such as `{{member.name}}`';
const name = Name(100);
const Shortcut = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]*$',
  maxLength: 30,
  description: 'Short name in lower case by which it is found, unique in the workspace',
});
const Text = Type.String({ minLength: 1, maxLength: maxText, description: `The text, ${expressions}` });
const Translations = Type.Record(
  Type.String({ pattern: '^[a-z]{2,3}$' }),
  Type.String({ minLength: 1, maxLength: maxText, description: 'The text in that language' }),
  {
    maxProperties: 30,
    additionalProperties: false,
    description: 'The text for members with another language, by the language of their locale, such as de',
  },
);

export const MessageTemplateResponse = Picked(
  {
    id: Id,
    uuid: Uuid,
    name: Type.String({ description: 'What colleagues call it' }),
    shortcut: Nullable(Type.String({ description: 'Short name by which it is found; null without one' })),
    text: Type.String({ description: `The text, ${expressions}` }),
    translations: Type.Record(Type.String(), Type.String(), {
      description: 'The text for members with another language, by the language of their locale',
    }),
    filled: Type.Optional(
      Type.String({
        description:
          'In lists with chatId: the text for that chat, in the language of its member if there is one, with the values of its expressions',
      }),
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'MessageTemplateResponse' },
);
export const MessageTemplatePage = Page(MessageTemplateResponse);

export const ListMessageTemplatesQuery = PageQuery(['name', 'shortcut', 'createdAt'], {
  search: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Part of name, shortcut or text' }),
  ),
  chatId: Type.Optional({ ...Id, description: 'The chat for which the texts are filled' }),
});

export const CreateMessageTemplateRequest = Type.Object(
  {
    name,
    shortcut: Type.Optional(Nullable(Shortcut)),
    text: Text,
    translations: Type.Optional(Translations),
  },
  { $id: 'CreateMessageTemplateRequest' },
);

export const UpdateMessageTemplateRequest = Type.Object(
  {
    name: Type.Optional(name),
    shortcut: Type.Optional(Nullable(Shortcut)),
    text: Type.Optional(Text),
    translations: Type.Optional(Translations),
  },
  {
    $id: 'UpdateMessageTemplateRequest',
    description: 'Omitted fields keep their values. translations replaces all of them.',
  },
);
