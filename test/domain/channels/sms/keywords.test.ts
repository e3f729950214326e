import { describe, expect, it } from 'vitest';
import { findKeyword } from '../../../../domain/channels/sms/keywords.js';

describe('a message that only opts out', () => {
  it.each([
    'Stop.',
    'STOP!!!',
    '"stop"',
    '“Stop”',
    '«STOP»',
    'ＳＴＯＰ',
    'st\u200Bop',
    '\u202ASTOP\u202C',
    'STOP 🛑',
    'stop\u00A0',
    'S.T.O.P.',
    'OPT OUT',
    'opt-out',
    'Stop all',
    'stop please',
    'Please stop',
    'Please unsubscribe me.',
    'Do not text me again',
    "Don't text me",
    'Don’t contact me!',
    'Stop\n\nSent from my phone',
    'STOP\n-- \nRobin Sample\nExample Street 1',
    'Stop\nRobin Sample',
    'stop\nThanks',
    'Stopp',
    'Bitte keine SMS mehr!',
    'Abmelden.',
    'Lopeta',
    'LOPETTAKAA VIESTIT!',
    'En halua enää viestejä.',
    'Ei ena\u0308a\u0308 viesteja\u0308',
    'älä lähetä viestejä',
    'Arrêt',
    'ARRET',
    'Désabonnez-moi',
    'Darme de baja',
    'No más mensajes',
    'Sair',
    'Basta!',
    'Avregistrera mig',
    'Meld mij af',
    'wypisz mnie',
    'หยุด',
    'หยุดส่งข้อความ',
    'ยกเลิกการรับข้อความ',
  ])('%j', (text) => {
    expect(findKeyword(text)).toBe('stop');
  });
});

describe('a message that only opts in', () => {
  it.each(['START', 'Start.', 'UNSTOP', 'unstop!', 'opt in', 'Opt-in'])('%j', (text) => {
    expect(findKeyword(text)).toBe('start');
  });
});

describe('a message about something else', () => {
  it.each([
    'Stop?',
    'Which bus stop?',
    'The bus stop is closed',
    'stop 2',
    'Cancel the appointment please',
    'Cancel\nthe appointment on Friday',
    'I cannot stop coughing',
    'Should I stop taking the pills',
    'It will end on Friday',
    'I want to quit smoking',
    'Stop\nI mean the bus stop at the clinic is closed',
    'Ende der Woche passt mir',
    'Termin bitte abmelden am Freitag',
    'Voinko lopettaa lääkkeen?',
    'Lopetin lääkkeen eilen',
    'Je voudrais arrêter le traitement',
    'Baja',
    'No',
    'ไม่',
    'หยุดยาได้ไหม',
    'restart',
    'I need help with my visit',
    '\u200B',
    '',
    '🛑',
    'stop '.repeat(60),
  ])('%j', (text) => {
    expect(findKeyword(text)).toBeNull();
  });
});
