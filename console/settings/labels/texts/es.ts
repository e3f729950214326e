import type { LabelTexts } from './en.js';

/** Las palabras de las etiquetas en español. */
export const es: LabelTexts = {
  kinds: { member: 'De miembros', chat: 'De chats', file: 'De archivos' },
  kindsOf: 'Etiquetas de',
  name: 'Nombre',
  slug: 'Nombre corto',
  slugHint:
    'Con él nombran la etiqueta los flujos de trabajo. Donde lo hacen, hay que escribir allí también el nuevo.',
  color: 'Color',
  description: 'Descripción',
  newLabel: 'Nueva etiqueta',
  create: 'Crear',
  none: {
    member:
      'Todavía no hay etiquetas de miembros. Con una se encuentran miembros, y los flujos de trabajo los distinguen.',
    chat: 'Todavía no hay etiquetas de chats. Con una el equipo ordena los chats.',
    file: 'Todavía no hay etiquetas de archivos. Con una se encuentran archivos.',
  },
  gone: 'No existe esa etiqueta. Puede que se haya eliminado.',
  has: { member: 'Miembros con ella', chat: 'Chats con ella', file: 'Archivos con ella' },
  remove: 'Eliminar',
  removeHelp: 'Se quita a todos los que la tienen: {count}. No se puede recuperar.',
  removeHelpUncounted: 'Se quita a todos los que la tienen. No se puede recuperar.',
};
