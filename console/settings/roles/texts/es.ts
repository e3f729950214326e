import type { RoleTexts } from './en.js';

export const es: RoleTexts = {
  title: 'Roles',
  what: 'Todos pueden ver y cambiar lo que es suyo. Un rol permite además lo que está marcado; un cambio vale desde la siguiente petición.',
  role: 'Rol',
  permission: 'Permiso',
  mayDo: '{role}: {grant}',
  flags: 'El rol en sí',
  flagMeanings: {
    useAdmin: 'Puede usar la administración.',
    manageWorkspace: 'Puede gestionar el espacio de trabajo.',
  },
  addType: 'Añadir un tipo de registros',
  keys: 'Las flechas llevan de casilla en casilla; la barra espaciadora marca una.',
  saveChanges: 'Guardar los cambios ({count})',
  discard: 'Descartar',
  save: 'Guardar',
  saved: 'Guardado.',
  newRole: 'Nuevo rol',
  name: 'Nombre',
  like: 'Empieza con los permisos de',
  likeNone: 'ningún rol',
  create: 'Crear',
  rename: 'Nombre',
  whoHasIt: 'Quién lo tiene',
  members: 'Miembros con este rol: {count}',
  remove: 'Eliminar',
  removeHelp: 'El rol «{name}» se elimina para siempre, si nadie lo tiene.',
  removeUnused: 'Nadie tiene el rol «{name}». Se elimina para siempre.',
  removeUsed:
    'Miembros con el rol «{name}»: {count}. Deles otro primero: hasta entonces no se puede eliminar.',
  gone: 'No existe ese rol. Puede que se haya eliminado.',
};
