import type { OrganizationTexts } from './en.js';

export const es: OrganizationTexts = {
  all: 'Organizaciones',
  what: 'Una organización es un grupo de espacios de trabajo con ajustes propios, como la forma de iniciar sesión. No da acceso a espacios de trabajo.',
  none: 'No es miembro de ninguna organización.',
  gone: 'No es miembro de una organización así',
  toJoin: 'Me han invitado a ella',
  create: 'Nueva organización',
  createNow: 'Crear',
  overview: 'Resumen',
  people: 'Personas',
  signIn: 'Inicio de sesión',
  audit: 'Registro de auditoría',
  name: 'Nombre',
  saved: 'Guardado.',
  more: 'Y {count} más.',

  forAdmins: 'Esta página es para sus propietarios y administradores.',
  forOwners: 'Esta página es para sus propietarios.',

  youAre: {
    owner: 'Es propietario: cambia ajustes, roles y espacios de trabajo.',
    admin: 'Es administrador: invita y gestiona a los miembros sin más rol.',
    member: 'Es miembro. Los propietarios y administradores gestionan la organización.',
    none: 'Ve la organización como superusuario.',
  },
  workspaces: 'Espacios de trabajo',
  noWorkspaces: 'Todavía no tiene ningún espacio de trabajo.',
  putIn: 'Incluir un espacio de trabajo',
  putInHelp:
    'La forma de iniciar sesión en {organization} vale entonces también para el espacio de trabajo. Esto no da acceso a nadie.',
  workspace: 'Espacio de trabajo',
  choose: 'Elegir …',
  takeOut: 'Sacar',
  takeOutHelp:
    'Los ajustes de {organization} dejan de valer para «{name}». En el espacio de trabajo no se elimina nada.',
  settings: 'Ajustes',
  slug: 'Nombre corto',
  slugHint:
    'Está en las direcciones, y se escribe para iniciar sesión con su proveedor: letras minúsculas, cifras y guiones.',
  joinDomains: 'Dominios que pueden unirse',
  joinDomainsHint:
    'Uno por línea. Quien ha probado una dirección de correo de uno de ellos puede unirse como miembro.',
  anyoneMayJoin: 'Cualquiera que haya iniciado sesión puede unirse como miembro',

  everybody: 'Todos',
  nobody: 'Nadie es miembro.',
  nameless: 'Sin nombre',
  email: 'Correo',
  role: 'Rol',
  roleOf: 'Rol de {name}',
  roles: { owner: 'Propietario', admin: 'Administrador', member: 'Miembro' },
  changeRole: 'Cambiar el rol',
  changeRoleHelp:
    'Los propietarios cambian ajustes, roles y espacios de trabajo. Los administradores invitan y gestionan a los miembros sin más rol. El rol no da acceso a espacios de trabajo.',
  joinedBy: 'Se unió por',
  ways: {
    founding: 'fundación',
    invitation: 'invitación',
    domain: 'dominio de la dirección',
    open: 'abierta a todos',
    sso: 'proveedor de identidad',
  },
  acts: 'Acciones',
  disabled: 'Desactivado',
  disable: 'Desactivar',
  disableHelp:
    'Se cierra la sesión de {name} en la organización, y no puede iniciar otra hasta que se le vuelva a activar. El acceso a los espacios de trabajo se mantiene.',
  enable: 'Activar',
  enableHelp: '{name} puede volver a iniciar sesión en la organización, con el mismo rol.',
  remove: 'Quitar',
  removeHelp:
    '{name} deja de ser miembro de la organización y sigue siendo miembro de sus espacios de trabajo. Quien puede unirse puede volver: desactive a quien deba quedar fuera.',
  removed: 'Se ha quitado a {name}.',
  invitations: 'Invitaciones',
  noInvitations: 'No hay ninguna invitación abierta.',
  tell: 'No se envía nada. Diga a quien está invitado que inicie sesión y se una aquí:',
  openUntil: 'Abierta hasta',
  invite: 'Invitar a alguien',
  inviteHelp:
    'Quien pruebe esta dirección iniciando sesión con un código puede unirse en 30 días. No se envía nada: avise a la persona.',
  inviteNow: 'Invitar',
  inviteAgain: 'Renovar',
  withdraw: 'Retirar',
  withdrawHelp: '{email} ya no puede unirse con esta invitación.',

  joinTitle: 'Unirse a {name}',
  joinHelp:
    'Quien fue invitado, o tiene una dirección de un dominio que puede unirse, pasa a ser miembro. Esto por sí solo no da acceso a espacios de trabajo.',
  joinAs: 'Ha iniciado sesión como {address}.',
  join: 'Unirse',
  joinBySso: 'Iniciar sesión con el proveedor de identidad',

  ssoWhat:
    'Se inicia sesión con su proveedor de identidad, que habla OpenID Connect con el flujo de código y PKCE.',
  forProvider: 'Lo que necesita el proveedor',
  callback: 'URI de redirección',
  start: 'Donde se empieza',
  provider: 'Su proveedor',
  issuer: 'Emisor',
  issuerHint: 'Exactamente como se llama el proveedor, con https://.',
  clientId: 'Id de cliente',
  clientSecret: 'Secreto de cliente',
  secretNew: 'Se guarda cifrado y no se vuelve a mostrar.',
  secretKept: 'Vacío: se queda como está. Con otro emisor o cliente hay que escribirlo de nuevo.',
  emailDomains: 'Dominios de direcciones de correo',
  emailDomainsHint:
    'Uno por línea: solo entra quien tiene una dirección así, y pasa a ser los miembros que la tienen. Vacío: todos los que el proveedor conoce.',
  removeProvider: 'Quitar el proveedor',
  removeProviderHelp: 'Nadie inicia ya sesión con él. Las sesiones que empezó siguen hasta que terminen.',
  linking: 'Su propia cuenta',
  linkingWhat:
    'Quien hasta ahora iniciaba sesión con un código vincula la cuenta una vez, para entrar con el proveedor como la misma persona.',
  link: 'Vincular mi cuenta',
  linkHelp:
    'Quien gestiona el proveedor podrá entonces actuar como usted en esta organización y en sus espacios de trabajo, con todos los derechos que tiene allí.',
  only: 'Solo con el proveedor',
  onlyWhat:
    'Los espacios de trabajo se pueden cerrar a códigos, claves de API, aplicaciones y soporte, de modo que solo se entra con el proveedor. Primero fije la ruta, dé al operador las nuevas direcciones e inicie sesión con el proveedor.',
  onlyNow: 'A los espacios de trabajo solo se entra con el proveedor.',
  publicPath: 'Ruta del operador',
  publicPathHint:
    'Un nombre de su elección, de 8 a 63 letras minúsculas, cifras y guiones. El operador llama entonces a /api/v2/public/ y este nombre.',
  savePath: 'Guardar la ruta',
  beginOnly: 'Dejar entrar solo con el proveedor',
  beginOnlyHelp:
    'Las claves de API, los códigos, los tokens de miembros, las aplicaciones y el soporte dejan de abrir los espacios de trabajo desde ahora.',
  endOnly: 'Dejar entrar de nuevo con códigos y claves',
  endOnlyHelp: 'Los códigos, las claves de API y las aplicaciones vuelven a abrir los espacios de trabajo.',
};
