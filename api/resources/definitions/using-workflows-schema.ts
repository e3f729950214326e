import Type from 'typebox';
import { Id, Picked } from '../../http/schemas.js';

/** The workflows that cannot do all they do without what is shown. */
export const UsingWorkflows = Type.Optional(
  Type.Array(Picked({ id: Id, name: Type.String() }), {
    description:
      'Workflows whose active revision names it, by name, up to 100; only where one is asked for by its id',
  }),
);
