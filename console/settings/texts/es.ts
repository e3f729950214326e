import type { SettingsTexts } from './en.js';

/** Las palabras de los ajustes en español. */
export const es: SettingsTexts = {
  title: 'Ajustes',
  nothing: 'Aquí no hay nada que su rol pueda ver.',

  sections: {
    workspace: {
      name: 'Espacio de trabajo',
      help: 'Nombre, idioma, zona horaria y direcciones; detener todo por un tiempo',
    },
    people: { name: 'Personas', help: 'Quién trabaja aquí: roles, sesiones y tokens' },
    roles: { name: 'Roles', help: 'Lo que puede hacer cada rol' },
    assistants: { name: 'Asistentes', help: 'Quién responde donde no lo hace una persona: modelos y voces' },
    mcpServers: {
      name: 'Servidores MCP',
      help: 'Servidores de otros cuyas herramientas pueden usar los agentes',
    },
    secrets: { name: 'Secretos', help: 'Valores que llevan las peticiones de los agentes y nadie ve' },
  },

  save: 'Guardar',
  saving: 'Guardando …',
  saved: 'Guardado.',
  undo: 'Deshacer',
  changedMeanwhile:
    'Otra persona ha cambiado esto entretanto. «Guardar» pone lo suyo en su lugar; «Deshacer» muestra lo que hay ahora.',
  readOnly: 'Su rol puede leer esto, pero no cambiarlo.',

  name: 'Nombre',
  slug: 'Nombre corto',
  slugHint: 'Del espacio de trabajo en direcciones: minúsculas, cifras y guiones.',
  locale: 'Idioma',
  localeHint: 'Por ejemplo es-ES. En él se escribe a los miembros sin idioma propio.',
  timezone: 'Zona horaria',
  timezoneHint: 'De los horarios, las horas de silencio, las cifras y el mes del presupuesto.',
  country: 'País',
  countryHint: 'De los números de teléfono que se escriben sin prefijo de país.',
  postalAddress: 'Dirección postal',
  postalAddressHint:
    'En una línea. Aparece bajo los correos de los que uno puede darse de baja, como piden las leyes.',
  programs: 'Páginas web y programas',
  allowedOrigins: 'Páginas que pueden llamar al espacio de trabajo',
  allowedOriginsHint:
    'Una por línea, como https://app.example.com. Por ejemplo, del chat en sus propias páginas.',
  requestHosts: 'Servidores que los asistentes pueden consultar',
  requestHostsHint: 'Uno por línea, como api.example.com. Los asistentes no envían peticiones a ningún otro.',

  hold: 'Detener todo',
  holdHelp:
    'Los asistentes no responden, y los recordatorios, seguimientos, mensajes y llamadas esperan, también los de los compañeros. Lo que escriben los miembros se guarda, y se pide a alguien del equipo que lo mire. Todo continúa, una sola vez, cuando termina la detención.',
  holdReason: 'Motivo',
  holdReasonHint: 'Para los compañeros.',
  holdUntil: 'Hasta',
  holdUntilHint: 'Sin una hora, hasta que alguien la termine.',
  heldSince: 'Todo está detenido desde',
  heldBy: 'Por',
  heldUntil: 'Hasta',
  untilEnded: 'que alguien la termine',
  notHeld: 'No hay nada detenido.',
  resume: 'Continuar',
  resumeHelp:
    'Lo que espera continúa poco a poco: respuestas, recordatorios, mensajes y llamadas, algunos cientos por segundo.',
  changeHold: 'Cambiar la detención',
};
