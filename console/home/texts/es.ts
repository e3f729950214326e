import type { HomeTexts } from './en.js';

/** Las palabras de la página de inicio en español. */
export const es: HomeTexts = {
  open: 'sin responder',
  oldest: 'El primero espera desde',
  mine: 'Tomados por usted',
  claimed: 'Tomados por otros',
  snoozed: 'Chats aplazados',
  calls: 'Llamadas ahora',
  failedMessages: 'Mensajes sin entregar (24 horas)',
  active: 'Asignaciones activas',
  standing: 'Asignaciones detenidas',
  failingRules: 'Reglas de eventos que fallan',
  waitingDeliveries: 'Entregas en espera',
  heldWorkflows: 'Flujos en pausa',
  credits: 'Créditos del mes',
  held: 'En este espacio de trabajo todo está en pausa.',
  nothing: 'Su rol no le muestra nada aquí. Pregunte a quien dirige el espacio de trabajo.',
};
