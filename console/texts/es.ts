import type { Texts } from './en.js';

/** Las palabras de la consola en español. */
export const es: Texts = {
  skip: 'Ir al contenido',
  navigation: 'Navegación',
  home: 'Inicio',
  inbox: 'Bandeja de entrada',
  settings: 'Su cuenta',
  signIn: 'Iniciar sesión',
  signOut: 'Cerrar sesión',
  signInAgain: 'Iniciar sesión de nuevo',
  sessionEnded: 'Su sesión ha terminado. Lo que ha escrito queda en este navegador.',
  notSignedIn: 'No ha iniciado sesión',
  otherWorkspace: 'Todos los espacios de trabajo',
  workspaces: 'Sus espacios de trabajo',
  toWorkspaces: 'A sus espacios de trabajo',
  noWorkspaces: 'Todavía no es miembro de ningún espacio de trabajo.',
  notFound: 'No hay nada en esta dirección',
  failed: 'No se pudo mostrar esta página',
  noConnection: 'No hay conexión con el servicio.',
  notLive: 'Sin conexión. Lo que ve puede no estar al día; continúa por sí solo.',
  tryAgain: 'Reintentar',
  request: 'Solicitud',
  loading: 'Cargando …',
  close: 'Cerrar',
  cancel: 'Cancelar',
  until: 'Hasta',
  yes: 'Sí',
  no: 'No',
  menu: 'Menú',
  more: 'Mostrar más',
  selectShown: 'Elegir las filas mostradas',
  channels: {
    'web-chat': 'Chat web',
    'phone-sms': 'SMS',
    'phone-voice': 'Teléfono',
    email: 'Correo electrónico',
  },
  waiting: 'en espera',

  // Names of the areas in the navigation
  areas: {
    figures: 'Cifras',
    data: 'Datos',
    webhooks: 'Webhooks',
    workflows: 'Flujos',
  },
};
