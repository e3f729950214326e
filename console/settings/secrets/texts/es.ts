import type { SecretTexts } from './en.js';

export const es: SecretTexts = {
  title: 'Secretos',
  what: 'Valores que las peticiones de los agentes llevan en una cabecera, como la clave de un calendario. Un valor se escribe una vez: nadie lo vuelve a ver, y los agentes nunca.',
  none: 'Todavía no hay secretos. Un flujo cuyo agente pregunta a un servicio web que pide una clave nombra un secreto.',
  ownPages: 'Sus propias claves y aplicaciones tienen páginas aparte:',
  keys: 'claves de API',
  applications: 'aplicaciones',
  connections: 'aplicaciones conectadas',
  name: 'Nombre',
  nameHint: 'Así lo llaman las peticiones de los flujos, por ejemplo calendar_token. No cambia.',
  hosts: 'Hosts',
  hostsHint: 'Los únicos a los que se envía, uno por línea, por ejemplo api.example.com.',
  value: 'Valor',
  valueHint: 'Se guarda cifrado y no se vuelve a mostrar.',
  changed: 'Valor escrito',
  state: 'Estado',
  refused: 'Rechazado desde',
  newSecret: 'Nuevo secreto',
  create: 'Crear',
  replace: 'Sustituir',
  replaceHelp: '«{name}» tiene el nuevo valor desde la siguiente petición.',
  replaced: 'Sustituido.',
  remove: 'Eliminar',
  removeHelp:
    'Las peticiones que necesitan «{name}» ya no se hacen, y el agente lo sabe. El valor se pierde.',
};
