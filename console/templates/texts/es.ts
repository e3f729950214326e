import type { TemplateTexts } from './en.js';

export const es: TemplateTexts = {
  title: 'Plantillas de mensajes',
  create: 'Nueva plantilla',
  search: 'Buscar plantillas',
  name: 'Nombre',
  shortcut: 'Atajo',
  text: 'Texto',
  changed: 'Modificada',
  none: 'Todavía no hay plantillas. Quien responde las inserta al escribir / en el campo vacío.',
  noneFound: 'Ninguna plantilla contiene estas palabras.',
  notFound: 'Esta plantilla no existe. Puede que se haya eliminado.',
  hintOfName: 'Solo lo ven los colegas.',
  hintOfShortcut: 'Opcional, para quien escribe: letras minúsculas y cifras, por ejemplo horario.',
  hintOfText:
    '{{member.name}} se sustituye por el nombre del miembro. El texto se puede cambiar antes de enviarlo.',
  translation: 'Texto en {language}',
  addLanguage: 'Añadir un idioma',
  hintOfLanguage: 'Los miembros con este idioma reciben este texto; los demás, el de arriba.',
  removeLanguage: 'Quitar {language}',
  save: 'Guardar',
  saved: 'Guardada.',
  remove: 'Eliminar',
  removeQuestion:
    'Nadie podrá elegir «{name}» a partir de entonces. Los mensajes escritos con ella quedan como están.',
};
